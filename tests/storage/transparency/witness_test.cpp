// Goal: a witness cosigns only consistent extensions of the checkpoints that it has cosigned, with
// the status codes of C2SP's tlog-witness.
//
// Method: a log of growing trees, each fault of a request alone, and restarts between requests.
#include "storage/transparency/witness.hpp"

#include "../testbed.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace snl::test {
namespace {

using namespace transparency;

constexpr UnixSeconds now = 1'795'613'000;

class Leaves final : public NodeReader {
 public:
  explicit Leaves(std::uint8_t kind) : kind_(kind) {}
  std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) override {
    BOOST_REQUIRE(level == 0);
    std::vector<Hash> nodes;
    for (std::uint64_t n = first; n < first + count; ++n)
      nodes.push_back(
          leaf_hash(Hash{static_cast<std::uint8_t>(n), n < 5 ? std::uint8_t{0} : kind_}));
    return nodes;
  }

 private:
  std::uint8_t kind_;  // of the leaves after the first five
};

struct Scene {
  Folder folder;
  SigningKey log{"club.example/log", KeyType::log, SigningKey::Seed{}};
  VerifierKey vkey =
      make_key_file(folder.file("w.key"), "school.example/witness", KeyType::witness);
  Policy policy = Policy::parse("log " + log.verifier().text() + "\nquorum none\n").value();
  std::optional<KeyFile> key{std::in_place, folder.file("w.key"), KeyType::witness};
  std::optional<Witness> witness{std::in_place, *key, policy, folder.file("state")};

  void restart() { witness.emplace(*key, policy, folder.file("state")); }

  SignedCheckpoint checkpoint(TreeSize size, std::uint8_t kind = 0) const {
    Leaves leaves(kind);
    return signed_by(log,
                     {.origin = log.verifier().name, .size = size, .root = root_of(leaves, size)});
  }
  static std::vector<Hash> proof(TreeSize old, TreeSize size, std::uint8_t kind = 0) {
    Leaves leaves(kind);
    return consistency_proof(leaves, old, size);
  }
  WitnessResponse ask(TreeSize old, TreeSize size, std::uint8_t kind = 0) {
    return witness->add_checkpoint(
        WitnessRequest{old, proof(old, size, kind), checkpoint(size, kind)}.text(), now);
  }
};

BOOST_AUTO_TEST_CASE(what_goes_on_is_cosigned_and_kept_across_restarts) {
  Scene scene;
  for (TreeSize old = 0; const TreeSize size : {1U, 5U, 8U, 8U, 40U}) {
    const WitnessResponse response = scene.ask(old, size);
    BOOST_REQUIRE(response.status == 200U);
    SignedCheckpoint cosigned_one = scene.checkpoint(size);
    BOOST_REQUIRE(response.body.ends_with('\n'));
    cosigned_one.note.signatures.push_back(
        SignatureLine::parse(std::string_view(response.body).substr(0, response.body.size() - 1))
            .value());
    BOOST_TEST((cosigned(cosigned_one.note, scene.vkey, now) == now));
    old = size;
    scene.restart();
  }
  Sha256 sha256;
  sha256.update(scene.log.verifier().name);
  const auto kept = scene.witness->kept(to_hex(sha256.finish()));
  BOOST_REQUIRE(kept);
  BOOST_TEST(SignedCheckpoint::parse(*kept)->checkpoint.size == 40U);
  BOOST_TEST(!scene.witness->kept("../w.key"));
}

/// Everybody may send a witness any signatures of names that it doesn't know.
BOOST_AUTO_TEST_CASE(a_witness_keeps_no_signatures_of_others) {
  Scene scene;
  SignedCheckpoint crowded = scene.checkpoint(8);
  const SignatureLine other{.name = "x", .id = {}, .signature = {1}};
  crowded.note.signatures.resize(64, other);
  crowded.note.signatures.resize(128, crowded.note.signatures.front());
  BOOST_REQUIRE(
      scene.witness->add_checkpoint(WitnessRequest{0, Scene::proof(0, 8), crowded}.text(), now)
          .status == 200U);
  BOOST_TEST(scene.ask(8, 9).status == 200U);
}

