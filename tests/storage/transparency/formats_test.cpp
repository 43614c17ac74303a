// Goal: trees, proofs, notes, checkpoints and policies follow the public formats, to the byte, and
// no tampered data passes.
//
// Method: a worked example that two other programs accept; every pair of sizes against a tree that
// is hashed by its definition; each proof changed at every hash; texts changed at every byte.
#include "storage/transparency/log_audit.hpp"
#include "storage/transparency/merkle.hpp"
#include "storage/transparency/policy.hpp"
#include "storage/transparency/proof.hpp"

#include <boost/test/unit_test.hpp>

#include <bit>
#include <numeric>
#include <string>
#include <vector>

namespace snl::transparency {
namespace {

// ---- A tree by its definition

/// MTH of RFC 6962, section 2.1.
Hash defined_root(std::span<const Hash> leaves) {
  if (leaves.empty()) return Sha256().finish();
  if (leaves.size() == 1) return leaves.front();
  const std::size_t left = std::bit_floor(leaves.size() - 1);
  return node_hash(defined_root(leaves.first(left)), defined_root(leaves.subspan(left)));
}

std::vector<Hash> leaf_hashes(std::size_t count) {
  std::vector<Hash> leaves(count);
  for (std::size_t i = 0; i < count; ++i) {
    Hash leaf{};
    leaf[0] = static_cast<std::uint8_t>(i % 256);
    leaf[1] = static_cast<std::uint8_t>(i / 256);
    leaves[i] = leaf_hash(leaf);
  }
  return leaves;
}

/// Returns each node by the definition.
class DefinedNodes final : public NodeReader {
 public:
  explicit DefinedNodes(std::vector<Hash> leaves) : leaves_(std::move(leaves)) {}
  std::vector<Hash> nodes(int level, std::uint64_t first, std::size_t count) override {
    std::vector<Hash> nodes;
    const std::size_t width = std::size_t{1} << static_cast<unsigned>(tile_height * level);
    for (std::size_t n = first; n < first + count; ++n) {
      BOOST_REQUIRE_LE((n + 1) * width, leaves_.size());
      nodes.push_back(defined_root(std::span(leaves_).subspan(n * width, width)));
    }
    return nodes;
  }

