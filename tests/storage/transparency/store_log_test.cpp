// Goal: a store's log proves its commits, even if the store was changed, cut, swapped or restored.
// Its key never signs two histories, wherever a process is killed.
//
// Method: stores of games are signed between turns, then forged in the ways of a user who may write
// the file. Every audit and every next signature must find the forgery. Keys, copies and stores are
// combined in all ways.
#include "../testbed.hpp"
#include "storage/open_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/transparency/proof.hpp"
#include "storage/transparency/signing.hpp"

#include <boost/test/unit_test.hpp>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace snl::test {
namespace {

namespace fs = std::filesystem;
using namespace transparency;

const Policy& no_witnesses() {
  static const Policy policy = Policy::parse("quorum none\n").value();
  return policy;
}

/// A store and a key, in a folder of their own.
struct Club {
  Folder folder;
  std::string store = folder.file("club.db");
  std::string key = folder.file("club.key");
  VerifierKey vkey = make_key_file(key, "club.example/log", KeyType::log);

  std::unique_ptr<StoreAdmin> admin() const { return admin_of_store(store); }

  void play(const std::string& game, int turns) const {
    const auto open = open_store(store, for_writing);
    Match match = start(*open, game, endless_game());
    for (int i = 0; i < turns; ++i)
      perform(match, turn_of_next(match, {1}));
  }

  SignedCheckpoint sign(const std::string& with) const {
    const KeyFile file(with, KeyType::log);
    Signing signing(file);
    std::optional<SignedCheckpoint> newest;
    while (!newest)
      admin()->write_log([&](LogStore& log) { newest = signing.step(log); });
    if (newest->checkpoint.size > 0)
      admin()->write_log(
          [&](LogStore& log) { publish_checkpoint(log, *newest, no_witnesses(), 0); });
    return *newest;
  }
  SignedCheckpoint sign() const { return sign(key); }

  LogExpectations trusting(std::vector<SignedCheckpoint> kept = {}) const {
    return {.kept = std::move(kept),
            .policy = Policy::parse("log " + vkey.text() + "\nquorum none\n").value(),
            .now = 0};
  }
};

/// The problems of the log in an audit, as one text.
std::string log_problems(const AuditReport& report) {
  std::string text;
  for (const Problem& problem : report.problems)
    if (problem.kind == "log" || problem.kind == "tree") text += problem.detail + "\n";
  return text;
}

template <class Error>
std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

BOOST_AUTO_TEST_CASE(a_store_without_a_log_has_none) {
  const Club club;
  club.play("a", 3);
  BOOST_TEST(!club.admin()->audit({}).log);
  BOOST_TEST(club.admin()->audit({}).ok());
  BOOST_TEST(log_problems(club.admin()->audit(club.trusting())) ==
             "nothing was signed, and a policy is there to be met\n");
}

BOOST_AUTO_TEST_CASE(what_is_signed_is_held_and_every_commit_is_proven) {
  const Club club;
  club.play("a", 299);
  BOOST_TEST(club.sign().checkpoint.size == 300U);
  club.play("b", 400);
  const SignedCheckpoint newest = club.sign();
  BOOST_TEST(newest.checkpoint.size == 701U);
  club.play("c", 2);
  const AuditReport report = club.admin()->audit(club.trusting());
  BOOST_TEST(report.ok());
  BOOST_REQUIRE(report.log);
  BOOST_TEST(report.log->held);
  BOOST_TEST(report.log->later == 3U);
  BOOST_TEST(report.log->signature.value());
  BOOST_TEST(report.log->quorum.value());

  const auto open = open_store(club.store, for_reading);
  for (const Commit& commit : all_commits(*open)) {
    LogProof proof{.extra = {}, .index = 0, .hashes = {}, .signed_checkpoint = newest};
    club.admin()->read_log([&](LogReader& log) {
      proof.index = log.index_of(commit.position);
      if (proof.index < newest.checkpoint.size)
        proof.hashes = inclusion_proof(log, proof.index, newest.checkpoint.size);
    });
    BOOST_TEST(proof.proves(commit.hash) == (commit.position <= 701), commit.position);
  }
}

BOOST_AUTO_TEST_CASE(a_signed_checkpoint_is_the_same_again_and_what_is_empty_is_not_signed) {
  const Club club;
  club.play("a", 3);
  const auto first = club.sign();
  BOOST_TEST(club.sign().note.to_string() == first.note.to_string());
  const Club blank;
  open_store(blank.store, for_writing);
  BOOST_TEST(blank.sign().checkpoint.size == 0U);
}

// ---- Forgers

/// A store with a log and 68 signed commits, 3 more, and a checkpoint that was kept elsewhere.
struct SignedClub : Club {
  SignedCheckpoint kept;
  SignedClub() {
    play("a", 39);
    kept = sign();
    play("b", 27);
    sign();
    play("c", 2);
  }
  /// Changes the file as a user who may write it can.
  void forge(const std::string& sql) const {
    tamper(store, [&](PlainDatabase& file) { file.execute(sql); });
  }
};

BOOST_AUTO_TEST_CASE(a_commit_that_was_changed_after_it_was_signed_is_found) {
  const SignedClub club;
  club.forge("UPDATE commits SET hash = zeroblob(32) WHERE position = 5");
  BOOST_TEST(log_problems(club.admin()->audit({}))
                 .contains("the first 68 commits have another root than the one that was signed"));
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) ==
             "the first 68 commits have another root than the one that was signed");
}

