"""Goal: the command line signs a store's log, proves it, and verifies it with nothing but three files. Every forgery,
older copy and wrong key has the right exit code. Method: whole matches between operators, players and forgers.
openssl, which shares no code with snl, verifies the signatures, and the second reader (tests/reader) verifies the
proofs.
"""

import base64
import contextlib
import fcntl
import hashlib
import http.client
import http.server
import json
import pathlib
import shutil
import sqlite3
import struct
import subprocess
import sys
import threading
import time
import urllib.request

import club
import snl
from club import NAME, WITNESS

READER = snl.TESTS / "reader" / "snl_reader.py"
# The prefixes that turn a key of 32 bytes into one that openssl reads (RFC 8410).
PUBLIC_KEY = bytes.fromhex("302a300506032b6570032100")
PRIVATE_KEY = bytes.fromhex("302e020100300506032b657004220420")


class AClub(club.Club):
    def setUp(self):
        super().setUp()
        shutil.copy(f"{self.key}.signed", self.folder / "nothing.signed")
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "1", "--board", "class")
        self.snl("roll", "g", "--all")

    def keep(self, name):
        return self.file(name, self.snl("checkpoint"))


class ALog(AClub):
    def sql(self, statements):
        with contextlib.closing(sqlite3.connect(self.json("db", "info")["path"])) as database:
            for (name,) in database.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                if name.startswith("commits_are_never"):
                    text = database.execute("SELECT sql FROM sqlite_schema WHERE name = ?", [name]).fetchone()[0]
                    database.execute(f"DROP TRIGGER {name}")
                    statements += f"; {text}"
            database.executescript(statements)

    def test_is_signed_and_printed(self):
        self.refused(3, "no checkpoint yet.*snl", "checkpoint")
        note = self.sign()
        self.assertEqual(self.snl("checkpoint"), note)
        self.assertEqual(self.sign(), note)
        origin, size, root, blank, line, _ = note.split("\n")
        self.assertEqual((origin, size, blank), (NAME, "40", ""))
        self.assertEqual((self.folder / "club.key.signed").read_text(), note)
        told = self.json("checkpoint")
        self.assertEqual(told, {"origin": NAME, "size": 40, "root": base64.b64decode(root).hex(), "note": note,
                                "published": True, "witnesses": []})
        self.assertEqual(self.snl("key", "show", self.key).strip(), self.vkey)

    def test_has_signatures_that_openssl_verifies(self):
        text, _, line = self.sign().rpartition("\n\n")
        public = base64.b64decode(self.vkey.split("+", 2)[2])
        self.assertEqual(public[0], 1)
        bare = self.folder / "key.der"
        bare.write_bytes(PUBLIC_KEY + public[1:])
        signed = base64.b64decode(line.split(" ")[2])
        self.assertEqual(signed[:4], hashlib.sha256(NAME.encode() + b"\n" + public).digest()[:4])
        self.assertEqual(signed[:4].hex(), self.vkey.split("+")[1])
        (self.folder / "signature").write_bytes(signed[4:])
        self.file("text", text + "\n")
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", bare, "-rawin", "-in",
                   self.folder / "text", "-sigfile", self.folder / "signature"]
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.file("text", text + "x\n")
        self.assertNotEqual(subprocess.run(command, capture_output=True).returncode, 0)

    def test_proves_a_game_to_whoever_has_three_files(self):
        self.refused(1, "version 40 of game g is not signed yet", "prove", "g")
        self.sign()
        export, proof = self.folder / "g.jsonl", self.folder / "g.tlog-proof"
        self.snl("export", "g", "-o", export)
        self.snl("prove", "g", "-o", proof)
        elsewhere = self.folder / "no.db"
        verify = ("verify", export, proof, "--policy", self.policy)
        told = self.json(*verify, db=elsewhere)
        self.assertEqual((told["ok"], told["game"], told["version"], told["index"]), (True, "g", 40, 39))
        self.assertEqual(told["head"], self.show("g")["head"])
        self.assertIn(f"commit 40 of the 40 that {NAME} signed", self.snl(*verify, db=elsewhere))
        self.assertFalse(elsewhere.exists())
        run = subprocess.run([sys.executable, "-B", READER, export, "--proof", proof], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

        # Of an earlier version too; and of none that there isn't.
        self.snl("prove", "g", "--version", "7", "-o", self.folder / "7.tlog-proof")
        self.assertEqual(self.json("verify", export, self.folder / "7.tlog-proof", "--policy", self.policy)["version"], 7)
        self.refused(2, "versions 1 to 40", "prove", "g", "--version", "41")

        # Forgeries: another game, another proof, another key.
        lines = export.read_text().splitlines()
        self.file("forged.jsonl", "\n".join(lines[:-1]) + "\n")
        self.assertIn(self.run_snl("verify", self.folder / "forged.jsonl", proof, "--policy", self.policy).code, (2, 4))
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.snl("export", "h", "-o", self.folder / "h.jsonl")
        self.refused(4, "another game than h.*; give", "verify", self.folder / "h.jsonl", proof, "--policy", self.policy)
        forged = proof.read_text().split("\n")
        forged[3] = base64.b64encode(bytes(32)).decode()
        self.file("forged.tlog-proof", "\n".join(forged))
        self.refused(4, "is not what", "verify", export, self.folder / "forged.tlog-proof", "--policy", self.policy)
        other = self.snl("key", "new", NAME, self.folder / "other.key").strip()
        self.file("other", f"log {other}\nquorum none\n")
        self.refused(4, f"the signature of {NAME} is not that", "verify", export, proof, "--policy",
                     self.folder / "other")
        self.refused(2, "isn't a proof", "verify", export, export, "--policy", self.policy)
        self.refused(2, "line 1", "verify", export, proof, "--policy", proof)

    def test_says_that_a_branch_alone_says_where_it_begins(self):
        self.snl("branch", "g", "--at", "4", "--id", "b")
        self.snl("roll", "b", "-n", "3")
        self.sign()
        for game in ("b", "g"):
            self.snl("export", game, "-o", self.folder / f"{game}.jsonl")
            self.snl("prove", game, "-o", self.folder / f"{game}.proof")
        verify = {game: ("verify", self.folder / f"{game}.jsonl", self.folder / f"{game}.proof", "--policy", self.policy)
                  for game in ("b", "g")}
        said = self.snl(*verify["b"])
        self.assertIn("Game b is sound: 3 turns in force, up to its head", said)
        self.assertIn("note: it branched off game g; only the branch itself says where it begins\n", said)
        self.assertNotIn("note:", self.snl(*verify["g"]))
        self.assertEqual([self.json(*verify[game])["unproven_origins"] for game in "bg"], [1, 0])

    def test_is_proven_by_a_page_alone(self):
        page = self.folder / "g.html"
        verify = ("verify", page, "--policy", self.policy)
        self.snl("export", "g", "-o", page)
        self.assertNotIn("log-proof", page.read_text())
        self.refused(2, "its game was in no log when this page was made; give the PROOF", *verify)
        self.refused(1, "version 40 of game g is not signed yet", "export", "g", "-o", self.folder / "no.html", "--policy",
                     self.policy)
        self.assertFalse((self.folder / "no.html").exists())
        self.sign()
        for options in ((), ("--policy", self.policy)):
            self.snl("export", "g", "--force", "-o", page, *options)
            elsewhere = self.folder / "no.db"
            told = self.json(*verify, db=elsewhere)
            self.assertEqual((told["game"], told["version"], told["index"], told["log"]["size"]), ("g", 40, 39, 40))
            self.assertEqual((told["head"], told["last_version"]), (self.show("g")["head"], 40))
            self.assertFalse(elsewhere.exists())
        self.assertIn("page: its export is sound; what the page shows wasn't compared with that\n", self.snl(*verify))
        text = page.read_text()
        seventh = self.snl("prove", "g", "--version", "7").replace("\n", "\\n")
        with page.open() as stdin:
            self.assertEqual(self.snl("verify", "-", "--policy", self.policy, stdin=stdin), self.snl(*verify))
        run = subprocess.run([sys.executable, "-B", READER, page], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))

        # A page of what came after the checkpoint has no proof, and says so.
        self.snl("undo", "g")
        self.snl("export", "g", "-o", self.folder / "later.html")
        self.refused(2, "in no log", "verify", self.folder / "later.html", "--policy", self.policy)
        self.snl("export", "g", "-f", "jsonl", "-o", self.folder / "g.jsonl")
        self.refused(2, "only a page has a proof in it; give the PROOF", "verify", self.folder / "g.jsonl", "--policy",
                     self.policy)
        self.refused(2, "the form csv carries no proof", "export", "g", "-f", "csv", "--policy", self.policy)
        self.refused(2, "this command reads that file", "export", "g", "-f", "html", "--policy", self.policy, "-o", self.policy,
                     "--force")

        # Forgeries.
        self.snl("new", "Ann", "Bob", "--id", "h")
        self.snl("export", "h", "-o", self.folder / "h.html")
        other = (self.folder / "h.html").read_text()
        tag = '<script type="application/json" class="export">'
        export_of = lambda page: page.split(tag)[1].split("<")[0]
        sibling = text.split("index 39\\n")[1][:43]
        proof = text.split('{"proof":"')[1].split('"')[0]
        for code, says, forged in (
                (4, "is for version 7, not for the last version of its page", text.replace(proof, seventh)),
                (4, "the proof in .* is of another game than h", text.replace(export_of(text), export_of(other))),
                (4, "is not what the proof in .*forged.html proves", text.replace(sibling, "A" * 43)),
                (2, "the proof in .*forged.html: it can't be read; export", text.replace("tlog-proof@v1", "tlog-proof@v2")),
                (2, "isn't an exported page", text + tag + "[]</script>"),
                (2, "isn't an exported page", text.replace(tag + "[", tag)),
                (2, "isn't an exported page", text.replace('{"proof"', '{"prove"')),
                (2, "isn't an exported page", "<!doctype html>\n"),
                (4, "line 3", text.replace('"version\\":2,\\"time\\":\\"202', '"version\\":2,\\"time\\":\\"201'))):
            with self.subTest(says=says):
                self.assertNotEqual(forged, text)
                file = self.file("forged.html", forged)
                self.refused(code, says, "verify", file, "--policy", self.policy)
                run = subprocess.run([sys.executable, "-B", READER, file], capture_output=True, text=True)
                self.assertEqual(run.returncode, 1, says)
        foreign = self.snl("key", "new", NAME, self.folder / "other.key").strip()
        self.sign()
        foreign = self.file("other", f"log {foreign}\nquorum none\n")
        self.refused(4, f"the signature of {NAME} is not that", *verify[:2], "--policy", foreign)
        self.refused(4, f"the signature of {NAME} is not that", "export", "h", "-f", "html", "--policy", foreign)

    def test_goes_on_from_what_was_kept(self):
        self.sign()
        kept = self.keep("kept")
        self.snl("new", "Cid", "Dan", "--id", "h", "--seed", "2")
        self.snl("roll", "h")
        self.assertEqual(self.snl("prove", "--since", kept, "--policy", self.policy), "")
        self.sign()
        proof = self.snl("prove", "--since", kept, "--policy", self.policy).splitlines()
        self.assertTrue(proof)
        for line in proof:
            self.assertEqual(len(base64.b64decode(line, validate=True)), 32)
        self.snl("roll", "h")
        report = self.json("audit", "--checkpoint", kept, "--policy", self.policy)
        self.assertEqual(report["log"], {"origin": NAME, "size": 42, "root": self.json("checkpoint")["root"],
                                         "held": True, "signature": True, "quorum": True, "witnesses": []})
        self.assertIn("log: club.example/log signed 42 commits; the store holds them unchanged, and 1 that came after\n",
                      self.snl("audit", "--all"))
        self.assertIn("witnesses: not asked (--policy); whoever has the key could have signed another log too\n",
                      self.snl("audit", "--all"))
        self.refused(2, "for the whole store", "audit", "g", "--checkpoint", kept)

    def test_takes_no_kept_checkpoint_for_signed_that_its_key_did_not_sign(self):
        note = self.sign()
        text = note[:note.index("\n\n") + 2]
        forged = self.file("forged", f"{text}— {NAME} {base64.b64encode(bytes(68)).decode()}\n")
        run = self.run_snl("audit", "--checkpoint", forged)
        self.assertEqual(run.code, 4)
        self.assertIn(f"the signature of {NAME} is not that of the checkpoint", run.out)
        self.snl("audit", "--checkpoint", self.file("kept", note))
        # A proof of what was kept isn't written over it.
        self.refused(2, "this command reads that file", "prove", "--since", self.folder / "kept", "--policy", self.policy, "-o",
                     self.folder / "kept", "--force")
        self.assertEqual((self.folder / "kept").read_text(), note)

    def test_tells_of_a_forgery_by_whoever_may_write_the_file(self):
        self.assertIn("\nlog: none; whoever may write the store could have made all of it anew, unless you kept a head\n",
                      self.snl("audit"))
        self.assertIsNone(self.json("audit")["log"])
        self.sign()
        kept = self.keep("kept")
        # The operator records the game anew, without its last turn: sound by itself.
        forged = self.folder / "forged.db"
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "1", "--board", "class", db=forged)
        for _ in range(38):
            self.snl("roll", "g", db=forged)
        self.snl("audit", db=forged)
        since = ("prove", "--since", kept, "--policy", self.policy)
        self.refused(4, "holds 39 commits, and 40 were signed", *since, db=forged)
        self.assertEqual(self.run_snl("audit", "--checkpoint", kept, db=forged).code, 4)
        self.assertEqual(self.run_snl("audit", "--policy", self.policy, db=forged).code, 4)
        self.refused(4, "holds 39 commits, and 40 were signed", "checkpoint", "--log-key", self.key, db=forged)
        self.snl("roll", "g", db=forged)
        self.refused(4, "the first 40 commits have another root", *since, db=forged)
        self.refused(4, "another root", "checkpoint", "--log-key", self.key, db=forged)
        out = self.run_snl("audit", "--checkpoint", kept, db=forged)
        self.assertEqual(out.code, 4)
        self.assertIn("the first 40 commits have another root than the one that was signed", out.out)
        # A commit that is changed in the store itself.
        self.sql("UPDATE commits SET hash = zeroblob(32) WHERE position = 40")
        out = self.run_snl("audit")
        self.assertEqual(out.code, 4)
        self.assertIn("another root", out.out)
        self.refused(4, "another root", "prove", "g", "--version", "3")
        self.refused(4, "another root", "checkpoint")

    def forged_note(self, size):
        """A checkpoint as the log would sign it, without its signature."""
        line = base64.b64encode(bytes.fromhex(self.vkey.split("+")[1]) + bytes(64)).decode()
        return f"{NAME}\n{size}\n{base64.b64encode(bytes(32)).decode()}\n\n— {NAME} {line}\n"

    def test_tells_of_a_published_checkpoint_that_was_forged(self):
        self.sign()
        self.sql(f"UPDATE checkpoints SET published = '{self.forged_note(999999)}'")
        for words in (("checkpoint",), ("checkpoint", "--log-key", self.key), ("checkpoint", "--log-key", self.key, "--json"),
                      ("prove", "g"), ("serve", "--listen", "127.0.0.1:0", "--log-key", self.key)):
            self.refused(4, f"the signature of {NAME} is not that of the checkpoint in the store", *words)

    def test_a_server_reads_all_commits_before_it_signs(self):
        self.snl("new", "Ann", "Bob", "--id", "long", "--cells", "10000")
        self.snl("roll", "long", "-n", "300")
        self.snl("checkpoint", "--log-key", self.key)
        self.snl("roll", "long")
        signed = (self.folder / "club.key.signed").read_text()
        self.sql("UPDATE commits SET hash = zeroblob(32) WHERE position = 250")  # a node covers the first 256
        self.refused(4, "another root than the one that was signed", "serve", "--listen", "127.0.0.1:0", "--log-key", self.key)
        self.assertEqual((self.folder / "club.key.signed").read_text(), signed)

    def test_ends_where_an_older_copy_is_restored(self):
        self.sign()
        kept = self.keep("kept")
        self.snl("db", "backup", self.folder / "copy.db")
        self.snl("new", "Cid", "Dan", "--id", "h")
        run = self.run_snl("db", "restore", self.folder / "copy.db", "--force")
        self.assertEqual((run.code, run.err), (0, ""))  # all that was signed is in it
        self.snl("new", "Cid", "Dan", "--id", "h")
        self.sign()
        run = self.run_snl("db", "restore", self.folder / "copy.db", "--force")
        self.assertEqual(run.code, 0)
        self.assertIn("the log club.example/log had signed 41 commits; the copy holds the first 40, unchanged", run.err)
        self.refused(4, "holds 40 commits, and 41 were signed", "checkpoint", "--log-key", self.key)
        self.snl("key", "new", "club.example/log2", self.folder / "next.key")
        run = self.run_snl("checkpoint", "--log-key", self.folder / "next.key")
        self.assertEqual(run.code, 0)
        self.assertIn("the log club.example/log of this store has ended; its log is club.example/log2 now", run.err)
        self.snl("audit", "--checkpoint", kept)
        self.refused(5, "has ended", "checkpoint", "--log-key", self.key)

    def test_goes_on_from_its_newest_checkpoint_where_a_copy_that_holds_it_is_restored(self):
        self.sign()
        self.snl("new", "Cid", "Dan", "--id", "h", "--cells", "1000000")
        self.snl("roll", "h", "-n", "600")
        self.snl("db", "backup", self.folder / "copy.db")  # all commits, and the checkpoint of the first 40
        note = self.sign()
        self.snl("db", "restore", self.folder / "copy.db", "--force")
        self.assertEqual(self.snl("checkpoint"), note)
        self.snl("prove", "h")  # without the key: the tree's nodes are there
        self.snl("prove", "--since", self.file("kept", note), "--policy", self.policy)
        self.assertTrue(self.json("audit", "--policy", self.policy)["log"]["held"])
        # A copy from before the log began, and one of a log with another key.
        for name in ("unsigned", "other"):
            copy = self.folder / f"{name}.db"
            self.snl("db", "copy", self.folder / "copy.db", copy)
            if name == "other":
                self.snl("key", "new", "other.example/log", self.folder / "other.key")
                self.snl("checkpoint", "--log-key", self.folder / "other.key", db=copy)
            run = self.run_snl("db", "restore", copy, "--force")
            self.assertEqual(run.code, 0)
            self.assertRegex(run.err, r"\A.* other\.example/log, signs no more.*\n\Z" if name == "other" else r"\A\Z")
            self.assertEqual(self.snl("checkpoint"), note)
            self.assertEqual(self.sign(), note)

    def test_that_has_ended_does_not_begin_again_where_a_copy_is_restored(self):
        copies = {name: self.folder / f"{name}.db" for name in ("unsigned", "first", "third")}
        keys = {name: self.folder / f"{name}.key" for name in ("second", "third")}
        for name, key in keys.items():
            self.snl("key", "new", f"{name}.example/log", key)
        self.snl("db", "backup", copies["unsigned"])
        self.sign()
        self.snl("db", "backup", copies["first"])
        note = self.run_snl("checkpoint", "--log-key", keys["second"]).out
        for name in ("unsigned", "first"):
            with self.subTest(name):
                run = self.run_snl("db", "restore", copies[name], "--force")
                self.assertEqual(run.code, 0)
                self.assertEqual("that of the copy, club.example/log, signs no more" in run.err, name == "first")
                self.assertEqual(self.snl("checkpoint"), note)
                self.assertEqual(self.json("audit")["log"]["origin"], "second.example/log")
                self.refused(5, "has ended; use the key of second.example/log", "checkpoint", "--log-key", self.key)
                self.assertEqual(self.snl("checkpoint", "--log-key", keys["second"]), note)
        # A later log of the copy ends the store's own.
        self.snl("db", "backup", copies["third"])
        self.assertEqual(self.run_snl("checkpoint", "--log-key", keys["third"], db=copies["third"]).code, 0)
        run = self.run_snl("db", "restore", copies["third"], "--force")
        self.assertEqual(run.code, 0)
        self.assertIn("the log second.example/log had signed 40 commits; the copy holds another log after it, third.example/log: this key",
                      run.err)

    def test_of_a_copy_goes_on_where_a_strangers_log_was_put_after_it(self):
        note = self.sign()
        self.snl("db", "backup", self.folder / "copy.db")
        self.snl("key", "new", "thief.example/log", self.folder / "thief.key")
        self.run_snl("checkpoint", "--log-key", self.folder / "thief.key")  # it warns of the log that ends
        run = self.run_snl("db", "restore", self.folder / "copy.db", "--force")
        self.assertEqual(run.code, 0)
        self.assertIn("if thief.example/log isn't yours, move the store away and restore the copy again", run.err)
        self.refused(5, "has ended", "checkpoint", "--log-key", self.key)
        store = pathlib.Path(self.json("db", "info")["path"])
        store.rename(self.folder / "away.db")
        self.snl("db", "restore", self.folder / "copy.db")
        self.assertEqual(self.sign(), note)

    def test_takes_no_checkpoint_of_a_forged_store_into_a_copy(self):
        note = self.sign()
        self.snl("new", "Cid", "Dan", "--id", "h")
        copy = self.folder / "copy.db"
        self.snl("db", "backup", copy)  # 41 commits, and the checkpoint of the first 40
        self.sql(f"UPDATE checkpoints SET signed = '{self.forged_note(41)}', published = '{self.forged_note(41)}'")
        run = self.run_snl("db", "restore", copy, "--force")
        self.assertEqual(run.code, 0)
        self.assertIn(f"the log {NAME} gets no checkpoint of 41 commits from the store as it was: its key didn't sign that", run.err)
        self.assertEqual(self.snl("checkpoint"), note)
        self.assertTrue(self.json("audit", "--policy", self.policy)["log"]["held"])

        # One that the key signed goes into the copy that holds it, whatever became of the store's commits.
        note = self.sign()
        self.sql("UPDATE commits SET hash = zeroblob(32) WHERE position = 5")
        run = self.run_snl("db", "restore", copy, "--force")
        self.assertEqual((run.code, run.err), (0, ""))
        self.assertEqual(self.snl("checkpoint"), note)

        # Nothing can be said of the commits of an older copy where the store's aren't the signed ones.
        self.snl("db", "backup", self.folder / "newer.db")
        self.snl("new", "Cid", "Dan", "--id", "i")
        self.sign()
        self.sql("UPDATE commits SET hash = zeroblob(32) WHERE position = 5")
        self.assertIn("had signed 42 commits; the copy holds only 41 commits: this key", self.run_snl("db", "restore", copy, "--force").err)

    def test_ends_where_a_copy_with_other_commits_is_restored(self):
        for commits in (40, 41):
            copy = self.folder / f"{commits}.db"
            self.snl("new", "Ann", "Bob", "--cells", "1000000", "--id", "x", db=copy)
            self.snl("roll", "x", "-n", commits - 1, db=copy)
        self.snl("new", "Cid", "Dan", "--id", "h")
        self.sign()
        whole = self.folder / "whole.db"
        self.snl("db", "backup", whole)
        for commits in (40, 41):
            run = self.run_snl("db", "restore", self.folder / f"{commits}.db", "--force")
            self.assertEqual(run.code, 0)
            self.assertIn(f"the log {NAME} had signed 41 commits; the copy holds others in their place: this key", run.err)
            self.assertEqual(self.run_snl("checkpoint", "--log-key", self.key).code, 4)
            self.snl("db", "restore", whole, "--force")

    def test_goes_on_with_whatever_appends(self):
        kept = self.file("kept", self.sign())
        elsewhere = self.folder / "elsewhere.db"
        self.snl("new", "Cid", "Dan", "--id", "j", db=elsewhere)
        self.file("j.jsonl", self.snl("export", "j", db=elsewhere))
        size = 40
        for commits, words in ((1, ("new", "Ann", "Bob", "--id", "h", "--cells", "1000000")), (3, ("roll", "h", "-n", "3")),
                               (1, ("undo", "h")), (1, ("redo", "h")), (1, ("branch", "h", "--at", "2", "--id", "i")),
                               (1, ("roll", "i")), (1, ("import", self.folder / "j.jsonl"))):
            self.snl(*words)
            size += commits
            note = self.sign()
            self.assertEqual(note.split("\n")[1], str(size), words)
            self.snl("prove", "--since", kept, "--policy", self.policy)
            kept.write_text(note)

    def test_is_left_alone_by_what_changes_no_commit(self):
        note = self.sign()
        self.snl("db", "migrate")
        self.snl("db", "compact")
        self.snl("db", "backup", self.folder / "copy.db")
        for store in (self.store, self.folder / "copy.db"):
            self.assertEqual(self.snl("checkpoint", db=store), note)
            self.assertEqual(self.sign(db=store), note)
            self.assertTrue(self.json("audit", "--policy", self.policy, db=store)["log"]["held"])
            self.assertNotIn(b"PRIVATE+KEY", store.read_bytes())
        self.assertNotIn("PRIVATE+KEY", self.snl("export", "g"))

    def test_is_another_one_where_games_are_copied_one_by_one(self):
        self.snl("new", "Ann", "Bob", "--id", "h", "--cells", "1000000")
        self.snl("undo", "g")
        self.snl("redo", "g")
        self.sign()
        self.snl("prove", "g", "-o", self.folder / "g.proof")
        copy = self.folder / "copy.db"
        self.snl("db", "copy", self.store, copy)
        self.assertEqual(self.show("g", db=copy)["head"], self.show("g")["head"])
        self.refused(3, "no checkpoint yet", "checkpoint", db=copy)
        self.refused(4, "the first 43 commits have another root", "checkpoint", "--log-key", self.key, db=copy)
        # A proof that was made before goes with the game.
        self.snl("export", "g", "-o", self.folder / "g.jsonl", db=copy)
        self.assertTrue(self.json("verify", self.folder / "g.jsonl", self.folder / "g.proof", "--policy", self.policy)["ok"])
        self.snl("key", "new", "club.example/copy", self.folder / "copy.key")
        self.assertIn("club.example/copy\n43\n", self.snl("checkpoint", "--log-key", self.folder / "copy.key", db=copy))

    def test_of_a_store_of_any_schema_is_signed_once_it_is_upgraded(self):
        for number, sample in enumerate(sorted((snl.TESTS / "stores").glob("*.db"))):
            store = self.folder / sample.name
            shutil.copy(sample, store)
            self.run_snl("db", "migrate", db=store)
            self.snl("key", "new", f"club.example/{number}", self.folder / f"{number}.key")
            signed = self.run_snl("checkpoint", "--log-key", self.folder / f"{number}.key", db=store)  # one had a log
            self.assertEqual(signed.code, 0, signed)
            self.assertEqual(int(signed.out.split("\n")[1]), self.json("db", "info", db=store)["commits"])
            vkey = self.snl("key", "show", self.folder / f"{number}.key").strip()
            policy = self.file("its-policy", f"log {vkey}\nquorum none\n")
            games = [game["id"] for game in self.json_lines("list", db=store)]
            self.assertTrue(games)
            for game in games[:5]:
                self.snl("export", game, "--force", "-o", self.folder / "one.jsonl", db=store)
                self.snl("prove", game, "--force", "-o", self.folder / "one.proof", db=store)
                self.assertTrue(self.json("verify", self.folder / "one.jsonl", self.folder / "one.proof", "--policy", policy)["ok"])

    def test_is_signed_by_one_key_of_a_name(self):
        self.sign()
        self.snl("key", "new", NAME, self.folder / "other.key")
        self.refused(5, "by another key", "checkpoint", "--log-key", self.folder / "other.key")
        self.refused(1, "there already", "key", "new", NAME, self.key)
        self.refused(2, "can't be a key's name", "key", "new", "a b", self.folder / "x.key")
        self.key.chmod(0o644)
        self.refused(1, "others may read", "checkpoint", "--log-key", self.key)
        self.key.chmod(0o600)
        (self.folder / "club.key.signed").unlink()
        self.refused(1, "it is gone", "checkpoint", "--log-key", self.key)

    def test_is_signed_by_one_process_at_a_time(self):
        files = self.key, self.folder / "club.key.signed", self.store
        before = [file.read_bytes() for file in files]
        with self.key.open() as key:
            fcntl.flock(key, fcntl.LOCK_EX)
            self.refused(1, "another process uses this key", "checkpoint", "--log-key", self.key)
        self.assertEqual([file.read_bytes() for file in files], before)
        self.sign()

    def test_waits_for_the_witnesses_of_a_policy(self):
        witness = self.snl("key", "new", "school.example/witness", self.folder / "w.key", "--witness").strip()
        policy = self.file("two", f"log {self.vkey}\nwitness school {witness}\nquorum school\n")
        run = self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy)
        self.assertEqual(run.code, 1)
        self.assertIn("the quorum is not reached: cosigned by nobody", run.err)
        self.assertNotIn("all the same", run.err)
        self.refused(3, "isn't published", "checkpoint")
        missing = ("is signed, but not published: not enough witnesses have cosigned it; "
                   "snl checkpoint --request prints what to send them")
        self.refused(1, f"version 40 of game g {missing}", "prove", "g")
        self.refused(1, f"version 40 of game g {missing}", "export", "g", "-f", "html", "--policy", policy)
        self.refused(1, f"the store {missing}", "prove", "--since", self.file("kept", run.out), "--policy", policy)
        self.snl("new", "Cid", "Dan", "--id", "h")
        self.refused(1, "version 1 of game h is not signed yet", "prove", "h")
        self.assertEqual(self.run_snl("audit", "--policy", policy).code, 4)
        request = self.snl("checkpoint", "--request")
        self.assertEqual(request, "old 0\n\n" + run.out)
        self.assertRegex(self.snl("checkpoint", "--request", "--old", "3"), r"^old 3\n(.{44}\n){2,}\n" + NAME)
        self.refused(2, "has 40 commits", "checkpoint", "--request", "--old", "41")
        answer = self.file("answer", run.out.splitlines()[-1] + "\n")
        self.refused(4, "none of its lines is the cosignature", "checkpoint", "--add", answer, "--policy", policy)
        # A checkpoint that was published without witnesses stays so, though a later policy asks for one.
        self.sign()
        run = self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy, "--json")
        self.assertEqual((run.code, json.loads(run.out)["published"]), (1, True))
        self.assertIn("the checkpoint is already published, but wouldn't be by this policy: the quorum is not reached", run.err)
        self.assertNotIn("not published", run.err)
        # The checkpoint of another log.
        self.snl("key", "new", "other.example/log", self.folder / "other.key")
        self.snl("new", "Ann", "Bob", db=self.folder / "other.db")
        other = self.file("other", self.snl("checkpoint", "--log-key", self.folder / "other.key", db=self.folder / "other.db"))
        self.refused(4, "its checkpoint is of other.example/log, and the log of this store is club.example/log", "checkpoint", "--add", other,
                     "--policy", policy)
        (self.folder / "latin1").write_bytes(f"# Sch\xf6n\nlog {self.vkey}\nquorum none\n".encode("latin-1"))
        self.refused(2, "line 1: it isn't UTF-8", "checkpoint", "--policy", self.folder / "latin1")

    def test_says_what_is_said_together(self):
        for words in (["--old", "3"], ["--add", "x"], ["--json", "-o", self.folder / "x"],
                      ["--request", "--log-key", self.key], ["--add", "x", "--policy", self.policy, "--log-key", self.key]):
            self.assertEqual(self.run_snl("checkpoint", *words).code, 2, words)
        for words in ([], ["g", "--since", "x"], ["--since", "x"]):
            self.assertEqual(self.run_snl("prove", *words).code, 2, words)
        self.refused(2, "isn't a checkpoint", "audit", "--checkpoint", self.policy)


