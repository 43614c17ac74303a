// Goal: a store's log proves its commits, even if the store was changed, cut, swapped or restored.
// Its key never signs two histories, wherever a process is killed.
//
// Method: stores of games are signed between turns, then forged in the ways of a user who may write
// the file. Every audit and every next signature must find the forgery. Keys, copies and stores are
// combined in all ways.
#include "../testbed.hpp"
#include "storage/open_store.hpp"
#include "storage/sqlite/sqlite_store.hpp"
#include "storage/transparency/log_audit.hpp"
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
             "nothing was signed, so the policy isn't met\n");
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

/// A published checkpoint that the key didn't sign would keep every later one from being published.
BOOST_AUTO_TEST_CASE(a_published_checkpoint_that_was_forged_is_found_by_the_key_and_by_readers) {
  const SignedClub club;
  const auto publish_forged = [&](const SignedCheckpoint& forged) {
    club.forge("UPDATE checkpoints SET published = '" + forged.note.to_string() + "'");
  };
  const auto verified = [&] {
    const KeyFile file(club.key, KeyType::log);
    Signing signing(file);
    club.admin()->read_log([&](LogReader& log) { signing.verify(log); });
  };
  const auto published = [&] {
    club.admin()->write_log([&](LogStore& log) {
      publish_checkpoint(log, *log.logs().back().last_signed, no_witnesses(), 0);
    });
  };
  const auto read = [&] { club.admin()->read_log([](LogReader& log) { verified_log(log); }); };
  const SigningKey thief("club.example/log", KeyType::log, SigningKey::Seed{1});
  SignedCheckpoint far = signed_by(thief, {"club.example/log", 999'999, {}});
  far.note.signatures.front().id = club.vkey.id();
  publish_forged(far);
  const std::string foreign =
      "the signature of club.example/log is not that of the checkpoint in the store";
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) == foreign);
  BOOST_TEST(error_of<Contradiction>(verified) == foreign);
  BOOST_TEST(error_of<Contradiction>(published) == foreign);
  BOOST_TEST(error_of<Contradiction>(read) == foreign);

  // One that the key signed, but of commits that aren't in the store, or beyond its last one.
  const auto key = parse_private(bytes_of(club.key).substr(0, bytes_of(club.key).size() - 1));
  publish_forged(signed_by(*key, {"club.example/log", 50, {}}));
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }).contains("the first 50 commits"));
  BOOST_TEST(error_of<Contradiction>(published).contains("the first 50 commits"));
  publish_forged(signed_by(*key, {"club.example/log", 69, {}}));
  BOOST_TEST(error_of<Contradiction>([&] { club.sign(); }) ==
             "69 commits are published, and 68 were signed");
}