BOOST_AUTO_TEST_CASE(commits_that_were_cut_off_are_found) {
  const SignedClub club;
  club.forge("DELETE FROM commits WHERE position > 41");
  BOOST_TEST(log_problems(club.admin()->audit({}))
                 .contains("the store holds 41 commits, and 68 were signed"));
}

BOOST_AUTO_TEST_CASE(a_log_that_was_taken_away_is_missed_by_whoever_has_a_policy_or_a_checkpoint) {
  const SignedClub club;
  PlainDatabase(club.store).execute("DELETE FROM checkpoints; DELETE FROM tree");
  BOOST_TEST(!club.admin()->audit({}).log);
  BOOST_TEST(log_problems(club.admin()->audit(club.trusting())).contains("nothing was signed"));
  const AuditReport report = club.admin()->audit(club.trusting({club.kept}));
  BOOST_TEST(report.ok());  // compared with the kept checkpoint
  BOOST_TEST(report.log->size == 40U);
}

BOOST_AUTO_TEST_CASE(a_log_that_another_key_signed_is_not_the_one_that_is_trusted) {
  const SignedClub club;
  PlainDatabase(club.store).execute("DELETE FROM checkpoints");
  const std::string thief = club.folder.file("thief.key");
  make_key_file(thief, "club.example/log", KeyType::log);
  club.sign(thief);
  BOOST_TEST(club.admin()->audit({}).ok());  // without a policy
  BOOST_TEST(log_problems(club.admin()->audit(club.trusting())) ==
             "the signature of club.example/log is not that of the checkpoint\n");
  BOOST_TEST(error_of<NameTaken>([&] { club.sign(); }).contains("by another key"));
}

BOOST_AUTO_TEST_CASE(a_store_that_was_made_anew_is_not_signed_and_what_was_kept_tells_it) {
  const SignedClub club;
  fs::remove(club.store);
  club.play("z", 79);
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) ==
             "the first 68 commits have another root than the one that was signed");
  BOOST_TEST(log_problems(club.admin()->audit(club.trusting({club.kept}))) ==
             "the first 40 commits have another root than the one that was signed\n");
  fs::remove(club.store);
  club.play("a", 3);
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) ==
             "the store holds 4 commits, and 68 were signed");
}

