"""Goal: a store of every schema version that ever landed opens, upgrades, replays and audits to the same heads, for
ever. Method: tests/stores/N.db was written by the program whose latest migration was N, and is never written again.
Its contents are pinned below.

The author of a migration makes the next store, with the program of that time, and adds its line. The store has every
kind of command and event, outcome and rule, command IDs, names beyond ASCII, and a branch of a branch.

SNL_TORTURE=N has several processes upgrade each of them N times.
"""

import contextlib
import hashlib
import os
import shutil
import sqlite3
import subprocess

import server
import snl

STORES = snl.TESTS / "stores"
MIGRATIONS = snl.TESTS.parent / "migrations"

# By schema version: the file, the store's head, the digest of every game's replay, and each game's head
# and version.
KEPT = {
    1: {
        "sha256": "8f65f2ffe25fb0feb25e2a60dbe101fe7fbb7b418bc691086469e5bfbb2e5c5d",
        "head": "d2035f39b5368987af241e3a7d482a7fd79eb5ec4c55cee2a057dc363f3faaf3",
        "replays": "f1b03a9876536a6f10621013b580729bd08af9f77717daa37327ba8bb12e23e7",
        "games": {
            "bounce": ("605156ecfc1f143ea1cb8a2ce980d3558f1cd5dd06c31879b22a0a7ad47a5ea2", 16),
            "branch": ("459f6770950fa1f984104b650444906fbd2aca7abdf83cb4f4c5fa670d90dca5", 3),
            "branch2": ("628879b6461449a5579bc6df4bd9cc1aab0936db6a147ba762da553be1123933", 3),
            "empty": ("450a9593f4b48c8fde912ae763e8aa4f683bcb2e03189b5993315550f61806bd", 1),
            "final": ("0b3c72187f6b599eca712ef9bfd2134ae0bf818d2db9db0c38f2ba5f053715a4", 63),
            "over.shoot_1": ("68000a6c51dea6a6e4ad39e2ca3fa6b41195ec9377df220b1261ca5b45d0af73", 5),
            "ten": ("6641d5286b5a82bc308541e3929871e91b4ea8012b8270528f91c56796d228fe", 17),
        },
    },
    2: {
        "sha256": "f687e12a3d2ac0f8799ac09c6bfcc8786bcb50e169798aec96ded8c068387f56",
        "head": "e418edd05859cbcf569dc4d71e25458f78b08a3aa84816e989bde5f4b9f95771",
        "replays": "eb3094e3584f0bad7d4182d580c6cb186999de390d88d2de71dee86332963c67",
        "games": {
            "behind": ("b7db2627c561119d7bf9fd039e57101367c7be245fec67ca92413c5ea0af7a03", 28),
            "bounce": ("605156ecfc1f143ea1cb8a2ce980d3558f1cd5dd06c31879b22a0a7ad47a5ea2", 16),
            "branch": ("459f6770950fa1f984104b650444906fbd2aca7abdf83cb4f4c5fa670d90dca5", 3),
            "branch2": ("628879b6461449a5579bc6df4bd9cc1aab0936db6a147ba762da553be1123933", 3),
            "empty": ("450a9593f4b48c8fde912ae763e8aa4f683bcb2e03189b5993315550f61806bd", 1),
            "final": ("0b3c72187f6b599eca712ef9bfd2134ae0bf818d2db9db0c38f2ba5f053715a4", 63),
            "over.shoot_1": ("68000a6c51dea6a6e4ad39e2ca3fa6b41195ec9377df220b1261ca5b45d0af73", 5),
            "ten": ("6641d5286b5a82bc308541e3929871e91b4ea8012b8270528f91c56796d228fe", 17),
        },
    },
    3: {
        "sha256": "2fc3f4ee3ddc4126d5f02f395052b8dd7632ec55c5a89656f3da001790cfd87d",
        "head": "a6e92da2a5219f028b8145919b801c61ff7be174238a2f7fbc2906935bb0b133",
        "replays": "8806111b5e80cb76f0ee1e230e039f7a06bdaa7ef07cb122a38d1511d4da8b9f",
        "games": {
            "26780f0ef0f937e6c2a077727586ee9c": ("2cde56c61c1b207d8c4d2c285f8bbe1b6b8ce1a84e202662d401fbdf9fc21f2b", 2),
            "3unqzu": ("7cd19fe61cf92af4ac426892e29feaaa7ff2b778fcc8f6ee1b2b9e61acfe3cf5", 75),
            "behind": ("b7db2627c561119d7bf9fd039e57101367c7be245fec67ca92413c5ea0af7a03", 28),
            "bounce": ("605156ecfc1f143ea1cb8a2ce980d3558f1cd5dd06c31879b22a0a7ad47a5ea2", 16),
            "branch": ("459f6770950fa1f984104b650444906fbd2aca7abdf83cb4f4c5fa670d90dca5", 3),
            "branch2": ("628879b6461449a5579bc6df4bd9cc1aab0936db6a147ba762da553be1123933", 3),
            "empty": ("450a9593f4b48c8fde912ae763e8aa4f683bcb2e03189b5993315550f61806bd", 1),
            "final": ("0b3c72187f6b599eca712ef9bfd2134ae0bf818d2db9db0c38f2ba5f053715a4", 63),
            "hnn7m6": ("8d409a30f5b8cfdc20f9b2bb62b95a0d6f794d304dd51c91989fcb35098be52d", 2),
            "over.shoot_1": ("68000a6c51dea6a6e4ad39e2ca3fa6b41195ec9377df220b1261ca5b45d0af73", 5),
            "ten": ("6641d5286b5a82bc308541e3929871e91b4ea8012b8270528f91c56796d228fe", 17),
        },
    },
    4: {
        "sha256": "6a5c15efce8cf5b522be1346ebbea03b21177b7b4e4cf8ad74f7cb288fc6be69",
        "head": "3705573992b938de2db2dafb4deb93a8bed982c6d5117f4f35241a8a1829e6b4",
        "replays": "6bdbae48162a411ccb0c640f9dbfb54e91399712eb0c236f589dd4c2d710524c",
        "games": {
            "26780f0ef0f937e6c2a077727586ee9c": ("2cde56c61c1b207d8c4d2c285f8bbe1b6b8ce1a84e202662d401fbdf9fc21f2b", 2),
            "3unqzu": ("7cd19fe61cf92af4ac426892e29feaaa7ff2b778fcc8f6ee1b2b9e61acfe3cf5", 75),
            "behind": ("b7db2627c561119d7bf9fd039e57101367c7be245fec67ca92413c5ea0af7a03", 28),
            "bounce": ("605156ecfc1f143ea1cb8a2ce980d3558f1cd5dd06c31879b22a0a7ad47a5ea2", 16),
            "branch": ("459f6770950fa1f984104b650444906fbd2aca7abdf83cb4f4c5fa670d90dca5", 3),
            "branch2": ("628879b6461449a5579bc6df4bd9cc1aab0936db6a147ba762da553be1123933", 3),
            "done": ("388cb63010037c8d2ce480e85815bb787ef36804cfc64a23e1c498bd4aa90195", 48),
            "empty": ("450a9593f4b48c8fde912ae763e8aa4f683bcb2e03189b5993315550f61806bd", 1),
            "final": ("0b3c72187f6b599eca712ef9bfd2134ae0bf818d2db9db0c38f2ba5f053715a4", 63),
            "hnn7m6": ("8d409a30f5b8cfdc20f9b2bb62b95a0d6f794d304dd51c91989fcb35098be52d", 2),
            "long": ("ba5325e94e03aeaac1f418340f7065f6fbbfeebfd444dc34c85adf9240446314", 303),
            "over.shoot_1": ("68000a6c51dea6a6e4ad39e2ca3fa6b41195ec9377df220b1261ca5b45d0af73", 5),
            "ten": ("6641d5286b5a82bc308541e3929871e91b4ea8012b8270528f91c56796d228fe", 17),
            "zcefbd": ("4973061c81de13e6d38ac3f57a8cab6a7d1f61ad02c5c18be2d5a759a70de7e8", 4),
        },
    },
}
# The games of 4.db, upgraded, and signed.
KEPT[5] = KEPT[4] | {"sha256": "d462a490500f34d8d865db1b1edfa736142e2cacdc7e70dd958065afb08a5fe3"}
LATEST = max(KEPT)
# From which version on a store has a log, and what its checkpoint is verified by.
FIRST_WITH_LOG = 5
LOG = "upgrade.example/log+2895e8dc+AZ5VeNL6SiJg16FDww8tcm4OhiQEqXm1HLwxVP1Mluig"
TIMES = int(os.environ.get("SNL_TORTURE", "1"))
tally = snl.tally_of_program("an old store upgraded by 6 at once", "acknowledged", "lost", "false_alarms")


