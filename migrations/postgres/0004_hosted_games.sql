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