BOOST_AUTO_TEST_CASE(nodes_that_were_changed_are_told_and_made_anew_by_the_next_checkpoint) {
  const char* const changes[] = {"UPDATE tree SET hash = zeroblob(32) WHERE level = 1 AND n = 1",
                                 "DELETE FROM tree WHERE n = 0",
                                 "INSERT INTO tree VALUES (1, 2, zeroblob(32))",
                                 "INSERT INTO tree VALUES (2, 0, zeroblob(32))",
                                 "INSERT INTO tree VALUES (1, 3, zeroblob(32))"};
  for (const char* change : changes) {
    const Club club;
    club.play("a", 600);
    const SignedCheckpoint before = club.sign();
    PlainDatabase(club.store).execute(change);
    BOOST_TEST(
        log_problems(club.admin()->audit(club.trusting())).contains("isn't what the commits make"),
        change);
    club.play("b", 400);
    const SignedCheckpoint after = club.sign();
    BOOST_TEST(after.checkpoint.size == 1002U);
    BOOST_TEST(club.admin()->audit(club.trusting({before, after})).ok(), change);
  }
  // Rows that are planted before the first checkpoint aren't part of the log either.
  const Club club;
  club.play("a", 300);
  PlainDatabase(club.store).execute("INSERT INTO tree VALUES (1, 0, zeroblob(32))");
  BOOST_TEST(!club.admin()->audit({}).ok());
  club.sign();
  BOOST_TEST(club.admin()->audit(club.trusting()).ok());
}

BOOST_AUTO_TEST_CASE(a_commit_that_was_changed_beneath_a_whole_node_is_found_where_commits_count) {
  const Club club;
  club.play("a", 600);
  club.sign();
  tamper(club.store, [](PlainDatabase& file) {
    file.execute("UPDATE commits SET hash = zeroblob(32) WHERE position = 100");
  });
  BOOST_TEST(log_problems(club.admin()->audit({})).contains("another root"));
  const auto verified = [&] {
    const KeyFile file(club.key, KeyType::log);
    Signing signing(file);
    club.admin()->read_log([&](LogReader& log) { signing.verify(log); });
  };
  BOOST_TEST(error_of<Contradiction>(verified).contains("another root"));
  tamper(club.store,
         [](PlainDatabase& file) { file.execute("DELETE FROM commits WHERE position = 100"); });
  BOOST_TEST(error_of<Contradiction>(verified).contains("another root"));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_was_published_between_two_steps_stays_published) {
  const Club club;
  club.play("a", 2);
  club.sign();
  club.play("b", 2);
  std::optional<SignedCheckpoint> newest;
  {
    const KeyFile file(club.key, KeyType::log);
    Signing signing(file);
    const auto admin = club.admin();
    BOOST_CHECK_THROW(admin->write_log([&](LogStore& log) {
      newest = signing.step(log);
      throw std::runtime_error("the store doesn't keep it");
    }),
                      std::runtime_error);
    admin->write_log([&](LogStore& log) { publish_checkpoint(log, *newest, no_witnesses(), 0); });
    admin->write_log([&](LogStore& log) { newest = signing.step(log); });
  }
  PlainDatabase file(club.store);
  BOOST_TEST(file.value("SELECT published FROM checkpoints").contains("\n6\n"));
}

BOOST_AUTO_TEST_CASE(a_checkpoint_that_its_own_key_did_not_sign_is_no_checkpoint) {
  const SignedClub club;
  const std::string forged = SignedCheckpoint(club.kept).note.text + "\n\u2014 nobody AAAAAAA=\n";
  PlainDatabase(club.store).execute("UPDATE checkpoints SET published = '" + forged + "'");
  BOOST_TEST(log_problems(club.admin()->audit({})) ==
             "the signature of club.example/log is not that of the checkpoint\n");
  PlainDatabase(club.store).execute("UPDATE checkpoints SET published = 'hello'");
  const AuditReport report = club.admin()->audit({});
  BOOST_TEST(log_problems(report).contains("a checkpoint of its log isn't one"));
  BOOST_TEST(report.games == 3);
}

// ---- Copies and keys (the table of what happens to a log)

BOOST_AUTO_TEST_CASE(a_copy_that_holds_all_that_was_signed_goes_on) {
  const Club club;
  club.play("a", 20);
  club.sign();
  const std::string copy = club.folder.file("copy.db");
  BOOST_TEST(club.admin()->back_up(copy, {}).ok());
  club.play("b", 5);
  BOOST_TEST(club.admin()->restore(copy, Occupied::replace).ok());
  club.play("c", 5);
  BOOST_TEST(club.sign().checkpoint.size == 27U);
  BOOST_TEST(club.admin()->audit(club.trusting()).ok());
}

