"""Goal: a store on PostgreSQL has a log like a file: signed, proven, served. No commit is missed, however many
processes write at once, and a forgery by a superuser is detected.

Method: real servers (postgres.py). Writers play while the log is signed again and again; each checkpoint is compared
with the one before, and with all commits in the order of their positions, as psql reads them.
"""

import base64
import signal
import subprocess
import sys
import threading

import club
import postgres
import snl
from club import NAME
from postgres import OnPostgres

sys.path.insert(0, str(snl.TESTS / "reader"))

from killed_signing import KilledSigning
from snl_reader import leaf_hash, tree_hash

READER = snl.TESTS / "reader" / "snl_reader.py"


class AStore(club.Club, OnPostgres):
    def play(self, game, turns):
        """A game with so many commits and one more; nobody can win it."""
        snakes = [word for head in range(94, 100) for word in ("--snake", f"{head},{head - 90}")]
        begun = self.run_snl("new", "Ann", "Bob", "--id", game, "--seed", 1, "--cells", 100, *snakes, "--sixes", "plain")
        self.assertRegex(begun.err, r"\Asnl: warning: cell 100 can't be reached[^\n]*\n\Z")
        if turns:
            self.snl("roll", game, "-n", turns)

    def sign(self):
        note = super().sign()
        origin, size, root = note.split("\n")[:3]
        self.assertEqual(origin, NAME)
        return note, int(size), base64.b64decode(root)

    def rows(self, select):
        """As a superuser."""
        done = subprocess.run([postgres.PROGRAMS / "psql", "-q", "-A", "-t", "-c", select, self.database], check=True,
                              capture_output=True, text=True)
        return done.stdout.split()

    def forge(self, statements):
        self.cluster.sql(self.database, f"SET session_replication_role = replica; {statements}")

    def hashes(self):
        return [bytes.fromhex(hash_) for hash_ in self.rows("SELECT encode(hash, 'hex') FROM snl.commits ORDER BY position")]

    def leaves(self):
        return [leaf_hash(hash_) for hash_ in self.hashes()]