class AStoreOfEveryVersion(snl.CommandLineTest):
    def kept(self, version):
        return shutil.copy(STORES / f"{version}.db", self.folder / f"kept-{version}.db")

    def test_that_landed_is_kept(self):
        landed = sorted(int(path.name[:4]) for path in MIGRATIONS.glob("*.sql"))
        self.assertEqual(sorted(KEPT), landed, "a migration was added: keep a store that was made with it")
        self.assertEqual(sorted(path.name for path in STORES.iterdir()), sorted(f"{n}.db" for n in landed))

    def test_is_never_written_again(self):
        for version, kept in KEPT.items():
            store = STORES / f"{version}.db"
            self.assertEqual(hashlib.sha256(store.read_bytes()).hexdigest(), kept["sha256"], store)
            self.assertEqual(int.from_bytes(store.read_bytes()[60:64], "big"), version)  # its user_version

    def test_holds_every_kind_of_command_and_event(self):
        for version in KEPT:
            store = self.kept(version)
            self.snl("db", "migrate", db=store)
            log = self.json_lines("log", db=store)
            kinds = {kind for line in log for said in (line["command"], *line["events"]) for kind in said}
            self.assertEqual(kinds, {"start", "play", "roll", "undo", "undo_to", "redo", "id",
                                     "started", "played", "undone", "redone"})
            outcomes = {turn["outcome"] for game in KEPT[version]["games"]
                        for turn in self.json_lines("replay", game, "--undone", db=store)}
            self.assertEqual(outcomes, {"moved", "blocked", "forfeited", "won"})

    def test_upgrades_and_audits_to_the_same_heads(self):
        for version, kept in KEPT.items():
            store = self.kept(version)
            self.assertEqual(self.json("db", "migrate", db=store), {"from": version, "to": LATEST})
            self.snl("db", "check", db=store)
            report = self.assert_sound(db=store)
            self.assertEqual((report["head"], report["games"]), (kept["head"], len(kept["games"])))
            for game, (head, game_version) in kept["games"].items():
                shown = self.show(game, db=store)
                self.assertEqual((shown["head"], shown["version"]), (head, game_version))
                self.snl("audit", game, "--expect", head, db=store)

    def test_replays_as_it_always_did(self):
        for version, kept in KEPT.items():
            store = self.kept(version)
            self.snl("db", "migrate", db=store)
            replays = "".join(self.snl("replay", game, "--undone", "--json", db=store) for game in kept["games"])
            self.assertEqual(hashlib.sha256(replays.encode()).hexdigest(), kept["replays"])

    def test_goes_on_from_what_was_signed(self):
        policy = self.folder / "policy"
        policy.write_text(f"log {LOG}\nquorum none\n")
        for version in sorted(KEPT)[FIRST_WITH_LOG - 1:]:
            store = self.kept(version)
            self.snl("db", "migrate", db=store)
            self.snl("roll", "branch2", db=store)
            log = self.json("audit", "--policy", policy, db=store)["log"]
            self.assertEqual((log["size"], log["held"], log["signature"]), (570, True, True))

    def test_is_read_as_it_is_or_the_way_out_is_named(self):
        for version in KEPT:
            store = self.kept(version)
            if version == LATEST:
                self.snl("list", db=store)
            else:
                self.refused(1, rf"version {version}.*version {LATEST}.*snl --db {store} db migrate", "list", db=store)

    def test_is_played_on(self):
        for version, kept in KEPT.items():
            store = self.kept(version)
            self.snl("roll", "branch2", db=store)
            self.snl("redo", "ten", db=store)
            self.snl("branch", "final", "--at", "9", db=store)
            self.assertEqual(self.assert_sound(db=store)["games"], len(kept["games"]) + 1)

    def test_is_proven_by_a_backup_that_leaves_it_as_it_is(self):
        for version, kept in KEPT.items():
            store = self.kept(version)
            store.chmod(0o444)
            backup = self.json("db", "backup", self.folder / f"copy-{version}.db", db=store)
            self.assertEqual((backup["head"], backup["games"]), (kept["head"], len(kept["games"])))
            self.assertEqual(self.json("db", "info", db=store)["schema_version"], version)
            self.assertEqual(hashlib.sha256(store.read_bytes()).hexdigest(), kept["sha256"])

    def hashes(self, store):
        with contextlib.closing(sqlite3.connect(store)) as database:
            return {hash_ for (hash_,) in database.execute("SELECT hash FROM commits")}

    def test_is_upgraded_by_several_processes_at_once(self):
        for version, kept in [*KEPT.items()] * TIMES:
            store = self.kept(version)
            before = self.hashes(store)
            upgrading = [self.popen("--db", store, "db", "migrate", stdout=subprocess.DEVNULL) for _ in range(6)]
            codes = [process.wait(snl.PATIENCE) for process in upgrading]
            lost = len(before - self.hashes(store))
            tally.tried += 1
            tally.acknowledged += len(before)
            tally.lost += lost
            tally.false_alarms += sum(code != 0 for code in codes)
            tally.false_alarms += lost == 0 and self.run_snl("audit", db=store).code != 0
            self.assertEqual(codes, [0] * 6)
            self.assertEqual(self.assert_sound(db=store)["head"], kept["head"])

    def test_can_be_restored_from(self):
        for version, kept in KEPT.items():
            self.assertEqual(self.json("db", "restore", self.kept(version), "--force")["head"], kept["head"])
            self.assertEqual(self.json("db", "info")["schema_version"], LATEST)