BOOST_AUTO_TEST_CASE(an_older_copy_ends_the_log_and_a_new_one_begins_with_what_there_is) {
  const Club club;
  club.play("a", 20);
  const SignedCheckpoint first = club.sign();
  const std::string copy = club.folder.file("copy.db");
  BOOST_TEST(club.admin()->back_up(copy, {}).ok());
  club.play("b", 5);
  club.sign();
  BOOST_TEST(club.admin()->restore(copy, Occupied::replace).ok());
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) ==
             "the store holds 21 commits, and 27 were signed");
  // The same number of commits again, but different ones.
  club.play("c", 7);
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) ==
             "the first 27 commits have another root than the one that was signed");

  const std::string next = club.folder.file("next.key");
  make_key_file(next, "club.example/log2", KeyType::log);
  const SignedCheckpoint second = club.sign(next);
  BOOST_TEST(second.checkpoint.origin == "club.example/log2");
  // A reader who saw no more than the copy had can prove that all of it is in the new log.
  std::vector<Hash> proof;
  club.admin()->read_log([&](LogReader& log) {
    proof = consistency_proof(log, first.checkpoint.size, second.checkpoint.size);
  });
  BOOST_TEST(proves_consistency(proof, first.checkpoint.size, first.checkpoint.root,
                                second.checkpoint.size, second.checkpoint.root));
  BOOST_TEST(error_of<NameTaken>([&] { club.sign(); }).contains("has ended"));
  BOOST_TEST(club.admin()->audit({}).ok());
}

BOOST_AUTO_TEST_CASE(a_copied_store_with_the_key_is_a_fork_that_the_key_refuses) {
  const Club club;
  club.play("a", 20);
  club.sign();
  const std::string other = club.folder.file("other.db");
  BOOST_TEST(club.admin()->back_up(other, {}).ok());
  club.play("b", 5);
  club.sign();
  Club fork;
  fork.store = other;
  fork.play("c", 9);
  BOOST_TEST(error_of<Contradiction>([&] { fork.sign(club.key); }).contains("another root"));
}

BOOST_AUTO_TEST_CASE(pages_of_another_size_take_the_log_along) {
  const Club club;
  club.play("a", 300);
  club.sign();
  const std::string copy = club.folder.file("copy.db");
  BOOST_TEST(club.admin()->back_up(copy, {}).ok());
  const std::string other = club.folder.file("other.db");
  open_store(other, for_writing);
  PlainDatabase(other).execute("PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM");
  BOOST_TEST(admin_of_store(other)->restore(copy, Occupied::replace).ok());
  BOOST_TEST(admin_of_store(other)->audit(club.trusting()).ok());
}

// ---- Kills between the two writes

BOOST_AUTO_TEST_CASE(a_kill_before_the_store_has_it_signs_the_same_or_more) {
  const Club club;
  club.play("a", 20);
  const std::string before = bytes_of(club.key + ".signed");
  const SignedCheckpoint first = club.sign();
  // FILE.signed was replaced, and the store's transaction is rolled back.
  PlainDatabase(club.store).execute("DELETE FROM checkpoints; DELETE FROM tree");
  BOOST_TEST(club.sign().note.to_string() == first.note.to_string());
  // No kill does the reverse, but a restored copy of FILE.signed does.
  write_file(club.key + ".signed", before);
  BOOST_TEST(club.sign().note.to_string() == first.note.to_string());
  club.play("b", 1);
  BOOST_TEST(club.sign().checkpoint.size == 23U);
}

// ---- Key files

