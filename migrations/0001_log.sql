-- The log and what is derived from it. storage/README.md specifies every column.
--
-- A migration that was applied is never edited: its checksum is recorded and checked.

-- Which migrations made this schema.
CREATE TABLE migrations (
  number INTEGER PRIMARY KEY,
  name   TEXT NOT NULL,
  sha256 BLOB NOT NULL CHECK (length(sha256) = 32)
) STRICT;

-- A row for each game. All but game and id is derived from the game's commits: written in the same
-- transaction, bound to them by version and head, and to itself by seal; never trusted unchecked.
CREATE TABLE games (
  game           INTEGER PRIMARY KEY CHECK (game > 0),
  id             TEXT    NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  created        INTEGER NOT NULL,                                  -- time of the first commit
  version        INTEGER NOT NULL CHECK (version > 0),              -- of the last commit
  head           BLOB    NOT NULL CHECK (length(head) = 32),        -- its hash
  status         TEXT    NOT NULL CHECK (status IN ('in-progress', 'completed')),
  turn           INTEGER NOT NULL,                                  -- the last one in force
  cells          TEXT    NOT NULL,                                  -- a JSON list, by seat
  next           INTEGER NOT NULL,                                  -- seat
  winner         INTEGER,                                           -- seat
  last_turn      INTEGER NOT NULL,                                  -- version of the commit of turn
  last_index     INTEGER NOT NULL,                                  -- of the last event in its commit
  redo_version   INTEGER NOT NULL,                                  -- what a redo puts back
  redo_index     INTEGER NOT NULL,
  redoable       INTEGER NOT NULL,
  seal           BLOB    NOT NULL CHECK (length(seal) = 32)
) STRICT;
CREATE INDEX games_by_status ON games (status, game);

-- Who plays, derived from the first commit.
CREATE TABLE players (
  game INTEGER NOT NULL REFERENCES games (game),
  seat INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 9),
  name TEXT    NOT NULL,
  PRIMARY KEY (game, seat)
) STRICT, WITHOUT ROWID;
CREATE INDEX players_by_name ON players (name, game);

-- The log. A row is a commit: one command with the events that it caused.
CREATE TABLE commits (
  position   INTEGER PRIMARY KEY CHECK (position > 0),              -- in the store, gapless
  game       INTEGER NOT NULL REFERENCES games (game),
  version    INTEGER NOT NULL CHECK (version > 0),                  -- in the game, gapless
  time       INTEGER NOT NULL CHECK (time BETWEEN 0 AND 253402300799999), -- Unix milliseconds
  command    TEXT    NOT NULL,                                      -- JSON
  events     TEXT    NOT NULL,                                      -- a JSON list
  hash       BLOB    NOT NULL CHECK (length(hash) = 32),
  command_id TEXT,                                                  -- the command's "id", if any
  UNIQUE (game, version)
) STRICT;
CREATE UNIQUE INDEX commits_by_command_id ON commits (game, command_id)
  WHERE command_id IS NOT NULL;

CREATE TRIGGER commits_are_never_updated BEFORE UPDATE ON commits
BEGIN
  SELECT raise(ABORT, 'commits are never updated');
END;

CREATE TRIGGER commits_are_never_deleted BEFORE DELETE ON commits
BEGIN
  SELECT raise(ABORT, 'commits are never deleted');
END;

-- Also what stops INSERT OR REPLACE, which deletes without firing a delete trigger.
CREATE TRIGGER commits_are_appended_without_gaps BEFORE INSERT ON commits
BEGIN
  SELECT raise(ABORT, 'a commit''s position is the next one of the store')
  WHERE NEW.position IS NOT 1 + coalesce((SELECT max(position) FROM commits), 0);
  SELECT raise(ABORT, 'a commit''s version is the next one of its game')
  WHERE NEW.version IS NOT
    1 + coalesce((SELECT max(version) FROM commits WHERE game = NEW.game), 0);
  SELECT raise(ABORT, 'a command ID is used once in a game')
  WHERE NEW.command_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM commits WHERE game = NEW.game AND command_id = NEW.command_id);
END;

CREATE TRIGGER games_are_never_deleted BEFORE DELETE ON games
BEGIN
  SELECT raise(ABORT, 'games are never deleted');
END;

-- Not "UPDATE OF game, id": that wouldn't see the key under its other names, such as rowid.
CREATE TRIGGER games_keep_their_ids BEFORE UPDATE ON games
WHEN NEW.game IS NOT OLD.game OR NEW.id IS NOT OLD.id
BEGIN
  SELECT raise(ABORT, 'a game keeps its ID');
END;

CREATE TRIGGER games_are_never_replaced BEFORE INSERT ON games
WHEN EXISTS (SELECT 1 FROM games WHERE game = NEW.game OR id = NEW.id)
BEGIN
  SELECT raise(ABORT, 'games are never replaced');
END;

-- The events, a row each, for people with the sqlite3 shell.
CREATE VIEW events AS
SELECT
  c.position, g.id AS game, c.version, e.key AS "index",
  strftime('%Y-%m-%dT%H:%M:%fZ', c.time / 1000.0, 'unixepoch') AS time,
  b.key AS type,
  iif(b.key = 'started', NULL, iif(b.key = 'played', b.value ->> 1, b.value ->> 2)) AS turn,
  (SELECT p.name FROM players p WHERE p.game = c.game
     AND p.seat = iif(b.key = 'played', b.value ->> 2, iif(b.key = 'started', NULL, b.value ->> 3))
  ) AS player,
  iif(b.key = 'played', b.value -> 3, NULL) AS dice,
  iif(b.key = 'played', b.value ->> 4, NULL) AS rolled,
  CASE b.key WHEN 'played' THEN b.value ->> 5 WHEN 'started' THEN NULL ELSE b.value ->> 4 END AS "from",
  iif(b.key = 'played', b.value ->> 6, NULL) AS landed,
  CASE b.key WHEN 'played' THEN b.value ->> 7 WHEN 'started' THEN NULL ELSE b.value ->> 5 END AS "to",
  CASE b.key WHEN 'played' THEN b.value ->> 8 WHEN 'redone' THEN b.value ->> 6 END AS outcome,
  (SELECT p.name FROM players p WHERE p.game = c.game
     AND p.seat = CASE b.key WHEN 'played' THEN b.value ->> 9 WHEN 'redone' THEN b.value ->> 7
                             WHEN 'undone' THEN b.value ->> 3 END
  ) AS next,
  lower(hex(c.hash)) AS hash
FROM commits c
JOIN games g ON g.game = c.game
JOIN json_each(c.events) e
JOIN json_each(e.value) b;
