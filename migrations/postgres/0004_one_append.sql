-- One way to append: an INSERT into the view `appending`, of one commit that names the head that it follows.
-- A commit that doesn't follow its game's last one is an error, and so is another with its version or its
-- command ID: whoever sent it asks why.

-- An older program's INSERTs don't name it. They are refused as by a server that can't be written to: such a
-- program then connects anew, and says that a newer one is needed.
ALTER TABLE commits ADD COLUMN follows bytea NOT NULL DEFAULT '\x'; -- the head before it; of commits from now on

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
DROP FUNCTION command_id_used;
DROP FUNCTION refusal;
DROP FUNCTION require_all;
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

-- Writes what is derived of a game before the commits that lead to this version, the first and the last of
-- which are the so manieth of their transaction; no first one where the game is there already.
CREATE FUNCTION write_game(a_id text, a_first integer, a_last integer, a_version bigint, a_head bytea,
                           a_players text[], a_completed boolean, a_created bigint, a_turn bigint,
                           a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                           a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                           a_seal bytea, a_cells text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, snl, pg_temp AS $$
BEGIN
  LOCK TABLE commits IN ROW EXCLUSIVE MODE;  -- before that of games, as who inserts commits first
  IF a_first IS NULL THEN
    PERFORM summarise(g.game, a_version, position_now(a_last), a_head, a_completed, a_created, a_turn,
                      a_last_turn, a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner,
                      a_seal, a_cells) FROM games g WHERE g.id = a_id;
  ELSIF NOT begin_game(position_now(a_first), a_id, a_version, position_now(a_last), a_head, a_players,
                       a_completed, a_created, a_turn, a_last_turn, a_redo_version, a_redoable, a_last_index,
                       a_redo_index, a_next, a_winner, a_seal, a_cells) THEN
    RAISE EXCEPTION 'game % is there already', a_id USING ERRCODE = 'unique_violation';
  END IF;
END $$;

-- ---- Roles

-- Who may do what snl does, and no more: SELECT snl.admit('web').
CREATE OR REPLACE FUNCTION admit(role_name name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT INSERT ON snl.appending TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON snl.rooms, snl.room_seats TO %I', role_name);
  EXECUTE format('GRANT UPDATE ON snl.room_changes TO %I', role_name);
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