BOOST_AUTO_TEST_CASE(a_key_file_is_refused_unless_it_is_its_users_alone) {
  const Club club;
  club.play("a", 2);
  const auto refusal = [&] { return error_of<StoreError>([&] { club.sign(); }); };
  const mode_t mask = umask(0);
  umask(mask);
  for (const mode_t mode : {0640U, 0604U, 0660U, 0610U}) {
    BOOST_REQUIRE(chmod(club.key.c_str(), mode) == 0);
    BOOST_TEST(refusal().contains("others may read or write it"));
  }
  BOOST_REQUIRE(chmod(club.key.c_str(), 0600) == 0);
  const std::string link = club.folder.file("link.key");
  fs::create_symlink(club.key, link);
  BOOST_TEST(error_of<StoreError>([&] { club.sign(link); }).contains("it is a symbolic link"));
  BOOST_TEST(
      error_of<StoreError>([&] { club.sign(club.folder.file("none")); }).contains("no such file"));
  BOOST_TEST(error_of<StoreError>([&] { club.sign("/dev/null"); }).contains("no regular file"));

  const std::string text = bytes_of(club.key);
  for (const std::string& other :
       {text.substr(1), text + "\n", std::string(), text.substr(0, 40)}) {
    write_file(club.key, other);
    BOOST_TEST(refusal().contains("it holds no key"));
  }
  write_file(club.key, text);
  BOOST_TEST(error_of<StoreError>([&] {
               make_key_file(club.key, "x", KeyType::log);
             }).contains("it is there already"));
  BOOST_TEST(bytes_of(club.key) == text);
  const std::string witness = club.folder.file("witness.key");
  make_key_file(witness, "w.example", KeyType::witness);
  BOOST_TEST(!fs::exists(witness + ".signed"));
  BOOST_TEST(error_of<StoreError>([&] { club.sign(witness); }).contains("it is a witness's key"));
  struct stat status{};
  BOOST_REQUIRE(stat(club.key.c_str(), &status) == 0);
  BOOST_TEST((status.st_mode & 0777U) == 0600U);
}

BOOST_AUTO_TEST_CASE(without_what_it_signed_last_a_key_signs_nothing) {
  const Club club;
  club.play("a", 2);
  const auto refusal = [&] { return error_of<StoreError>([&] { club.sign(); }); };
  const std::string file = club.key + ".signed";
  const std::string text = bytes_of(file);
  fs::remove(file);
  BOOST_TEST(refusal().contains("it is gone"));
  std::string other = text;
  other[other.size() - 10] = other[other.size() - 10] == 'A' ? 'B' : 'A';
  for (const std::string& wrong : {std::string("nonsense"), other}) {
    write_file(file, wrong);
    BOOST_TEST(refusal().contains("isn't the last checkpoint that this key signed"));
  }
  write_file(file, text);
  BOOST_TEST(club.sign().checkpoint.size == 3U);
}

// ---- Size

BOOST_AUTO_TEST_CASE(a_large_store_is_signed_in_several_transactions_and_an_append_writes_nothing) {
  const Club club;
  club.play("a", 2);
  PlainDatabase file(club.store);
  file.execute("DROP TRIGGER commits_are_appended_without_gaps");
  file.execute(
      "WITH RECURSIVE more (n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM more WHERE n < 140000) "
      "INSERT INTO commits SELECT n, game, n, time, command, events, hash, NULL FROM more, "
      "(SELECT * FROM commits WHERE position = 3)");
  const KeyFile key(club.key, KeyType::log);
  sqlite::Connection connection(club.store, sqlite::Connection::Access::read_write, 0);
  SqliteStore store(std::move(connection));
  int transactions = 0;
  Signing signing(key);
  for (std::optional<SignedCheckpoint> newest; !newest; ++transactions)
    store.write_log([&](LogStore& log) { newest = signing.step(log); });
  BOOST_TEST(transactions == 3);
  BOOST_TEST(file.value("SELECT count(*) FROM tree WHERE level = 1") == "546");
  BOOST_TEST(file.value("SELECT count(*) FROM tree WHERE level = 2") == "2");
  // The nodes may take 0.25 bytes a turn.
  const auto bytes = std::stoll(file.value("SELECT sum(pgsize) FROM dbstat WHERE name = 'tree'"));
  BOOST_TEST(bytes <= 140'000 / 4);
}

}  // namespace
}  // namespace snl::test
