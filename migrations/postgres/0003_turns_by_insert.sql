-- A turn costs its server half. It is one INSERT of a commit, whose key locks: the trigger compares what
-- its sender expects with the last commit of the game. The game's row waits for the next summary, as in a
-- file: it is of the last commit, or of one at most 15 before it.

-- Who appended when this began has ended.
LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE;

-- ---- What is inserted

-- The first commit of a game, and why another isn't admitted. Whoever sends another head inserts nothing:
-- that spoils no transaction that other games share, and `append` tells why. All else is an error.
CREATE FUNCTION admit_rarely(new commits, is_ahead boolean) RETURNS commits LANGUAGE plpgsql
  SET search_path = pg_catalog, snl, pg_temp AS $$
DECLARE
  mine bigint;
BEGIN
  IF new.version < 1 OR new.position < 0 OR new.time NOT BETWEEN 0 AND 253402300799999
     OR length(new.hash) NOT IN (32, 64) THEN
    RAISE EXCEPTION 'a value of this commit is out of range' USING ERRCODE = 'check_violation';
  END IF;
  IF length(new.hash) = 32 THEN
    -- A function of before this migration, which was under way, has moved the game's row on.
    PERFORM 1 FROM games g
     WHERE g.game = new.game AND g.version >= new.version AND g.position >= new.position
       AND new.position >= position_now(0);
    IF FOUND THEN
      RAISE EXCEPTION 'the store was upgraded meanwhile' USING ERRCODE = 'serialization_failure';
    END IF;
    RAISE EXCEPTION 'a commit is appended at the head of its game' USING ERRCODE = 'restrict_violation';
  END IF;
  IF new.position >= 1 << 20 THEN
    RAISE EXCEPTION 'a transaction has no room for more commits' USING ERRCODE = 'check_violation';
  END IF;
  mine := position_now(new.position::integer);
  IF is_ahead AND new.version = 1 THEN
    PERFORM 1 FROM games g WHERE g.game = new.game AND g.game = mine;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'a game begins with its row' USING ERRCODE = 'restrict_violation';
    END IF;
    new.position := mine;
    new.hash := substr(new.hash, 33);
    RETURN new;
  END IF;
  RETURN NULL;
END $$;

-- What is inserted says, as its position, the how manieth commit of its transaction it is, from 0, and as
-- its hash, first the hash of the commit that it follows, then its own. Its position is made here, so that
-- it is its transaction's. Two that come at once wait for each other at the primary key.
--
-- All that is called names its schema: this runs as who inserts, and with his search_path. It has few
-- expressions, since each is prepared anew in every transaction.
CREATE OR REPLACE FUNCTION admit_commit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last_hash bytea;
  last_position bigint;
  mine bigint;
BEGIN
  -- The last commit, if the game isn't still before what is expected. The clock is read plainly, whose
  -- lock lasts until the transaction ends: who shifts it waits for it.
  SELECT c.hash, c.position,
         pg_catalog.txid_current() OPERATOR(pg_catalog.+) (SELECT k.shift FROM snl.clock k)
         OPERATOR(pg_catalog.<<) 20 OPERATOR(pg_catalog.|) NEW.position
    INTO last_hash, last_position, mine
    FROM snl.commits c
   WHERE c.game OPERATOR(pg_catalog.=) NEW.game
     AND c.version OPERATOR(pg_catalog.>=) (NEW.version OPERATOR(pg_catalog.-) 1)
   ORDER BY c.version DESC;
  -- One hash has one version; whoever lies about it meets the primary key.
  IF last_hash OPERATOR(pg_catalog.=) pg_catalog.substr(NEW.hash, 1, 32)
     AND last_position OPERATOR(pg_catalog.<) mine AND NEW.position OPERATOR(pg_catalog.<) 1048576
     AND NEW.time OPERATOR(pg_catalog.>=) 0 AND NEW.time OPERATOR(pg_catalog.<=) 253402300799999
     AND pg_catalog.octet_length(NEW.hash) OPERATOR(pg_catalog.=) 64 THEN
    IF NEW.command_id IS NOT NULL THEN
      PERFORM 1 FROM snl.commits c WHERE c.game OPERATOR(pg_catalog.=) NEW.game
                                     AND c.command_id OPERATOR(pg_catalog.=) NEW.command_id;
      IF FOUND THEN
        RETURN NULL;
      END IF;
    END IF;
    NEW.position := mine;
    NEW.hash := pg_catalog.substr(NEW.hash, 33);
    RETURN NEW;
  END IF;
  RETURN snl.admit_rarely(NEW, last_hash IS NULL);
