-- A turn is one row written, in one way: an INSERT into the view `appending`, of a commit that names the head
-- that it follows. One that doesn't follow its game's last commit is an error, and so is another with its
-- version or its command ID: whoever sent it asks why. A game's state is folded from its log, in long games
-- from a snapshot on; the row of a game is for lists alone: of it, game, id, created and completed are read and
-- written. What a server knows of a game besides its log is one document.

-- An older program's INSERTs don't name it. They are refused as by a server that can't be written to: such a
-- program then connects anew, and says that a newer one is needed.
ALTER TABLE commits ADD COLUMN follows bytea NOT NULL DEFAULT '\x'; -- the head before it; empty before now

CREATE FUNCTION use_a_newer_snl() RETURNS bytea LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'this store is kept by a newer snl; use that' USING ERRCODE = 'read_only_sql_transaction';
END $$;
ALTER TABLE commits ALTER COLUMN follows SET DEFAULT use_a_newer_snl();

DROP TRIGGER commits_are_appended_at_the_head ON commits;
DROP FUNCTION admit_commit;
DROP FUNCTION admit_rarely;
DROP FUNCTION append;
DROP FUNCTION append_several;
DROP FUNCTION begin_game;
DROP FUNCTION command_id_used;
DROP FUNCTION refusal;
DROP FUNCTION require_all;
DROP FUNCTION rewrite;
DROP FUNCTION summarise;
DROP FUNCTION summary_is_due;
DROP FUNCTION used;

CREATE FUNCTION append(text, bigint, bytea, integer, bigint, bigint, text, text, bytea, text, text[], boolean,
                       bigint, bigint, bigint, bigint, bigint, integer, integer, integer, integer, bytea, text)
  RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM snl.use_a_newer_snl();
END $$;
CREATE FUNCTION append_several(text, bigint, bytea, integer, bigint, bigint[], text[], text[], bytea[], text[],
                               text[], boolean, bigint, bigint, bigint, bigint, bigint, integer, integer,
                               integer, integer, bytea, text)
  RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  PERFORM snl.use_a_newer_snl();
END $$;

-- What can be appended: a commit at a position of its own transaction that follows the last one of its game,
-- at a higher position, or begins a game that has a row. Two that come at once wait for each other at the
-- primary key. The names here were bound when the view was made, whatever the search_path of who inserts.
CREATE VIEW appending AS
  SELECT c.game, c.version, c.follows, c.position, c.time, c.attempt, c.hash, c.command, c.events, c.command_id
    FROM commits c
   WHERE (c.position >> 20) = (txid_current() + (SELECT k.shift FROM clock k))
     AND c.time >= 0 AND c.time <= '253402300799999'::bigint AND octet_length(c.hash) = 32
     AND ((EXISTS (SELECT FROM commits p WHERE p.game = c.game AND p.version = (c.version - 1)
                   AND p.hash = c.follows AND p.position < c.position))
          OR c.version = 1 AND c.position = c.game AND c.follows = decode(repeat('00'::text, 32), 'hex'::text)
             AND (EXISTS (SELECT FROM games g WHERE g.game = c.game)))
  WITH CHECK OPTION;

-- ---- What is derived

-- The newest snapshot of a game that has come so far, derived from its commits: bound to them by version
-- and head, and to itself by hash.
CREATE TABLE snapshots (
  game    bigint PRIMARY KEY REFERENCES games (game),
  version bigint NOT NULL CHECK (version > 0),
  head    bytea  NOT NULL CHECK (length(head) = 32),
  state   text   NOT NULL,                                         -- JSON
  hash    bytea  NOT NULL CHECK (length(hash) = 32)
);

-- What programs of before this migration read, and what others write no more.
ALTER TABLE games ALTER COLUMN version DROP NOT NULL, ALTER COLUMN position DROP NOT NULL,
                  ALTER COLUMN of_version DROP NOT NULL, ALTER COLUMN turn DROP NOT NULL,
                  ALTER COLUMN last_turn DROP NOT NULL, ALTER COLUMN redo_version DROP NOT NULL,
                  ALTER COLUMN redoable DROP NOT NULL, ALTER COLUMN last_index DROP NOT NULL,
                  ALTER COLUMN redo_index DROP NOT NULL, ALTER COLUMN next DROP NOT NULL,
                  ALTER COLUMN head DROP NOT NULL, ALTER COLUMN of_head DROP NOT NULL,
                  ALTER COLUMN seal DROP NOT NULL, ALTER COLUMN cells DROP NOT NULL;

-- Writes what lists show of a game, before its commits: all of it where its first commit is the so manieth
-- of this transaction; else whether it is completed.
CREATE FUNCTION list_game(a_id text, a_first integer, a_created bigint, a_completed boolean, a_players text[])
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, snl, pg_temp AS $$
BEGIN
  LOCK TABLE commits IN ROW EXCLUSIVE MODE;  -- before that of games, as who inserts commits first
  IF a_first IS NULL THEN
    UPDATE games g SET completed = a_completed WHERE g.id = a_id AND g.completed <> a_completed;
    UPDATE players p SET completed = a_completed FROM games g
     WHERE g.id = a_id AND p.game = g.game AND p.completed <> a_completed;
  ELSE
    INSERT INTO games (game, id, created, completed)
    VALUES (position_now(a_first), a_id, a_created, a_completed);
    INSERT INTO players (game, seat, completed, name)
    SELECT position_now(a_first), seat - 1, a_completed, name
      FROM unnest(a_players) WITH ORDINALITY AS p (name, seat);
  END IF;
