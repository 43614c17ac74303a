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

-- Who may do what snl does, and no more: SELECT snl.admit('web').
CREATE OR REPLACE FUNCTION admit(role_name name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT INSERT ON snl.commits TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE ON snl.snapshots TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON snl.rooms, snl.room_seats TO %I', role_name);
  EXECUTE format('GRANT UPDATE ON snl.room_changes TO %I', role_name);
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