END $$;

-- ---- Appending

-- As before, of the game's last commit, which its row no longer tells.
CREATE OR REPLACE FUNCTION refusal(a_id text, a_version bigint, a_head bytea, a_attempt bigint, a_mine bigint)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  key bigint;
  last record;
  recorded bigint;
BEGIN
  SELECT g.game INTO key FROM games g WHERE g.id = a_id;
  SELECT c.version, c.hash, c.position INTO last FROM commits c
   WHERE c.game = key ORDER BY c.version DESC LIMIT 1;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  SELECT c.position INTO recorded FROM commits c
   WHERE c.game = key AND c.version = a_version + 1 AND c.attempt = a_attempt;
  IF FOUND THEN
    PERFORM pg_logical_emit_message(true, 'snl', '');
    RETURN recorded;
  END IF;
  IF last.version = a_version AND last.hash = a_head THEN
    IF last.position >= a_mine THEN
      RAISE EXCEPTION 'this transaction began before one that has gone on with the game'
        USING ERRCODE = 'SN001';
    END IF;
    RETURN summary_is_due();
  END IF;
  RETURN -last.version;
END $$;

-- Writes what is derived of a game as of this version.
CREATE FUNCTION summarise(a_game bigint, a_version bigint, a_position bigint, a_head bytea,
                          a_completed boolean, a_created bigint, a_turn bigint,
                          a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                          a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                          a_seal bytea, a_cells text)
  RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE games g SET version = a_version, head = a_head, position = a_position, completed = a_completed,
                     created = a_created, of_version = a_version, turn = a_turn, last_turn = a_last_turn,
                     redo_version = a_redo_version, redoable = a_redoable, last_index = a_last_index,
                     redo_index = a_redo_index, next = a_next, winner = a_winner, of_head = a_head,
                     seal = a_seal, cells = a_cells
   WHERE g.game = a_game AND g.version <= a_version;
  UPDATE players p SET completed = a_completed WHERE p.game = a_game AND p.completed <> a_completed;
END $$;

-- Appends one commit in all cases. Most turns need no more than its INSERT: those of which no summary is
-- due and that are what is expected.
CREATE OR REPLACE FUNCTION append(a_id text, a_version bigint, a_head bytea, a_n integer,
                       a_attempt bigint, a_time bigint, a_command text, a_events text, a_hash bytea,
                       a_command_id text, a_players text[], a_completed boolean, a_created bigint,
                       a_turn bigint, a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                       a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                       a_seal bytea, a_cells text)
  RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  mine bigint;
  key bigint;
BEGIN
  IF pg_catalog.current_setting('search_path') OPERATOR(pg_catalog.<>) 'pg_catalog, snl, pg_temp' THEN
    RAISE EXCEPTION 'to append, SET search_path = pg_catalog, snl, pg_temp'
      USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF a_command_id IS NOT NULL THEN
    mine := used(a_id, a_command_id, a_attempt);
    IF mine IS NOT NULL THEN
      RETURN mine;
    END IF;
  END IF;
  IF a_version = 0 THEN
    LOCK TABLE commits IN ROW EXCLUSIVE MODE;  -- before that of games, as who inserts commits first
    key := position_now(a_n);
    IF NOT begin_game(key, a_id, 1, key, a_hash, a_players, a_completed, a_created, a_turn, a_last_turn,
                      a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner, a_seal,
                      a_cells) THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, key);
    END IF;
  ELSE
    SELECT g.game INTO key FROM games g
     WHERE g.id = a_id AND (a_seal IS NOT NULL OR g.completed = a_completed);
    IF NOT FOUND THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, position_now(a_n));
    END IF;
  END IF;
  INSERT INTO commits (game, version, position, time, attempt, hash, command, events, command_id)
  VALUES (key, a_version + 1, a_n, a_time, a_attempt, a_head || a_hash, a_command, a_events, a_command_id)
  RETURNING position INTO mine;
  IF NOT FOUND THEN
    RETURN refusal(a_id, a_version, a_head, a_attempt, position_now(a_n));
  END IF;
  IF a_version > 0 AND a_seal IS NOT NULL THEN
    PERFORM summarise(key, a_version + 1, mine, a_hash, a_completed, a_created, a_turn, a_last_turn,
                      a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner, a_seal,
                      a_cells);
  END IF;
  RETURN mine;
END $$;