 private:
  std::vector<Hash> leaves_;
};

Hash changed(Hash hash) {
  hash[31] ^= 1U;
  return hash;
}

BOOST_AUTO_TEST_CASE(inclusion_is_proven_for_every_leaf_of_every_size_and_nothing_else) {
  constexpr std::size_t most = 70;
  const auto leaves = leaf_hashes(most);
  DefinedNodes reader(leaves);
  for (std::size_t size = 1; size <= most; ++size) {
    const Hash root = defined_root(std::span(leaves).first(size));
    BOOST_TEST((root_of(reader, size) == root));
    for (std::size_t index = 0; index < size; ++index) {
      auto proof = inclusion_proof(reader, index, size);
      BOOST_TEST(proves_inclusion(proof, leaves[index], index, size, root));
      BOOST_TEST(!proves_inclusion(proof, leaves[index], index, size, changed(root)));
      BOOST_TEST(!proves_inclusion(proof, changed(leaves[index]), index, size, root));
      BOOST_TEST(!proves_inclusion(proof, leaves[index], size, size, root));
      for (Hash& hash : proof) {
        hash = changed(hash);
        BOOST_TEST(!proves_inclusion(proof, leaves[index], index, size, root));
        hash = changed(hash);
      }
      proof.push_back(root);
      BOOST_TEST(!proves_inclusion(proof, leaves[index], index, size, root));
      proof.pop_back();
      if (proof.empty()) continue;
      proof.pop_back();
      BOOST_TEST(!proves_inclusion(proof, leaves[index], index, size, root));
    }
  }
}

BOOST_AUTO_TEST_CASE(every_size_is_proven_to_go_on_from_every_smaller_one_and_from_nothing_else) {
  constexpr std::size_t most = 70;
  const auto leaves = leaf_hashes(most);
  DefinedNodes reader(leaves);
  for (std::size_t size = 0; size <= most; ++size)
    for (std::size_t old = 0; old <= size; ++old) {
      const Hash old_root = defined_root(std::span(leaves).first(old));
      const Hash root = defined_root(std::span(leaves).first(size));
      auto proof = consistency_proof(reader, old, size);
      BOOST_TEST(proof.empty() == (old == 0 || old == size));
      BOOST_TEST(proves_consistency(proof, old, old_root, size, root));
      BOOST_TEST(!proves_consistency(proof, old, changed(old_root), size, root));
      if (old > 0) BOOST_TEST(!proves_consistency(proof, old, old_root, size, changed(root)));
      if (old < size) BOOST_TEST(!proves_consistency(proof, size, root, old, old_root));
      for (Hash& hash : proof) {
        hash = changed(hash);
        BOOST_TEST(!proves_consistency(proof, old, old_root, size, root));
        hash = changed(hash);
      }
      proof.push_back(root);
      BOOST_TEST(!proves_consistency(proof, old, old_root, size, root));
      proof.pop_back();
      if (proof.empty()) continue;
      proof.pop_back();
      BOOST_TEST(!proves_consistency(proof, old, old_root, size, root));
    }
}

BOOST_AUTO_TEST_CASE(trees_of_several_levels_of_nodes_have_the_roots_of_the_definition) {
  const auto leaves = leaf_hashes(std::size_t{3} * 256 + 5);
  DefinedNodes reader(leaves);
  TreeBuilder builder;
  for (const std::size_t size : {255U, 256U, 257U, 511U, 512U, 513U, 773U}) {
    while (builder.size() < size)
      builder.add(leaves[builder.size()]);
    const Hash root = defined_root(std::span(leaves).first(size));
    BOOST_TEST((root_of(reader, size) == root));
    BOOST_TEST((builder.root() == root));
    for (const std::size_t index : {std::size_t{0}, size / 2, size - 1})
      BOOST_TEST(
          proves_inclusion(inclusion_proof(reader, index, size), leaves[index], index, size, root));
  }
}

// ---- The worked example

SigningKey::Seed counting_seed(std::uint8_t from) {
  SigningKey::Seed seed{};
  std::iota(seed.begin(), seed.end(), from);
  return seed;
}

const SigningKey& example_log() {
  static const SigningKey key("example.org/log", KeyType::log, counting_seed(0));
  return key;
}
const SigningKey& example_witness() {
  static const SigningKey key("school.example/witness", KeyType::witness, counting_seed(0x20));
  return key;
}

constexpr std::array example_heads{
    "a537ed2b11436d040ec6e3284a6ea2dc1b2dfbc37560127b66253525929ff9ef",
    "ace84c7a05f261b1a087e727d67dfd46b21b61d45e6d28ce44924ad231ccf9d6",
    "d603aa4230804cb6a74d6c3c41668e6562048153154360f06bd2fdd55cfffb3b",
    "8deb6fb63cd3e80df30cfd8bc10897a4ad8b109053e27e5ecc8d80df10da84a5",
    "6255d4b1b034013c8419e344444ac3dda7e5d8904ffcf189f035cb2654e51d8f"};

std::vector<Hash> example_leaves() {
  std::vector<Hash> leaves;
  for (const char* head : example_heads)
    leaves.push_back(leaf_hash(hash_from_hex(head).value()));
  return leaves;
}

constexpr UnixSeconds example_time = 1'795'613'000;

constexpr const char* example_proof = R"(c2sp.org/tlog-proof@v1
extra d29uLmJyYW5jaCAx
index 2
vIgL92pIOKtNbh+vcWK1DTBFsRh75LY6g92mmMZCevI=
914t20QxKpamNeLO5Kg7tvJjqOGgM8LE0+Hu6vKECWE=
6wvGng9el4qm+36COYooEFfK1wixTcJDd7JEE1OgD+E=

example.org/log
5
iqpGmdqJS1MsxWw5CrgN0DoLr3yNpYQAhgG5fpMFxkA=

— example.org/log mK8CO+nFGfIr1g/9hRVyCLp6GU2In1MNCTkXoXLH0JFn+8gCe9WMgnSQPmSNzOAs6PlFcph1vhvsv2gqUJBigjDGag4=
— school.example/witness WiF+hgAAAABrBuFIjR7pm2BZRbsVlg3CGTViIMq7/O2nHaXFbKowBhlYZ9s4C8/AAyQR5NbP2jvKmLSvf7jtJL0fcK+9IyuofrgDCw==
)";

LogProof make_example() {
  DefinedNodes reader(example_leaves());
  LogProof proof{
      .extra = "won.branch 1",
      .index = 2,
      .hashes = inclusion_proof(reader, 2, 5),
      .signed_checkpoint = signed_by(
          example_log(), {.origin = "example.org/log", .size = 5, .root = root_of(reader, 5)})};
  Note& note = proof.signed_checkpoint.note;
  note.signatures.push_back(cosignature(example_witness(), note.text, example_time));
  return proof;
}

BOOST_AUTO_TEST_CASE(the_worked_example_is_made_to_the_byte) {
  BOOST_TEST(private_text(example_log().verifier(), counting_seed(0)) ==
             "PRIVATE+KEY+example.org/log+98af023b+AQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f");
  BOOST_TEST(example_log().verifier().text() ==
             "example.org/log+98af023b+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4");
  BOOST_TEST(example_witness().verifier().text() ==
             "school.example/witness+5a217e86+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X");
  DefinedNodes reader(example_leaves());
  BOOST_TEST(to_hex(root_of(reader, 3)) ==
             "ea92a08c7d0d99ae09407b6df64f3db02bb8791234914d09c356480c5bd40afa");
  BOOST_TEST(to_hex(example_leaves()[2]) ==
             "662a676168656f4a65b49b829a1301da3b4aef6dd611262eb1074dc2b1b1edc2");
  BOOST_TEST(lines_of(consistency_proof(reader, 3, 5)) ==
             "ZipnYWhlb0pltJuCmhMB2jtK723WESYusQdNwrGx7cI=\n"
             "vIgL92pIOKtNbh+vcWK1DTBFsRh75LY6g92mmMZCevI=\n"
             "914t20QxKpamNeLO5Kg7tvJjqOGgM8LE0+Hu6vKECWE=\n"
             "6wvGng9el4qm+36COYooEFfK1wixTcJDd7JEE1OgD+E=\n");
  BOOST_TEST(make_example().text() == example_proof);
  // The tiles of 5.
  std::string nodes;
  std::string entries;
  for (const char* head : example_heads) {
    const Hash leaf = hash_from_hex(head).value();
    const Hash node = leaf_hash(leaf);
    entries += std::string("\0\x20", 2) + std::string(leaf.begin(), leaf.end());
    nodes.append(node.begin(), node.end());
  }
  BOOST_TEST(to_hex(hash_of(nodes)) ==
             "9680435f786a8ea6043d2f2b620dc9bc8e1411a6030421a0cfc8376124a07b5f");
  BOOST_TEST(to_hex(hash_of(entries)) ==
             "86ec49a2821e7ecaf7f3cef9125942c72b3833f865f5bdd72b299ff88b7b1462");
}

Policy policy_of(const std::string& text) {
  auto policy = Policy::parse(text);
  BOOST_REQUIRE_MESSAGE(policy, policy.error());
  return *std::move(policy);
}

std::string example_policy() {
  return "log " + example_log().verifier().text() + "\nwitness school " +
         example_witness().verifier().text() + "\nquorum school\n";
}

/// The verdict of a verifier on a proof's text.
bool is_accepted(const std::string& text, const Policy& policy, const Hash& head) {
  const auto proof = LogProof::parse(text);
  return proof && proof->proves(head) &&
         policy.signature_of(proof->signed_checkpoint) == Signed::yes &&
         policy.quorum_of(proof->signed_checkpoint.note, example_time).reached;
}

BOOST_AUTO_TEST_CASE(the_worked_example_is_accepted_and_no_change_of_a_byte_is) {
  const Policy policy = policy_of(example_policy());
  const Hash head = hash_from_hex(example_heads[2]).value();
  const std::string text = example_proof;
  BOOST_REQUIRE(is_accepted(text, policy, head));
  BOOST_TEST(LogProof::parse(text)->text() == text);
  // The extra data proves nothing, so it may be anything.
  const std::size_t extra_begin = text.find("extra ");
  const std::size_t extra_end = text.find('\n', extra_begin);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i >= extra_begin && i < extra_end) continue;
    for (const char c : {'A', '\n', '0', static_cast<char>(text[i] ^ 1)}) {
      std::string other = text;
      if (std::exchange(other[i], c) == c) continue;
      BOOST_TEST(!is_accepted(other, policy, head), "byte " << i << " as " << int{c});
    }
    BOOST_TEST(!is_accepted(text.substr(0, i), policy, head));
  }
}

