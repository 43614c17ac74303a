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

-- What a server knows of a game besides its log becomes one document: what it says is the business of the
-- program that reads it (storage/README.md specifies it), and here stands only what games are looked up by.

CREATE TABLE hosted_games (
  id         TEXT    PRIMARY KEY NOT NULL CHECK (length(id) BETWEEN 1 AND 64),
  revision   INTEGER NOT NULL UNIQUE CHECK (revision > 0),          -- the number of its last change
  -- The document's members of these names. Whoever writes it takes them from there, in the same statement.
  -- (As generated columns SQLite 3.40 refuses them: its JSON functions aren't trusted in a schema.)
  created    INTEGER NOT NULL,
  stage      TEXT    NOT NULL,
  visibility TEXT    NOT NULL,
  given_up   TEXT,
  host_token TEXT    NOT NULL UNIQUE,
  document   TEXT    NOT NULL
) STRICT;
CREATE INDEX hosted_games_waiting ON hosted_games (created, id) WHERE stage <> 'started';
CREATE INDEX hosted_games_played ON hosted_games (id) WHERE stage = 'started' AND given_up IS NULL;

-- One row: how many changes of hosted games there have been. A number is never used twice, whatever is
-- deleted.
CREATE TABLE hosted_game_revisions (
  one  INTEGER PRIMARY KEY CHECK (one = 1),
  last INTEGER NOT NULL CHECK (last >= 0)
) STRICT;
INSERT INTO hosted_game_revisions SELECT one, number FROM room_changes;

INSERT INTO hosted_games
WITH RECURSIVE seat (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM seat WHERE n < 9)
SELECT r.id, r.changed, r.created, r.stage, CASE r.private WHEN 1 THEN 'private' ELSE 'public' END, r.given_up,
       lower(hex(r.host_token)), json_object(
  'form', 1,
  'created', r.created,
  'stage', r.stage,
  'visibility', CASE r.private WHEN 1 THEN 'private' ELSE 'public' END,
  'given_up', r.given_up,
  'host_token', lower(hex(r.host_token)),
  'request', lower(hex(r.request)),
  'dice', r.dice,
  'takebacks', r.takebacks,
  'board', CASE WHEN json_valid(r.board) THEN json(r.board) ELSE r.board END, -- damaged, this game alone is
  'rules', json_object('start', r.start, 'finish', r.finish, 'dice', r.throws, 'faces', r.faces,
                       'sixes', r.sixes, 'enter', json_array(), 'meet', 'share', 'safe', json_array()),
  'seats', (SELECT json_group_array(json(said)) FROM (
    SELECT CASE WHEN s.seat IS NULL THEN 'null' ELSE json_object(
      'name', s.name,
      'token', lower(hex(s.token)),
      'tokens', s.tokens,
      'entropy_hash', CASE WHEN s.entropy_hash IS NOT NULL THEN lower(hex(s.entropy_hash)) END,
      'entropy', CASE WHEN s.entropy IS NOT NULL THEN lower(hex(s.entropy)) END) END AS said
    FROM seat LEFT JOIN room_seats s ON s.room = r.room AND s.seat = seat.n
    WHERE seat.n < r.places ORDER BY seat.n)),
  'secret', CASE WHEN r.secret IS NOT NULL THEN lower(hex(r.secret)) END,
  'question', CASE WHEN r.question IS NOT NULL THEN json_object(
    'id', r.question,
    'by', r.asked_by,
    'to', r.asked_to,
    'asked_at', r.asked_at,
    'agreed', (SELECT json_group_array(n) FROM (
      SELECT n FROM seat WHERE r.agreed >> n & 1 ORDER BY n)),
    'outcome', r.outcome) END)
FROM rooms r ORDER BY r.room;

DROP TABLE room_seats;
DROP TABLE rooms;
DROP TABLE room_changes;