class AServedStoreOfSchemaThree(server.ServerTest):
    """Its hosted games go on where they were, once it is upgraded. Their tokens are known by hashes alone: so they are
    given others, by SQL, before that."""

    PROMISED = bytes([9] * 32)  # by the first player of each game that isn't started

    def setUp(self):
        super().setUp()
        store = shutil.copy(STORES / "3.db", self.folder / "served.db")
        self.environment["SNL_DB"] = str(store)
        with contextlib.closing(sqlite3.connect(store)) as database:
            database.create_function("hash_of", 1, lambda token: hashlib.sha256(token.encode()).digest())
            database.execute("UPDATE rooms SET host_token = hash_of(id || '-host')")
            database.execute("UPDATE room_seats SET token = hash_of((SELECT id FROM rooms r WHERE r.room = room_seats.room) || '-' || seat)")
            # The first player of the private game, in which one turn was played, asks for it to be taken back.
            database.execute("UPDATE rooms SET question = 2, asked_by = 0, asked_to = 0, asked_at = 2, agreed = 1, outcome = NULL WHERE private")
            database.commit()
        _, self.client = self.serve()

    def tearDown(self):
        self.end_servers()
        self.assert_sound()

    def send(self, game, what, body, player):
        answer = self.client.post(f"/api/games/{game}/{what}", body, token=f"{game}-{player}")
        self.assertIn(answer.status, (200, 201), answer.body)
        return answer.json

    def play_a_turn(self, game):
        state = self.client.get(f"/api/games/{game}").json
        self.assertEqual((state["status"], state["turn"]), ("in-progress", 0))
        seat = next(seat["seat"] for seat in state["seats"] if seat["name"] == state["next"])
        self.assertEqual(self.send(game, "turns", {}, seat)["turn"], 1)

    def test_is_open_to_players(self):
        state = self.client.get("/api/games/wh3q2y").json
        self.assertEqual((state["status"], state["places"], [seat["name"] for seat in state["seats"]]), ("open", 3, ["waits"]))
        self.assertEqual(state["rules"], {"start": 0, "finish": "exact", "dice": 1, "faces": 8, "sixes": "plain"})
        token = server.token()
        self.assertEqual(self.client.post("/api/games/wh3q2y/seats", {"name": "Ann", "token": token}).json["seat"], 1)
        self.assertEqual(self.send("wh3q2y", "start", {}, "host")["status"], "drawing")
        self.assertEqual(self.send("wh3q2y", "entropy", {"entropy": self.PROMISED.hex()}, 0)["status"], "in-progress")
        self.play_a_turn("wh3q2y")

    def test_is_drawn_from_what_was_promised(self):
        state = self.client.get("/api/games/987mnc").json
        self.assertEqual((state["status"], state["seats"][0]["entropy_hash"]), ("drawing", hashlib.sha256(self.PROMISED).hexdigest()))
        self.assertEqual(self.send("987mnc", "entropy", {"entropy": self.PROMISED.hex()}, 0)["status"], "in-progress")
        with contextlib.closing(sqlite3.connect(STORES / "3.db")) as database:
            ((secret,),) = database.execute("SELECT secret FROM rooms WHERE id = '987mnc'").fetchall()
        self.assertEqual(self.client.get("/api/games/987mnc").json["draw"]["commitment"], hashlib.sha256(secret).hexdigest())
        self.play_a_turn("987mnc")

    def test_has_the_question_answered_that_was_asked(self):
        (game,) = (game for game in KEPT[3]["games"] if len(game) == 32)
        asked = self.client.get(f"/api/games/{game}").json["takeback"]
        self.assertEqual(asked, {"id": 2, "by": 0, "to": 0, "agreed": [0], "outcome": None})
        state = self.send(game, "takebacks/2", {"agree": True}, 1)
        self.assertEqual((state["turn"], state["takeback"]["outcome"], state["takeback"]["agreed"]), (0, "done", [0, 1]))

    def test_stays_given_up(self):
        self.assertEqual(self.client.get("/api/games/hnn7m6").json["status"], "abandoned")


if __name__ == "__main__":
    snl.main()