/// A thief of the key may sign a text as long as a request can be.
BOOST_AUTO_TEST_CASE(the_longest_checkpoint_is_kept_so_that_it_is_read_back) {
  Scene scene;
  SignedCheckpoint longest = scene.checkpoint(8);
  const auto request = [&](std::size_t more) {
    longest.note.text = longest.checkpoint.text() + std::string(more, 'x') + "\n";
    longest.note.signatures = {signed_by(scene.log, longest.note.text)};
    return WitnessRequest{0, {}, longest}.text();
  };
  const std::string body = request(longest_request + 1 - request(1).size());
  BOOST_REQUIRE(body.size() == longest_request);
  const WitnessResponse cosigned_one = scene.witness->add_checkpoint(body, now);
  BOOST_REQUIRE(cosigned_one.status == 200U);
  scene.restart();
  BOOST_TEST(scene.ask(0, 8).status == 409U);
  BOOST_TEST(scene.ask(8, 9).status == 200U);
  BOOST_TEST(scene.witness->add_checkpoint(body + "x", now).status == 413U);
}

/// A request with several faults gets the status of the first one in C2SP's order.
BOOST_AUTO_TEST_CASE(statuses_come_in_their_order) {
  Scene scene;
  BOOST_REQUIRE(scene.ask(0, 8).status == 200U);
  const SigningKey stranger("stranger.example/log", KeyType::log, SigningKey::Seed{});
  const SigningKey thief("club.example/log", KeyType::log, SigningKey::Seed{1});
  const auto status = [&](const SigningKey& key, TreeSize old, TreeSize size,
                          const std::vector<Hash>& proof) {
    return scene.witness
        ->add_checkpoint(
            WitnessRequest{old, proof, signed_by(key, {key.verifier().name, size, {}})}.text(), now)
        .status;
  };
  const std::vector<Hash> wrong{Hash{}};
  std::string no_form = WitnessRequest{10, wrong, scene.checkpoint(9)}.text();
  no_form.replace(0, 4, "old 0");
  BOOST_TEST(scene.witness->add_checkpoint(no_form, now).status == 400U);
  BOOST_TEST(status(stranger, 10, 9, wrong) == 404U);  // a stranger's key too
  BOOST_TEST(status(thief, 10, 9, wrong) == 403U);
  BOOST_TEST(status(scene.log, 10, 9, wrong) == 400U);
  BOOST_TEST(status(scene.log, 5, 9, wrong) == 409U);
  BOOST_TEST(status(scene.log, 8, 9, wrong) == 422U);
}

BOOST_AUTO_TEST_CASE(of_two_forks_at_once_one_is_cosigned) {
  for (int round = 0; round < 20; ++round) {
    Scene scene;
    BOOST_REQUIRE(scene.ask(0, 5).status == 200U);
    std::array<std::string, 4> requests;
    for (std::uint8_t kind = 0; kind < 4; ++kind)
      requests[kind] =
          WitnessRequest{5, Scene::proof(5, 9, kind), scene.checkpoint(9, kind)}.text();
    std::array<unsigned, 4> statuses{};
    {
      std::vector<std::jthread> forks;
      for (std::size_t i = 0; i < requests.size(); ++i)
        forks.emplace_back(
            [&, i] { statuses[i] = scene.witness->add_checkpoint(requests[i], now).status; });
    }
    BOOST_TEST(std::ranges::count(statuses, 200U) == 1);
    BOOST_TEST(std::ranges::count(statuses, 409U) == 3);
  }
}

BOOST_AUTO_TEST_CASE(a_witness_knows_each_key_of_a_name) {
  Scene scene;
  const SigningKey earlier(scene.log.verifier().name, KeyType::log, SigningKey::Seed{1});
  scene.policy = Policy::parse("log " + earlier.verifier().text() + "\nlog " +
                               scene.log.verifier().text() + "\nquorum none\n")
                     .value();
  scene.restart();
  BOOST_TEST(scene.ask(0, 8).status == 200U);
  BOOST_TEST(scene.ask(8, 9).status == 200U);
}