END $$;

-- ---- Hosted games

-- What a server knows of a game besides its log becomes one document: what it says is the business of the
-- program that reads it (storage/README.md specifies it), and here stands only what games are looked up by.

CREATE TABLE hosted_games (
  id         text   COLLATE "C" PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 64),
  revision   bigint NOT NULL UNIQUE CHECK (revision > 0),          -- the number of its last change
  -- Of the document, as the server reads them there: so they can't say anything else.
  created    bigint NOT NULL GENERATED ALWAYS AS ((document ->> 'created')::bigint) STORED,
  stage      text   NOT NULL GENERATED ALWAYS AS (document ->> 'stage') STORED,
  visibility text   NOT NULL GENERATED ALWAYS AS (document ->> 'visibility') STORED,
  given_up   text            GENERATED ALWAYS AS (document ->> 'given_up') STORED,
  host_token text   NOT NULL UNIQUE GENERATED ALWAYS AS (document ->> 'host_token') STORED,
  document   json   NOT NULL                                       -- as it was written: jsonb has another order
);
CREATE INDEX hosted_games_waiting ON hosted_games (created, id) WHERE stage <> 'started';
CREATE INDEX hosted_games_played ON hosted_games (id) WHERE stage = 'started' AND given_up IS NULL;

-- One row: how many changes of hosted games there have been. Who changes one locks it first.
CREATE TABLE hosted_game_revisions (
  one  integer PRIMARY KEY CHECK (one = 1),
  last bigint  NOT NULL CHECK (last >= 0)
);
INSERT INTO hosted_game_revisions SELECT one, number FROM room_changes;

INSERT INTO hosted_games (id, revision, document)
SELECT r.id, r.changed, json_build_object(
  'form', 1,
  'created', r.created,
  'stage', r.stage,
  'visibility', CASE WHEN r.private THEN 'private' ELSE 'public' END,
  'given_up', r.given_up,
  'host_token', encode(r.host_token, 'hex'),
  'request', encode(r.request, 'hex'),
  'dice', r.dice,
  'takebacks', r.takebacks,
  'board', r.board::json,
  'rules', json_build_object('start', r.start, 'finish', r.finish, 'dice', r.throws, 'faces', r.faces,
                             'sixes', r.sixes, 'enter', json_build_array(), 'meet', 'share',
                             'safe', json_build_array()),
  'seats', (SELECT json_agg(CASE WHEN s.seat IS NOT NULL THEN json_build_object(
      'name', s.name,
      'token', encode(s.token, 'hex'),
      'tokens', s.tokens,
      'entropy_hash', encode(s.entropy_hash, 'hex'),
      'entropy', encode(s.entropy, 'hex')) END ORDER BY n)
    FROM generate_series(0, r.places - 1) n LEFT JOIN room_seats s ON s.room = r.room AND s.seat = n),
  'secret', encode(r.secret, 'hex'),
  'question', CASE WHEN r.question IS NOT NULL THEN json_build_object(
    'id', r.question,
    'by', r.asked_by,
    'to', r.asked_to,
    'asked_at', r.asked_at,
    'agreed', (SELECT coalesce(json_agg(n ORDER BY n), '[]') FROM generate_series(0, 9) n
                WHERE r.agreed >> n & 1 = 1),
    'outcome', r.outcome) END)
FROM rooms r ORDER BY r.room;

DROP TABLE room_seats;
DROP TABLE rooms;
DROP TABLE room_changes;

-- ---- Roles

-- Who may do what snl does, and no more: SELECT snl.admit('web').
CREATE OR REPLACE FUNCTION admit(role_name name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT INSERT ON snl.appending TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE ON snl.snapshots TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON snl.hosted_games TO %I', role_name);
  EXECUTE format('GRANT UPDATE ON snl.hosted_game_revisions TO %I', role_name);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA snl TO %I', role_name);
END $$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA snl FROM PUBLIC;

-- Whoever was admitted before is so again. Their older programs may INSERT what is refused by `follows`.
DO $$
DECLARE
  role_name name;
BEGIN
  FOR role_name IN
    SELECT r.rolname FROM pg_proc p, aclexplode(p.proacl) a JOIN pg_roles r ON r.oid = a.grantee
     WHERE p.proname = 'lock_games' AND p.pronamespace = to_regnamespace('snl') AND a.grantee <> p.proowner
  LOOP
    PERFORM snl.admit(role_name);
    EXECUTE format('REVOKE INSERT ON snl.commits FROM %I', role_name);
    EXECUTE format('GRANT INSERT (game, version, position, time, attempt, hash, command, events, command_id) '
                   'ON snl.commits TO %I', role_name);
  END LOOP;
END $$;