-- The same with several commits, which have the positions from the n-th on.
CREATE OR REPLACE FUNCTION append_several(a_id text, a_version bigint, a_head bytea, a_n integer,
                               a_attempt bigint, a_times bigint[], a_commands text[], a_events text[],
                               a_hashes bytea[], a_command_ids text[],
                               a_players text[], a_completed boolean, a_created bigint, a_turn bigint,
                               a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                               a_last_index integer, a_redo_index integer, a_next integer,
                               a_winner integer, a_seal bytea, a_cells text)
  RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, snl, pg_temp AS $$
DECLARE
  mine bigint;
  key bigint;
  count integer := array_length(a_times, 1);
  hash bytea := a_hashes[count];
  found_id bigint;
BEGIN
  SELECT min(used(a_id, i, a_attempt)) INTO found_id FROM unnest(a_command_ids) AS i WHERE i IS NOT NULL;
  IF found_id IS NOT NULL THEN
    RETURN found_id;
  END IF;
  LOCK TABLE commits IN ROW EXCLUSIVE MODE;
  mine := position_now(a_n);
  IF a_version = 0 THEN
    IF NOT begin_game(mine, a_id, count, mine + count - 1, hash, a_players, a_completed, a_created,
                      a_turn, a_last_turn, a_redo_version, a_redoable, a_last_index, a_redo_index, a_next,
                      a_winner, a_seal, a_cells) THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
    END IF;
    key := mine;
  ELSE
    SELECT g.game INTO key FROM games g WHERE g.id = a_id;
    IF NOT FOUND THEN
      RETURN 0;
    END IF;
  END IF;
  INSERT INTO commits (game, version, position, time, attempt, hash, command, events, command_id)
  SELECT key, a_version + i, a_n + i - 1, c.time, a_attempt, before || c.hash, c.command, c.events,
         c.command_id
    FROM unnest(a_times, a_commands, a_events, a_hashes, a_command_ids, a_head || a_hashes)
         WITH ORDINALITY AS c (time, command, events, hash, command_id, before, i)
   WHERE i <= count;
  IF NOT FOUND THEN
    RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
  END IF;
  IF a_version > 0 THEN
    PERFORM summarise(key, a_version + count, mine + count - 1, hash, a_completed, a_created, a_turn,
                      a_last_turn, a_redo_version, a_redoable, a_last_index, a_redo_index, a_next,
                      a_winner, a_seal, a_cells);
  END IF;
  RETURN mine;
END $$;

-- An error where this transaction hasn't appended so many commits: it is rolled back, and none is there.
CREATE FUNCTION require_all(commits bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first bigint := snl.position_now(0);
  there bigint;
BEGIN
  SELECT count(*) INTO there FROM snl.commits c WHERE c.position >= first AND c.position < first + (1 << 20);
  IF there <> commits THEN
    RAISE EXCEPTION 'one of several appends is refused' USING ERRCODE = 'SN002';
  END IF;
END $$;

-- Replaces what is derived of a game that is at this version and head.
CREATE OR REPLACE FUNCTION rewrite(a_id text, a_version bigint, a_head bytea,
                        a_players text[], a_completed boolean, a_created bigint, a_turn bigint,
                        a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                        a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                        a_seal bytea, a_cells text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, snl, pg_temp AS $$
DECLARE
  key bigint;
  last record;
BEGIN
  SELECT g.game INTO key FROM games g WHERE g.id = a_id FOR UPDATE;
  SELECT c.version, c.hash, c.position INTO last FROM commits c
   WHERE c.game = key ORDER BY c.version DESC LIMIT 1;
  IF last.version = a_version AND last.hash = a_head THEN
    PERFORM summarise(key, a_version, last.position, a_head, a_completed, a_created, a_turn, a_last_turn,
                      a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner, a_seal,
                      a_cells);
    DELETE FROM players p WHERE p.game = key;
    INSERT INTO players (game, seat, completed, name)
    SELECT key, seat - 1, a_completed, name FROM unnest(a_players) WITH ORDINALITY AS p (name, seat);
  END IF;
END $$;

-- Until the transaction ends, nobody else appends: an append locks commits first. It takes no number: a
-- row's lock would.
CREATE OR REPLACE FUNCTION lock_games() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, snl, pg_temp AS $$
BEGIN
  LOCK TABLE commits IN SHARE ROW EXCLUSIVE MODE;
END $$;

-- ---- Roles

-- Who may do what snl does, and no more: SELECT snl.admit('web').
CREATE OR REPLACE FUNCTION admit(role_name name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT INSERT ON snl.commits TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON snl.rooms, snl.room_seats TO %I', role_name);
  EXECUTE format('GRANT UPDATE ON snl.room_changes TO %I', role_name);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA snl TO %I', role_name);
END $$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA snl FROM PUBLIC;

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