class ALog(AStore):
    def test_is_signed_proven_and_verified(self):
        self.play("g", 299)
        self.refused(3, "no checkpoint yet", "checkpoint")
        note, size, root = self.sign()
        self.assertEqual((size, root), (300, tree_hash(self.leaves())))
        self.assertEqual(self.snl("checkpoint"), note)
        self.assertEqual(self.sign()[0], note)
        self.play("h", 700)
        self.refused(1, "version 701 of game h is not signed yet", "prove", "h")
        _, size, root = self.sign()
        self.assertEqual((size, root), (1001, tree_hash(self.leaves())))
        self.assertEqual(self.rows("SELECT count(*) FROM snl.tree"), ["3"])
        (self.folder / "kept").write_text(note)
        since = self.snl("prove", "--since", self.folder / "kept", "--policy", self.policy)
        self.assertGreater(len(since.splitlines()), 3)

        # A proof of each page of the tree, and of its end.
        for game, version in (("g", 1), ("g", 256), ("g", 257), ("h", 212), ("h", 213), ("h", 468), ("h", 469), ("h", 701)):
            export, proof = self.folder / f"{game}.jsonl", self.folder / "proof"
            self.snl("export", game, "--force", "-o", export)
            self.snl("prove", game, "--version", version, "--force", "-o", proof)
            told = self.json("verify", export, proof, "--policy", self.policy)
            self.assertEqual((told["version"], told["index"]), (version, version - 1 + (300 if game == "h" else 0)))
        self.snl("export", "h", "-o", self.folder / "h.html", "--policy", self.policy)
        self.assertTrue(self.json("verify", self.folder / "h.html", "--policy", self.policy)["ok"])
        run = subprocess.run([sys.executable, "-B", READER, self.folder / "h.html"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

        self.snl("roll", "h")
        told = self.json("audit", "--policy", self.policy, "--checkpoint", self.folder / "kept")["log"]
        self.assertEqual((told["size"], told["held"], told["signature"], told["quorum"]), (1001, True, True, True))
        self.assertIn(f"log: {NAME} signed 1001 commits; the store holds them unchanged, and 1 that came after",
                      self.snl("audit"))
        self.snl("db", "check")

    def test_misses_no_commit_however_many_write(self):
        self.play("first", 0)
        stop = threading.Event()
        failed = []

        def write(name):
            number = 0
            while not stop.is_set() and not failed:
                number += 1
                run = self.run_snl("new", "Ann", "Bob", "--id", f"{name}-{number}")
                run = run if run.code else self.run_snl("roll", f"{name}-{number}", "-n", 9)
                if run.code:
                    failed.append(run)

        writers = [threading.Thread(target=write, args=(name,)) for name in ("a", "b", "c")]
        for writer in writers:
            writer.start()
        try:
            signed = []
            while len(signed) < 10 or signed[-1][1] < 300:
                signed.append(self.sign())
        finally:
            stop.set()
            for writer in writers:
                writer.join()
        self.assertEqual(failed, [])
        signed.append(self.sign())
        leaves = self.leaves()
        self.assertEqual(signed[-1][1], len(leaves))
        for note, size, root in signed:
            self.assertEqual(root, tree_hash(leaves[:size]), size)
        for one in (0, len(signed) // 2, -2):
            (self.folder / "kept").write_text(signed[one][0])
            self.snl("prove", "--since", self.folder / "kept", "--policy", self.policy)
        self.assertTrue(self.json("audit", "--policy", self.policy)["log"]["held"])

    def test_waits_for_what_may_still_come_before(self):
        self.play("g", 20)
        self.assertEqual(self.sign()[1], 21)
        # A transaction that has written, and could write a commit yet, whose position is lower than those to come.
        session = subprocess.Popen([postgres.PROGRAMS / "psql", "-q", "-A", "-t", self.database], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        try:
            session.stdin.write("BEGIN; SELECT pg_current_xact_id();\n")
            session.stdin.flush()
            self.assertTrue(session.stdout.readline().strip())
            self.play("h", 4)
            self.assertEqual(self.sign()[1], 21)
            self.assertTrue(snl.wait_for(lambda: "has been in a transaction" in self.snl("db", "info")))
        finally:
            session.communicate("COMMIT;\n")
        self.assertEqual(self.sign()[1], 26)

    def test_is_made_by_one_at_a_time(self):
        self.play("g", 600)
        # Nobody but one holds the lock; the others find what it left.
        makers = [self.popen("checkpoint", "--log-key", self.key, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                  for _ in range(6)]
        told = [maker.communicate(timeout=snl.PATIENCE) for maker in makers]
        self.assertEqual([maker.returncode for maker in makers], [0] * 6, told)
        self.assertEqual({out for out, _ in told}, {self.snl("checkpoint")})
        # Nor while another session has the log to itself.
        self.play("h", 0)
        session = subprocess.Popen([postgres.PROGRAMS / "psql", "-q", "-A", "-t", self.database], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, text=True)
        session.stdin.write("BEGIN; SELECT 'held' || pg_advisory_xact_lock(hashtextextended('snl log', 0))::text;\n")
        session.stdin.flush()
        self.assertEqual(session.stdout.readline().strip(), "held")
        maker = self.popen("checkpoint", "--log-key", self.key, stdout=subprocess.PIPE, text=True)
        self.assertTrue(snl.wait_for(lambda: self.rows("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted") == ["1"]))
        self.assertIsNone(maker.poll())
        session.communicate("ROLLBACK;\n")
        self.assertIn(f"{NAME}\n602\n", maker.communicate(timeout=snl.PATIENCE)[0])

    def test_is_kept_by_an_admitted_role(self):
        self.play("g", 300)
        self.cluster.sql(self.database, "CREATE ROLE maker LOGIN; SELECT snl.admit('maker')")
        self.addCleanup(self.cluster.sql, self.database, "DROP OWNED BY maker; DROP ROLE maker")
        self.environment["SNL_DB"] = self.database.replace("user=snl", "user=maker")
        self.assertEqual(self.sign()[1], 301)
        self.snl("prove", "g")

    def test_is_served_and_its_operator_is_told_of_a_failover(self):
        self.play("g", 20)
        running, client = self.serve("--log-key", self.key, "--checkpoint-every", "1", "--limit", "writes=0")
        self.assertTrue(snl.wait_for(lambda: "synchronous_standby_names is empty: after a failover" in running.logged()))
        self.assertTrue(snl.wait_for(lambda: client.get("/log/checkpoint").status == 200))
        self.assertEqual(client.get("/api/log").json["size"], 21)
        self.assertEqual(client.get("/log/tile/0/000.p/21").body, b"".join(self.leaves()))
        path, _, tokens = self.new_game(client)
        self.play_to_end(client, path, tokens)
        self.assertTrue(snl.wait_for(lambda: client.get(f"{path}/proof").status == 200))
        game = path.rsplit("/", 1)[1]
        (self.folder / "g.html").write_bytes(client.get(f"{path}/export?format=html").body)
        self.assertEqual(self.json("verify", self.folder / "g.html", "--policy", self.policy)["game"], game)


class AForgery(AStore):
    def setUp(self):
        super().setUp()
        self.play("g", 299)
        self.kept = self.folder / "kept"
        self.kept.write_text(self.sign()[0])
        self.play("h", 400)
        self.sign()

    def audited(self, *options):
        return "\n".join(problem["detail"] for problem in self.json("audit", *options, ends_with=4)["problems"])

    def json(self, *words, ends_with=0, **options):
        if not ends_with:
            return super().json(*words, **options)
        run = self.run_snl(*words, "--json", **options)
        self.assertEqual(run.code, ends_with, run)
        return snl.json.loads(run.out)

    def test_of_a_commit_is_told(self):
        self.forge("UPDATE snl.commits SET hash = decode(repeat('ab', 32), 'hex') WHERE position = (SELECT position FROM "
                   "snl.commits ORDER BY position OFFSET 700 LIMIT 1)")
        self.assertIn("the first 701 commits have another root than the one that was signed", self.audited())
        self.refused(4, "the first 701 commits have another root", "checkpoint", "--log-key", self.key)

    def test_that_cuts_the_log_off_is_told(self):
        self.forge("DELETE FROM snl.commits WHERE game = (SELECT game FROM snl.games WHERE id = 'h')")
        self.assertIn("the store holds 300 commits, and 701 were signed", self.audited())
        self.refused(4, "the store holds 300 commits, and 701 were signed", "checkpoint", "--log-key", self.key)
        self.assertIn("the store holds 300 commits, and 701 were signed", self.audited("--checkpoint", self.kept))

    def test_of_the_tree_is_told_and_made_anew(self):
        last = "(SELECT max(position) FROM snl.commits)"
        for number, (change, says) in enumerate((
                ("UPDATE snl.tree SET hash = decode(repeat('00', 32), 'hex') WHERE n = 1", "isn't what the commits make"),
                ("DELETE FROM snl.tree WHERE n = 0", "isn't what the commits make"),
                ("DELETE FROM snl.tree WHERE n = 1", None),
                (f"INSERT INTO snl.tree VALUES (1, 2, {last}, decode(repeat('00', 32), 'hex'))", "isn't what the commits make"),
                (f"INSERT INTO snl.tree VALUES (1, 9, {last}, decode(repeat('00', 32), 'hex'))", "isn't what the commits make"),
                ("INSERT INTO snl.tree SELECT 1, 5, first, hash FROM snl.tree WHERE n = 1", "isn't what the commits make"),
                (f"UPDATE snl.tree SET first = {last} WHERE n = 1", "begins with another commit; DELETE FROM snl.tree"),
                ("UPDATE snl.tree SET first = 1 WHERE n = 0", "begins with another commit; DELETE FROM snl.tree"))):
            with self.subTest(change):
                self.forge(change)
                if says:
                    self.assertIn(says, self.audited())
                if says and "DELETE" in says:
                    self.cluster.sql(self.database, "DELETE FROM snl.tree")
                self.play(f"i{number}", 0)
                _, size, root = self.sign()
                leaves = self.leaves()
                self.assertEqual((size, root), (len(leaves), tree_hash(leaves)))
                self.assertTrue(self.json("audit", "--policy", self.policy, "--checkpoint", self.kept)["log"]["held"])

    def test_of_where_a_node_begins_is_never_signed(self):
        for number, change in enumerate(("first + (1 << 20)", "1", "(SELECT max(position) FROM snl.commits)")):
            self.forge(f"UPDATE snl.tree SET first = {change} WHERE n = 1")
            self.play(f"j{number}", 0)
            self.assertEqual(self.sign()[2], tree_hash(self.leaves()))

    def test_of_a_node_under_a_larger_one_is_never_signed(self):
        # As many commits as make a node of level 2, and more than one transaction signs. Nobody reads them but as hashes.
        rows = 65536 - 701
        self.forge("INSERT INTO snl.commits (game, version, position, time, attempt, hash, command, events, follows) SELECT "
                   "1, n, ((txid_current() + shift) << 20) + n, 0, 0, sha256(n::text::bytea), '{}', '[]', '' "
                   f"FROM snl.clock, generate_series(1, {rows}) n")
        _, size, root = self.sign()
        leaves = self.leaves()
        self.assertEqual((size, root), (65536, tree_hash(leaves)))
        self.assertEqual(self.rows("SELECT count(*) FROM snl.tree WHERE level = 2"), ["1"])
        self.snl("prove", "g", "--version", "9")
        # A node of level 1 that no root reads, since one of level 2 stands for it, takes the place of another.
        self.forge("UPDATE snl.tree t SET first = o.first, hash = o.hash FROM snl.tree o "
                   "WHERE t.level = 1 AND t.n = 255 AND o.level = 1 AND o.n = 254")
        self.play("k", 0)
        _, size, root = self.sign()
        self.assertEqual((size, root), (65537, tree_hash(self.leaves())))

    def test_of_the_tree_keeps_no_page_from_being_exported(self):
        # A node beside it is wrong: the proof is made of commits. Its own is wrong: there is none.
        self.forge("UPDATE snl.tree SET hash = decode(repeat('00', 32), 'hex') WHERE n = 0")
        self.snl("export", "g", "-o", self.folder / "g.html")
        self.snl("verify", self.folder / "g.html", "--policy", self.policy)
        self.forge("UPDATE snl.tree SET hash = decode(repeat('00', 32), 'hex')")
        told = self.run_snl("export", "g", "--force", "-o", self.folder / "g.html")
        self.assertEqual((told.code, told.out), (0, ""))
        self.assertRegex(told.err, r"\Asnl: warning: the page has no proof that it is in a log: [^\n]+\n\Z")
        self.refused(2, "in no log", "verify", self.folder / "g.html", "--policy", self.policy)


class BesideAStandby(AStore):
    begin_cluster = postgres.Cluster

    def setUp(self):
        super().setUp()
        self.addCleanup(self.cluster.stop)
        self.play("g", 20)
        self.standby = postgres.Cluster(self.cluster)
        self.addCleanup(self.standby.stop)

    def waits_for_standby(self):
        return self.rows("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'") == ["1"]

    def test_that_lags_the_log_is_read_from_the_primary(self):
        self.sign()
        behind = self.database.replace(str(self.cluster.folder), str(self.standby.folder))
        self.assertTrue(snl.wait_for(lambda: self.run_snl("checkpoint", db=behind).code == 0))
        self.standby.sql(behind, "SELECT pg_wal_replay_pause()")
        self.play("h", 300)
        kept = self.file("kept", self.sign()[0])
        self.environment["SNL_DB"] = self.database.replace("host=", f"host={self.standby.folder},")
        self.refused(3, 'no game "h"', "show", "h")  # others read from the server that is named first
        self.assertEqual(self.snl("checkpoint"), kept.read_text())
        self.assertTrue(self.json("audit", "--checkpoint", kept, "--policy", self.policy)["log"]["held"])
        self.snl("prove", "g")
        self.assertEqual(self.sign()[0], kept.read_text())

    def test_of_which_confirmation_is_asked_nothing_is_signed_before_it(self):
        self.cluster.configure("synchronous_standby_names = 'standby'\n")
        self.cluster.sql(self.database, "SELECT pg_reload_conf()")
        self.assertEqual(self.sign()[1], 21)
        self.standby.stop(signal.SIGQUIT)
        player = self.popen("roll", "g", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertTrue(snl.wait_for(self.waits_for_standby))
        player.kill()
        player.wait()
        # Restarted, the primary shows what the standby hasn't got.
        self.cluster.stop(signal.SIGQUIT)
        self.cluster.start()
        self.assertEqual(len(self.hashes()), 22)
        signed = (self.folder / "club.key.signed").read_text()
        maker = self.popen("checkpoint", "--log-key", self.key, stdout=subprocess.PIPE, text=True)
        self.assertTrue(snl.wait_for(lambda: self.waits_for_standby() or maker.poll() is not None))
        self.assertEqual((self.folder / "club.key.signed").read_text(), signed)
        self.assertIsNone(maker.poll())
        self.standby.start()
        self.assertIn(f"{NAME}\n22\n", maker.communicate(timeout=snl.PATIENCE)[0])


class Killed(KilledSigning, AStore):
    lost = 0  # a failover is tests/storage/postgres/failures_test.cpp's

    def kept_in_store(self):
        notes = self.rows("SELECT encode(convert_to(unnest(ARRAY[signed, published]), 'UTF8'), 'hex') FROM snl.checkpoints")
        return [bytes.fromhex(note).decode() for note in notes]

    def test_signers_of_a_log(self):
        self.torture("killed signers of a log on PostgreSQL")


if __name__ == "__main__":
    snl.main()