BOOST_AUTO_TEST_CASE(a_cosignature_that_was_stored_meanwhile_counts_and_stays) {
  const Club club;
  club.play("a", 3);
  const SignedCheckpoint newest = club.sign();
  const SigningKey a("a.example/w", KeyType::witness, SigningKey::Seed{1});
  const SigningKey b("b.example/w", KeyType::witness, SigningKey::Seed{2});
  const Policy both = Policy::parse("witness a " + a.verifier().text() + "\nwitness b " +
                                    b.verifier().text() + "\ngroup both all a b\nquorum both\n")
                          .value();
  const auto publish_with = [&](SignatureLine line) {
    SignedCheckpoint one = newest;
    one.note.signatures.push_back(std::move(line));
    Publication now;
    club.admin()->write_log([&](LogStore& log) { now = publish_checkpoint(log, one, both, 100); });
    return now;
  };
  const auto cosigned_by = [&](const SigningKey& witness) {
    return cosignature(witness, newest.note.text, 100);
  };
  BOOST_TEST(!publish_with(cosigned_by(b)).quorum.reached);
  // A line that isn't one of the policy's witnesses is stored beside it.
  PlainDatabase(club.store)
      .execute("UPDATE checkpoints SET signed = signed || '\u2014 stranger AAAAAAA=' || char(10)");
  const Publication now = publish_with(cosigned_by(a));
  BOOST_TEST(now.quorum.reached);
  BOOST_TEST(now.is_published);
  BOOST_TEST(now.checkpoint.note.signatures.size() == 3U);
  club.admin()->read_log([&](LogReader& log) {
    for (const auto& stored : {log.logs().back().last_signed, log.logs().back().published})
      BOOST_TEST(stored->note.to_string() == now.checkpoint.note.to_string());
  });
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
  // An ID that isn't of its name and key.
  const std::string name = "PRIVATE+KEY+club.example/log+";
  BOOST_REQUIRE(text.starts_with(name));
  for (const std::size_t at : {name.size() - 2, name.size(), text.size() - 10}) {
    std::string other = text;
    other[at] = other[at] == '0' ? '1' : '0';
    write_file(club.key, other);
    BOOST_TEST(refusal().contains("it holds no key, or one that isn't of its name"));
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

/// 140,000 commits, so two nodes of level 2.
struct LargeClub : Club {
  PlainDatabase file{begun()};

  LargeClub() {
    file.execute("DROP TRIGGER commits_are_appended_without_gaps");
    file.execute(
        "WITH RECURSIVE more (n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM more WHERE n < 140000) "
        "INSERT INTO commits SELECT n, game, n, time, command, events, hash, NULL FROM more, "
        "(SELECT * FROM commits WHERE position = 3)");
  }
  void with_store(const std::function<void(SqliteStore&)>& work) const {
    SqliteStore open(sqlite::Connection(store, sqlite::Connection::Access::read_write, 0));
    work(open);
  }
  /// Returns how many transactions it took.
  int sign_after(const std::function<void(Signing&, LogReader&)>& look) const {
    const KeyFile with(key, KeyType::log);
    Signing signing(with);
    int transactions = 0;
    with_store([&](SqliteStore& open) {
      open.read_log([&](LogReader& log) { look(signing, log); });
      std::optional<SignedCheckpoint> newest;
      for (; !newest; ++transactions)
        open.write_log([&](LogStore& log) { newest = signing.step(log); });
    });
    return transactions;
  }

 private:
  std::string begun() const {
    play("a", 2);
    return store;
  }
};

BOOST_AUTO_TEST_CASE(a_large_store_is_signed_in_several_transactions) {
  LargeClub club;
  BOOST_TEST(club.sign_after([](Signing&, LogReader&) {}) == 3);
  BOOST_TEST(club.file.value("SELECT count(*) FROM tree WHERE level = 1") == "546");
  BOOST_TEST(club.file.value("SELECT count(*) FROM tree WHERE level = 2") == "2");
  // The nodes may take 0.25 bytes a turn.
  const auto bytes =
      std::stoll(club.file.value("SELECT sum(pgsize) FROM dbstat WHERE name = 'tree'"));
  BOOST_TEST(bytes <= 140'000 / 4);
}

/// The root that was signed doesn't need the nodes beneath one of level 2, so it doesn't show that
/// one of them is wrong.
BOOST_AUTO_TEST_CASE(a_wrong_node_beneath_another_is_no_alarm_and_is_made_anew) {
  LargeClub club;
  club.sign_after([](Signing&, LogReader&) {});
  const auto problems = [&] {
    std::vector<Problem> found;
    club.with_store([&](SqliteStore& open) {
      open.read_log([&](LogReader& log) { audit_log(log, {}, found); });
    });
    return found.empty() ? std::string() : found.front().detail;
  };
  BOOST_TEST(problems() == "");
  for (const char* change : {"UPDATE tree SET hash = zeroblob(32) WHERE level = 1 AND n = 3",
                             "DELETE FROM tree WHERE level = 1 AND n = 3"}) {
    for (const auto look : {&Signing::verify, &Signing::verify_nodes}) {
      club.file.execute(change);
      BOOST_TEST(problems().contains("of level 1 isn't what the commits make"));
      club.with_store([&](SqliteStore& open) {
        open.read_log([&](LogReader& log) {
          const SignedCheckpoint newest = *verified_log(log)->last_signed;
          Commit commit;
          commit.hash = log.leaves(600, 1).front();
          commit.position = 601;
          // Its neighbour's node is wrong: the proof is made of commits.
          BOOST_TEST(prove_commit(log, newest, commit).has_value());
          BOOST_TEST(prove_consistency(log, newest.checkpoint, 600, 140'000).size() > 9U);
          commit.hash = {};
          BOOST_CHECK_THROW(prove_commit(log, newest, commit), Contradiction);
          for (const int level : {0, 1})
            BOOST_CHECK_THROW(signed_nodes(log, newest.checkpoint, level, level == 0 ? 768 : 0, 5),
                              StoreError);
          BOOST_TEST(signed_nodes(log, newest.checkpoint, 1, 512, 34).size() == 34U);
        });
      });
      club.sign_after([&](Signing& signing, LogReader& log) { (signing.*look)(log); });
      BOOST_TEST(problems() == "");
    }
  }
  // Nor is a change of the commits made right so.
  club.file.execute("UPDATE tree SET hash = zeroblob(32) WHERE level = 1 AND n = 3");
  tamper(club.store, [](PlainDatabase& file) {
    file.execute("UPDATE commits SET hash = zeroblob(32) WHERE position = 9");
  });
  for (const auto look : {&Signing::verify, &Signing::verify_nodes})
    BOOST_TEST(error_of<Contradiction>([&] {
                 club.sign_after([&](Signing& signing, LogReader& log) { (signing.*look)(log); });
               }).contains("another root"));
}

BOOST_AUTO_TEST_CASE(an_append_touches_neither_table) {
  const Club club;
  club.play("a", 300);
  club.sign();
  PlainDatabase file(club.store);
  for (const char* table : {"tree", "checkpoints"})
    for (const char* change : {"INSERT", "UPDATE", "DELETE"})
      file.execute(
          fmt::format("CREATE TRIGGER no_{0}_{1} BEFORE {0} ON {1} BEGIN SELECT "
                      "RAISE(ABORT, '{1} is touched'); END",
                      change, table));
  SqliteStore store(sqlite::Connection(club.store, sqlite::Connection::Access::read_write, 0));
  Match match = start(store, "b", endless_game());
  for (int i = 0; i < 300; ++i)
    perform(match, turn_of_next(match, {1}));
  BOOST_TEST(file.value("SELECT count(*) FROM commits") == "602");
  BOOST_CHECK_EXCEPTION(store.write_log([](LogStore& log) { extend_tree(log, 0, 600); }),
                        StoreError, [](const StoreError& error) {
                          return std::string_view(error.what()).contains("tree is touched");
                        });
}

}  // namespace
}  // namespace snl::test