// ---- Notes and keys

BOOST_AUTO_TEST_CASE(a_key_is_read_as_it_is_written_and_in_no_other_form) {
  const std::string text = example_log().verifier().text();
  BOOST_TEST((VerifierKey::parse(text) == example_log().verifier()));
  for (const std::string& other :
       {text + "=", text + " ", text.substr(1), "x+" + text,
        std::string("example.org/log+98af023b+"),
        std::string("example.org/log+98AF023B+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"),
        std::string("example.org/log+98af023c+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4")})
    BOOST_TEST(!VerifierKey::parse(other), other);
  const auto seed = counting_seed(0);
  const auto key = parse_private(private_text(example_log().verifier(), seed));
  BOOST_REQUIRE(key);
  BOOST_TEST((key->verifier() == example_log().verifier()));
  BOOST_TEST(!parse_private(text));
  BOOST_TEST(!is_key_name(""));
  BOOST_TEST(!is_key_name("a b"));
  BOOST_TEST(!is_key_name("a+b"));
  BOOST_TEST(!is_key_name(std::string(201, 'a')));
  BOOST_TEST(is_key_name(std::string(200, 'a')));
}

BOOST_AUTO_TEST_CASE(base64_has_one_form) {
  for (const char* text : {"", "AA==", "AAA=", "AAAA", "+/8="})
    BOOST_TEST(to_base64(from_base64(text).value()) == text);
  for (const char* text : {"A", "AA", "AA=", "AB==", "AAB=", "AA==\n", " AAA",
                           "====", "A===", "AA=A", "AA==AAAA", "-_8="})
    BOOST_TEST(!from_base64(text), text);
}