BOOST_AUTO_TEST_CASE(the_example_is_kept_under_the_hash_of_its_name) {
  Sha256 sha256;
  sha256.update("example.org/log");
  BOOST_TEST(to_hex(sha256.finish()) ==
             "d2ddd66899fd15bead08af77cf16e1fda92ebeaacf1c56f97d32388910e8f991");
}

BOOST_AUTO_TEST_CASE(every_fault_has_its_status) {
  Scene scene;
  BOOST_REQUIRE(scene.ask(0, 8).status == 200U);
  const auto status = [&](const std::string& body) {
    return scene.witness->add_checkpoint(body, now).status;
  };
  const std::string good = WitnessRequest{8, Scene::proof(8, 9), scene.checkpoint(9)}.text();
  for (const std::string& form :
       {std::string(), std::string("old 8"), "old 08" + good.substr(5), "new" + good.substr(3),
        "old 8\nnonsense\n" + good.substr(6), good.substr(0, good.size() - 1),
        good.substr(0, good.find("\n\n") + 2)})
    BOOST_TEST(status(form) == 400U, form);
  std::string hashes;
  for (int i = 0; i < 64; ++i)
    hashes += to_base64(Hash{}) + "\n";
  BOOST_TEST(status("old 8\n" + hashes + good.substr(good.find("\n\n") + 1)) == 400U);
  BOOST_TEST(status(std::string(longest_request + 1, 'a')) == 413U);

  const SigningKey stranger("stranger.example/log", KeyType::log, SigningKey::Seed{});
  BOOST_TEST(
      status(WitnessRequest{0, {}, signed_by(stranger, {"stranger.example/log", 1, {}})}.text()) ==
      404U);
  SignedCheckpoint forged = scene.checkpoint(9);
  forged.note.signatures.front().signature[7] ^= 1U;
  BOOST_TEST(status(WitnessRequest{8, Scene::proof(8, 9), forged}.text()) == 403U);
  const SigningKey thief("club.example/log", KeyType::log, SigningKey::Seed{1});
  BOOST_TEST(
      status(WitnessRequest{8, Scene::proof(8, 9), signed_by(thief, scene.checkpoint(9).checkpoint)}
                 .text()) == 403U);
  BOOST_TEST(status(WitnessRequest{10, {}, scene.checkpoint(9)}.text()) == 400U);

  const WitnessResponse elsewhere = scene.ask(5, 9);
  BOOST_TEST(elsewhere.status == 409U);
  BOOST_TEST(elsewhere.body == "8\n");
  BOOST_TEST(elsewhere.type == std::string_view("text/x.tlog.size"));
  BOOST_TEST(scene.ask(0, 9).status == 409U);
  // Another tree of the same size; a tree that isn't consistent; a wrong proof.
  BOOST_TEST(scene.ask(8, 8, 1).status == 409U);
  BOOST_TEST(scene.ask(8, 12, 1).status == 422U);
  BOOST_TEST(status(WitnessRequest{8, {}, scene.checkpoint(9)}.text()) == 422U);
  BOOST_TEST(status(WitnessRequest{8, {Hash{}}, scene.checkpoint(8)}.text()) == 422U);
  BOOST_TEST(scene.ask(8, 9).status == 200U);
}

BOOST_AUTO_TEST_CASE(a_witness_that_lost_or_changed_what_it_kept_says_so) {
  Scene scene;
  BOOST_REQUIRE(scene.ask(0, 8).status == 200U);
  Sha256 sha256;
  sha256.update(scene.log.verifier().name);
  const std::string file = scene.folder.file("state/" + to_hex(sha256.finish()) + "/checkpoint");
  write_file(file, scene.checkpoint(5).note.to_string());
  BOOST_CHECK_EXCEPTION(scene.ask(8, 9), StoreError, [](const StoreError& error) {
    return std::string_view(error.what())
        .contains("isn't the last checkpoint that this key cosigned");
  });
}

}  // namespace
}  // namespace snl::test