class AWitness(AClub):
    def post(self, url, body):
        host, port = url.removeprefix("http://").split(":")
        connection = http.client.HTTPConnection(host, int(port), timeout=snl.PATIENCE)
        self.addCleanup(connection.close)
        connection.request("POST", "/add-checkpoint", body.encode())
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type"), answer.read().decode()

    def test_cosigns_what_is_published_then(self):
        process, policy = self.start_witness()
        for turn in range(3):
            note = self.sign("--policy", policy)
            self.assertEqual(self.snl("checkpoint"), note)
            self.assertEqual(note.count("\n— "), 2)
            self.snl("new", "Cid", "Dan", "--id", f"h{turn}")
        self.sign("--policy", policy)
        told = self.json("checkpoint", "--log-key", self.key, "--policy", policy)
        self.assertEqual([witness["name"] for witness in told["witnesses"]], ["school.example/witness"])
        report = self.json("audit", "--policy", policy)["log"]
        self.assertTrue(report["quorum"] and report["witnesses"])
        self.assertRegex(self.snl("audit", "--policy", policy),
                         r"witnesses: school.example/witness \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ; the quorum is reached\n")
        self.snl("prove", "g", "-o", self.folder / "proof")
        self.snl("export", "g", "-o", self.folder / "g.jsonl")
        self.assertIn("the quorum is reached", self.snl("verify", self.folder / "g.jsonl", self.folder / "proof",
                                                        "--policy", policy))
        # A page names the witnesses of a policy that have cosigned, and no others.
        idle = self.snl("key", "new", "idle.example/witness", self.folder / "idle.key", "--witness").strip()
        self.file("some", policy.read_text() + f"witness idle {idle}\n")
        self.snl("export", "g", "-o", self.folder / "g.html", "--policy", self.folder / "some")
        self.assertIn(f'"witnesses":["{self.witness_vkey}"]', (self.folder / "g.html").read_text())
        self.assertIn("the quorum is reached", self.snl("verify", self.folder / "g.html", "--policy", policy))
        self.file("idle", f"log {self.vkey}\nwitness idle {idle}\nquorum idle\n")
        self.refused(4, "the quorum is not reached", "export", "g", "-f", "html", "--policy", self.folder / "idle")
        # The kept checkpoints are served, and survive a kill.
        name = hashlib.sha256(NAME.encode()).hexdigest()
        with urllib.request.urlopen(f"{process.url}/{name}/checkpoint", timeout=snl.PATIENCE) as kept:
            self.assertIn(f"{NAME}\n43\n", kept.read().decode())
        process.kill()
        process.wait()
        self.assertIn("43\n", (self.folder / "state" / name / "checkpoint").read_text())

    def test_of_a_log_that_is_signed_twice_stops_the_second(self):
        _, policy = self.start_witness()
        self.sign("--policy", policy)
        # A thief has store and key as they were before that.
        thief = self.folder / "thief"
        thief.mkdir()
        self.snl("new", "Ann", "Bob", "--id", "g", "--seed", "9", db=thief / "s.db")
        shutil.copy(self.key, thief / "key")
        shutil.copy(self.folder / "nothing.signed", thief / "key.signed")
        run = self.run_snl("checkpoint", "--log-key", thief / "key", "--policy", policy, db=thief / "s.db")
        self.assertEqual(run.code, 4)
        self.assertIn("witness school has seen 40 commits under this key", run.err)
        self.snl("roll", "g", "--all", db=thief / "s.db")
        for _ in range(60):
            self.snl("new", "Ann", "Bob", db=thief / "s.db")
        run = self.run_snl("checkpoint", "--log-key", thief / "key", "--policy", policy, db=thief / "s.db")
        self.assertEqual(run.code, 4)
        self.assertIn("another history", run.err)
        self.refused(3, "isn't published", "checkpoint", db=thief / "s.db")

    @contextlib.contextmanager
    def answering(self, answer_to):
        """A server in a witness's place. Gives the policy that trusts it, and the requests' paths and bodies as they come.
        `answer_to(body)` is a status, a type and a body, None to send nothing, or b"" to cut the connection."""
        asked, stopping = [], threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                asked.append((self.path, body))
                answer = answer_to(body)
                if answer is None:
                    stopping.wait()
                if not answer:
                    return
                status, kind, text = answer
                self.send_response(status)
                self.send_header("Content-Type", kind)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(text.encode())

            do_GET = do_POST

            def log_message(self, *words):
                pass

        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield self.trusting(f"http://127.0.0.1:{server.server_port}"), asked
            finally:
                stopping.set()
                server.shutdown()

    def cosignature(self, note, time, key=None):
        """The line of the school's witness, made by openssl from the key file alone."""
        name, number, coded = (key or self.witness_key).read_text().strip().split("+", 2)[2].split("+", 2)
        private = self.folder / "private.der"
        private.write_bytes(PRIVATE_KEY + base64.b64decode(coded)[1:])
        text = note[:note.index("\n\n") + 1]
        self.file("message", f"cosignature/v1\ntime {time}\n{text}")
        signed = subprocess.run(["openssl", "pkeyutl", "-sign", "-keyform", "DER", "-inkey", private, "-rawin", "-in", self.folder / "message"],
                                capture_output=True, check=True).stdout
        return f"— {name} {base64.b64encode(bytes.fromhex(number) + struct.pack('>Q', time) + signed).decode()}\n"

    def test_that_is_silent_or_lies_is_told_and_nothing_is_published(self):
        now = int(time.time())
        note = self.run_snl("checkpoint", "--log-key", self.key, "--policy", self.trusting("")).out  # signed, and not published
        stranger = self.folder / "stranger.key"
        self.snl("key", "new", WITNESS, stranger, "--witness")
        answers = {
            "500": (500, "text/plain", ""), "302": (302, "text/plain", ""), "nothing": (200, "text/plain", ""),
            "nonsense": (200, "text/plain", "— school.example/witness AAAA\n"),
            "no size": (409, "text/plain", "7\n"), "no number": (409, "text/x.tlog.size", "x\n"),
            "less than it was asked": (409, "text/x.tlog.size", "0\n"),
            "too long": (200, "text/plain", "a" * (200 << 10)),
            "cut": b"", "silent": None,
            "of no time": (200, "text/plain", self.cosignature(note, 0)),
            "of the future": (200, "text/plain", self.cosignature(note, now + 1000)),
            "of another text": (200, "text/plain", self.cosignature(note.replace("\n40\n", "\n41\n"), now)),
            "by another key of the name": (200, "text/plain", self.cosignature(note, now, stranger)),
        }
        for name, answer in answers.items():
            with self.subTest(name), self.answering(lambda body, answer=answer: answer) as (policy, asked):
                run = self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy)
                self.assertEqual(run.code, 1)
                self.assertIn("the quorum is not reached: cosigned by nobody", run.err)
                self.refused(3, "isn't published", "checkpoint")
                self.assertEqual({path for path, _ in asked}, {"/add-checkpoint"})  # a redirect isn't followed
                self.assertLessEqual(len(asked), 2)
        for url in (f"http://{self.closed_address()}", "https://school.example", "ftp://x", "http://"):
            run = self.run_snl("checkpoint", "--log-key", self.key, "--policy", self.trusting(url))
            self.assertEqual(run.code, 1)
            self.assertIn(f"witness school ({url}): ", run.err)
        # A clock that is some minutes ahead is no lie, and isn't asked again.
        line = self.cosignature(note, now + 250)
        with self.answering(lambda body: (200, "text/plain", line)) as (policy, asked):
            for _ in range(2):
                self.assertEqual(self.sign("--policy", policy), note + line)
            self.assertEqual(len(asked), 1)

    def test_of_which_another_answers_meanwhile_loses_no_cosignature(self):
        other_key = self.folder / "other.key"
        other = self.snl("key", "new", "other.example/witness", other_key, "--witness").strip()
        now, added = int(time.time()), []
        note = self.run_snl("checkpoint", "--log-key", self.key, "--policy", self.trusting("")).out
        lines, line = self.file("lines", self.cosignature(note, now, other_key)), self.cosignature(note, now)

        def answer(body):
            added.append(self.run_snl("checkpoint", "--add", lines, "--policy", self.folder / "both"))
            return 200, "text/plain", line

        with self.answering(answer) as (policy, _):
            both = policy.read_text().replace("quorum school", f"witness other {other}\ngroup both all school other\nquorum both")
            note = self.sign("--policy", self.file("both", both))
        self.assertEqual([run.code for run in added], [1])  # kept, though no quorum
        self.assertEqual(note.count("\n— "), 3)
        self.assertEqual(self.snl("checkpoint"), note)

    def test_that_saw_more_of_the_same_store_meanwhile_is_no_alarm(self):
        def quicker(body):
            self.snl("new", "Cid", "Dan")
            self.sign()  # by another process
            return 409, "Text/x.tlog.size; charset=utf-8", "41\n"  # as a proxy may write it

        with self.answering(quicker) as (policy, _):
            run = self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy)
        self.assertEqual(run.code, 1)
        self.assertIn("it has seen a newer one, which was signed meanwhile", run.err)

    def test_is_reached_otherwise(self):
        process, _ = self.start_witness()
        policy = self.trusting("", "offline")
        self.assertEqual(self.run_snl("checkpoint", "--log-key", self.key, "--policy", policy).code, 1)
        status, kind, answer = self.post(process.url, self.snl("checkpoint", "--request"))
        self.assertEqual((status, kind), (200, "text/plain; charset=utf-8"))
        note = self.snl("checkpoint", "--add", self.file("answer", "— stranger AAAAAAA=\n" + answer), "--policy", policy)
        self.assertTrue(note.endswith(answer))
        self.assertEqual(self.snl("checkpoint"), note)
        self.assertEqual(self.snl("checkpoint", "--add", self.folder / "answer", "--policy", policy), note)
        signed = note.removesuffix(answer)  # a whole checkpoint may be added: no line of a stranger's comes with it
        self.assertEqual(self.snl("checkpoint", "--add", self.file("whole", f"{signed}— stranger AAAAAAA=\n{answer}"), "--policy", policy), note)
        self.assertEqual(self.snl("checkpoint"), note)
        self.snl("key", "new", "other.example/witness", self.folder / "other.key", "--witness")
        other = self.snl("key", "show", self.folder / "other.key").strip()
        another = self.popen("witness", "--key", self.folder / "other.key", "--policy", self.policy, "--state", self.folder / "other", "--listen",
                             "127.0.0.1:0", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.end, another)
        second = self.post(another.stdout.readline().strip().removeprefix("listening on "), self.snl("checkpoint", "--request"))[2]
        both = self.file("both", f"log {self.vkey}\nwitness school {self.witness_vkey}\nwitness other {other}\ngroup both all school other\nquorum both\n")
        self.assertEqual(self.snl("checkpoint", "--add", self.file("second", signed + second), "--policy", both), note + second)
        self.assertEqual(self.post(process.url, self.snl("checkpoint", "--request"))[:2], (409, "text/x.tlog.size"))
        self.assertEqual(self.post(process.url, "nonsense")[0], 400)
        for kilobytes in (129, 8 << 10):  # the whole body is sent before the response is read
            self.assertEqual(self.post(process.url, "a" * (kilobytes << 10))[:2], (413, "text/plain; charset=utf-8"))
        kept = f"{process.url}/{hashlib.sha256(NAME.encode()).hexdigest()}/checkpoint"
        with urllib.request.urlopen(kept) as got, urllib.request.urlopen(urllib.request.Request(kept, method="HEAD")) as head:
            self.assertEqual((head.status, head.headers["content-length"], head.read()), (200, str(len(got.read())), b""))

    def test_needs_its_own_key_and_a_place(self):
        self.refused(1, "it is a log's key", "witness", "--key", self.key, "--policy", self.policy, "--state",
                     self.folder / "state")
        self.refused(2, "HOST:PORT", "witness", "--key", self.witness_key, "--policy", self.policy, "--state",
                     self.folder / "state", "--listen", "nowhere")

    def test_warns_of_each_log_of_which_it_has_no_record(self):
        process, policy = self.start_witness()
        self.sign("--policy", policy)
        self.end(process)
        self.snl("key", "new", "next.example/log", self.folder / "next.key")
        both = self.file("both", f"log {self.vkey}\nlog {self.snl('key', 'show', self.folder / 'next.key').strip()}\nquorum none\n")
        (self.folder / "state" / "lost+found").mkdir()
        missing = {"next.example/log"}
        for _ in range(2):
            process = self.popen("witness", "--key", self.witness_key, "--policy", both, "--state", self.folder / "state", "--listen",
                                 "127.0.0.1:0", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            process.stdout.readline()
            process.terminate()
            _, warned = process.communicate()
            for name in (NAME, "next.example/log"):
                self.assertEqual(f"holds no record of {name}; if this key has cosigned it before" in warned, name in missing)
            (self.folder / "state" / hashlib.sha256(NAME.encode()).hexdigest() / "checkpoint").unlink(missing_ok=True)
            missing.add(NAME)

    def test_repeats_no_private_key_that_is_given_as_a_policy(self):
        secret = self.key.read_text().strip()
        for number, text in enumerate((secret, f"log {secret}", f"witness w {secret}", f"quorum {secret}")):
            run = self.run_snl("audit", "--policy", self.file(f"secret{number}", text + "\n"))
            self.assertEqual((run.code, secret.split("+", 4)[4] in run.err + run.out), (2, False))
            self.assertIn("line 1: it holds a private key; a policy has the vkey that snl key show prints", run.err)


if __name__ == "__main__":
    snl.main()