BOOST_AUTO_TEST_CASE(a_note_may_have_unknown_signatures_and_none_that_is_wrong) {
  const VerifierKey& key = example_log().verifier();
  Note note = signed_by(example_log(), {.origin = "example.org/log", .size = 0, .root = {}}).note;
  BOOST_TEST((signed_by(note, key) == Signed::yes));
  const SignatureLine stranger{.name = "stranger", .id = {1, 2, 3, 4}, .signature = {5}};
  note.signatures.insert(note.signatures.begin(), stranger);
  BOOST_TEST((signed_by(*Note::parse(note.to_string()), key) == Signed::yes));
  SignatureLine wrong = note.signatures.back();
  wrong.signature[10] ^= 1U;
  note.signatures.push_back(wrong);
  BOOST_TEST((signed_by(note, key) == Signed::wrong));
  note.signatures = {stranger};
  BOOST_TEST((signed_by(note, key) == Signed::no));
  BOOST_TEST(!Note::parse("a\n\n"));
  BOOST_TEST(!Note::parse("a\n" + stranger.text()));
  BOOST_TEST(!Note::parse("a\n\n" + stranger.text() + "x\n"));
  BOOST_TEST(!Note::parse("a\tb\n\n" + stranger.text()));
  BOOST_TEST(Note::parse("a\n\nb\n\n" + stranger.text())->text == "a\n\nb\n");
  BOOST_TEST(Note::parse("\u00e9\u2014\U0010FFFF\n\n" + stranger.text()).has_value());
  // Not UTF-8: a byte that continues nothing, a longer form, a surrogate, beyond the last
  // character, and a sequence that is cut.
  for (const char* bytes : {"\x80", "\xff", "\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80",
                            "\xf4\x90\x80\x80", "\xf8\x88\x80\x80\x80", "\xe2\x80"})
    BOOST_TEST(!Note::parse(std::string(bytes) + "\n\n" + stranger.text()));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_has_one_form_and_may_be_extended) {
  const std::string root = "iqpGmdqJS1MsxWw5CrgN0DoLr3yNpYQAhgG5fpMFxkA=\n";
  BOOST_TEST(Checkpoint::parse("o\n5\n" + root).has_value());
  BOOST_TEST(Checkpoint::parse("o\n5\n" + root + "more\n").has_value());
  for (const std::string& text :
       {"\n5\n" + root, "o\n05\n" + root, "o\n+5\n" + root, "o\n\n" + root, "o\n5\n" + root + "\n",
        std::string("o\n5\n"), "o\n5\n" + root.substr(4), "o\n99999999999999999999\n" + root})
    BOOST_TEST(!Checkpoint::parse(text), text);
}

// ---- Policies

/// A policy of witnesses A, B, C, with these lines after them.
std::string three_witnesses(const std::string& rest) {
  std::string text;
  for (std::uint8_t i = 0; i < 3; ++i) {
    const SigningKey key("w" + std::to_string(i), KeyType::witness, counting_seed(i));
    text += std::string("witness ") + "ABC"[i] + " " + key.verifier().text() + "\n";
  }
  return text + rest;
}

/// True if these of the three are enough.
bool is_quorum(const std::string& rest, const std::vector<std::uint8_t>& cosigners) {
  Note note = signed_by(example_log(), {.origin = "example.org/log", .size = 0, .root = {}}).note;
  for (const std::uint8_t i : cosigners)
    note.signatures.push_back(
        cosignature(SigningKey("w" + std::to_string(i), KeyType::witness, counting_seed(i)),
                    note.text, example_time));
  return policy_of(three_witnesses(rest)).quorum_of(note, example_time).reached;
}

