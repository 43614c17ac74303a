-- A turn is one row written: a game's state is folded from its log, in long games from a snapshot on.
-- storage/README.md specifies every column.
--
-- A migration that was applied is never edited: its checksum is recorded and checked.

-- The newest snapshot of a game that has come so far, derived from its commits: bound to them by version
-- and head, and to itself by hash.
CREATE TABLE snapshots (
  game    INTEGER PRIMARY KEY REFERENCES games (game),
  version INTEGER NOT NULL CHECK (version > 0),
  head    BLOB    NOT NULL CHECK (length(head) = 32),
  state   TEXT    NOT NULL,                                         -- JSON
  hash    BLOB    NOT NULL CHECK (length(hash) = 32)
) STRICT;

-- Of a row of games, only game, id, created and status are read and written from now on. The other
-- columns stay, so that a store of a million games is upgraded at once, and a program that had it open
-- before goes on.
