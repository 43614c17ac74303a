-- A turn is one row written: a game's state is folded from its log, in long games from a snapshot on.
-- The row of a game is for lists alone: of it, game, id, created and completed are read and written.

-- At once, and nothing else: who appends has one lock of this and waits for that of commits.
LOCK TABLE games IN ACCESS EXCLUSIVE MODE;

-- The newest snapshot of a game that has come so far, derived from its commits: bound to them by version
-- and head, and to itself by hash.
CREATE TABLE snapshots (
  game    bigint PRIMARY KEY REFERENCES games (game),
  version bigint NOT NULL CHECK (version > 0),
  head    bytea  NOT NULL CHECK (length(head) = 32),
  state   text   NOT NULL,                                         -- JSON
  hash    bytea  NOT NULL CHECK (length(hash) = 32)
);

-- What programs of before this migration write and read. To them, what others wrote is out of date.
ALTER TABLE games ALTER COLUMN turn DROP NOT NULL, ALTER COLUMN last_turn DROP NOT NULL,
                  ALTER COLUMN redo_version DROP NOT NULL, ALTER COLUMN redoable DROP NOT NULL,
                  ALTER COLUMN last_index DROP NOT NULL, ALTER COLUMN redo_index DROP NOT NULL,
                  ALTER COLUMN next DROP NOT NULL, ALTER COLUMN cells DROP NOT NULL;

-- Says of a game, which has come to this version, whether it is completed.
CREATE OR REPLACE FUNCTION summarise(a_game bigint, a_version bigint, a_position bigint, a_head bytea,
                          a_completed boolean, a_created bigint, a_turn bigint,
                          a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                          a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                          a_seal bytea, a_cells text)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE games g SET completed = a_completed WHERE g.game = a_game AND g.completed <> a_completed;
  UPDATE players p SET completed = a_completed WHERE p.game = a_game AND p.completed <> a_completed;
END $$;

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

-- Who may do what snl does, and no more: SELECT snl.admit('web').
CREATE OR REPLACE FUNCTION admit(role_name name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT INSERT ON snl.commits TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE ON snl.snapshots TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON snl.hosted_games TO %I', role_name);
  EXECUTE format('GRANT UPDATE ON snl.hosted_game_revisions TO %I', role_name);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA snl TO %I', role_name);
END $$;

-- Whoever was admitted before is so again.
DO $$
DECLARE
  role_name name;
BEGIN
  FOR role_name IN
    SELECT r.rolname FROM pg_proc p, aclexplode(p.proacl) a JOIN pg_roles r ON r.oid = a.grantee
     WHERE p.proname = 'append' AND p.pronamespace = to_regnamespace('snl') AND a.grantee <> p.proowner
  LOOP
    PERFORM snl.admit(role_name);
  END LOOP;
END $$;