BOOST_AUTO_TEST_CASE(a_slow_clock_is_told_from_a_cosigner_that_is_missing) {
  Note note = signed_by(example_log(), {.origin = "example.org/log", .size = 0, .root = {}}).note;
  const SigningKey witness("w0", KeyType::witness, counting_seed(0));
  const SigningKey other("w1", KeyType::witness, counting_seed(1));
  const UnixSeconds later = example_time + seconds_ahead + 1;
  const auto cosigned_so_far = [&] {
    return cosigners_of(policy_of(three_witnesses("quorum A\n")).quorum_of(note, example_time));
  };
  note.signatures.push_back(cosignature(witness, note.text, later));
  BOOST_TEST(cosigned_so_far() == "cosigned by nobody (check the clock: it is behind that of w0)");
  note.signatures.push_back(cosignature(other, note.text, later));
  BOOST_TEST(cosigned_so_far() ==
             "cosigned by nobody (check the clock: it is behind that of w0, w1)");
  note.signatures.push_back(cosignature(witness, note.text, example_time));
  BOOST_TEST(cosigned_so_far() == "cosigned by w0 (check the clock: it is behind that of w1)");
}

BOOST_AUTO_TEST_CASE(a_quorum_is_reached_by_as_many_as_it_says) {
  BOOST_TEST(is_quorum("quorum none\n", {}));
  BOOST_TEST(is_quorum("quorum B\n", {1}));
  BOOST_TEST(!is_quorum("quorum B\n", {0, 2}));
  BOOST_TEST(is_quorum("group g any A B C\nquorum g\n", {2}));
  BOOST_TEST(!is_quorum("group g any A B C\nquorum g\n", {}));
  BOOST_TEST(!is_quorum("group g 2 A B C\nquorum g\n", {2}));
  BOOST_TEST(is_quorum("group g 2 A B C\nquorum g\n", {0, 2}));
  BOOST_TEST(!is_quorum("group g all A B C\nquorum g\n", {0, 2}));
  BOOST_TEST(is_quorum("# two levels\n\tgroup g all A B \ngroup h any g C\nquorum h", {2}));
  BOOST_TEST(!is_quorum("group g all A B\ngroup h any g C\nquorum h", {1}));
}

BOOST_AUTO_TEST_CASE(a_cosignature_counts_once_its_time_has_come) {
  const VerifierKey key = example_witness().verifier();
  Note note = signed_by(example_log(), {.origin = "example.org/log", .size = 0, .root = {}}).note;
  note.signatures.push_back(cosignature(example_witness(), note.text, example_time));
  BOOST_TEST((cosigned(note, key, example_time) == example_time));
  BOOST_TEST(!cosigned(note, key, example_time - 1));
  // The form of a witness's key in published lists.
  BOOST_TEST((cosigned(note, {.name = key.name, .type = KeyType::log, .key = key.key},
                       example_time) == example_time));
  note.text += "more\n";
  BOOST_TEST(!cosigned(note, key, example_time));
  note.signatures = {cosignature(example_witness(), note.text, 0)};
  BOOST_TEST(!cosigned(note, key, example_time));
}

BOOST_AUTO_TEST_CASE(a_faulty_policy_is_refused_with_its_line) {
  const auto fault_of = [](const std::string& text) {
    const auto policy = Policy::parse(text);
    return policy ? std::string() : policy.error();
  };
  BOOST_TEST(fault_of("").contains("no quorum"));
  BOOST_TEST(fault_of("quorum none\nquorum none\n").starts_with("line 2: "));
  BOOST_TEST(fault_of("quorum A\n").starts_with("line 1: \"A\""));
  BOOST_TEST(fault_of("log nonsense\nquorum none\n").starts_with("line 1: "));
  BOOST_TEST(fault_of("logs\n").starts_with("line 1: \"logs\""));
  BOOST_TEST(fault_of("quorum\rnone\n").starts_with("line 1: "));
  const std::string key = example_witness().verifier().text();
  BOOST_TEST(fault_of("log " + key + "\nquorum none\n").starts_with("line 1: "));
  BOOST_TEST(fault_of("witness none " + key + "\nquorum none\n").starts_with("line 1: "));
  BOOST_TEST(
      fault_of("witness a " + key + "\nwitness b " + key + "\nquorum a\n").starts_with("line 2: "));
  for (const char* group : {"group g 0 A B", "group g 3 A B", "group g 01 A B", "group g some A B",
                            "group g any A A", "group g any D", "group A any B", "group g any"})
    BOOST_TEST(
        fault_of(three_witnesses(std::string(group) + "\nquorum A\n")).starts_with("line 4: "),
        group);
  BOOST_TEST(fault_of(three_witnesses("group g any A\ngroup h any A\nquorum h\n"))
                 .starts_with("line 5: "));
}

}  // namespace
}  // namespace snl::transparency
