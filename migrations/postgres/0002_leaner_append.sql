-- A turn costs its server less. PostgreSQL reads the expressions of CHECK and of WHEN anew for every
-- statement, which took a third of an append; the body of a function it reads once a session. So what
-- they said is said by triggers now: each refuses what was refused before.

ALTER TABLE games DROP CONSTRAINT games_game_check, DROP CONSTRAINT games_version_check,
                  DROP CONSTRAINT games_position_check, DROP CONSTRAINT games_head_check,
                  DROP CONSTRAINT games_of_head_check, DROP CONSTRAINT games_seal_check,
                  DROP CONSTRAINT games_id_check;
ALTER TABLE commits DROP CONSTRAINT commits_version_check, DROP CONSTRAINT commits_position_check,
                    DROP CONSTRAINT commits_time_check, DROP CONSTRAINT commits_hash_check;

-- Neither this nor the next has a search_path of its own, which would be set and put back for each row.
CREATE FUNCTION admit_game() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.game < 1 OR NEW.version < 1 OR NEW.position < 1 OR length(NEW.head) <> 32
     OR length(NEW.of_head) <> 32 OR length(NEW.seal) <> 32 OR length(NEW.id) NOT BETWEEN 1 AND 64 THEN
    RAISE EXCEPTION 'a value of this game is out of range' USING ERRCODE = 'check_violation';
  END IF;
  IF TG_OP = 'UPDATE' AND (NEW.game <> OLD.game OR NEW.id <> OLD.id OR NEW.version < OLD.version
                           OR NEW.position < OLD.position) THEN
    RAISE EXCEPTION 'a game keeps its ID, and only goes on' USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER games_only_go_on BEFORE INSERT OR UPDATE ON games
  FOR EACH ROW EXECUTE FUNCTION admit_game();

-- Only an append moves a game's row on before it adds the commits up to there: any other version is
-- either past that row's or there already.
CREATE OR REPLACE FUNCTION admit_commit() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version < 1 OR NEW.position < 1 OR NEW.time NOT BETWEEN 0 AND 253402300799999
     OR length(NEW.hash) <> 32 THEN
    RAISE EXCEPTION 'a value of this commit is out of range' USING ERRCODE = 'check_violation';
  END IF;
  PERFORM 1 FROM snl.games g
   WHERE g.game = NEW.game AND g.version >= NEW.version AND g.position >= NEW.position;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a commit is appended at the head of its game'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;

-- As before, with fewer statements: a turn like most, of which no summary is due, is one UPDATE and one
-- INSERT. Whose search_path would find anything else than this schema's names is refused: that is as
-- safe as setting one for each call, which takes longer than looking.
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
  was_completed boolean;
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
  IF a_seal IS NULL THEN
    -- The position is position_now(a_n).
    UPDATE games g SET version = a_version + 1, head = a_hash,
                       position = ((pg_current_xact_id()::text::bigint + c.shift) << 20) + a_n
      FROM clock c
     WHERE g.id = a_id AND g.version = a_version AND g.head = a_head
       AND g.position < ((pg_current_xact_id()::text::bigint + c.shift) << 20) + a_n
       AND g.completed = a_completed AND c.one = 1
    RETURNING g.game, g.position INTO key, mine;
    IF key IS NULL THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, position_now(a_n));
    END IF;
  ELSIF a_version = 0 THEN
    mine := position_now(a_n);
    IF NOT begin_game(mine, a_id, 1, mine, a_hash, a_players, a_completed, a_created, a_turn, a_last_turn,
                      a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner, a_seal,
                      a_cells) THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
    END IF;
    key := mine;
  ELSE
    mine := position_now(a_n);
    SELECT g.completed INTO was_completed FROM games g WHERE g.id = a_id;
    UPDATE games g SET version = a_version + 1, head = a_hash, position = mine,
                       completed = a_completed, created = a_created, of_version = a_version + 1,
                       turn = a_turn, last_turn = a_last_turn, redo_version = a_redo_version,
                       redoable = a_redoable, last_index = a_last_index, redo_index = a_redo_index,
                       next = a_next, winner = a_winner, of_head = a_hash, seal = a_seal, cells = a_cells
     WHERE g.id = a_id AND g.version = a_version AND g.head = a_head AND g.position < mine
    RETURNING g.game INTO key;
    IF key IS NULL THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
    END IF;
    IF was_completed <> a_completed THEN
      UPDATE players p SET completed = a_completed WHERE p.game = key;
    END IF;
  END IF;
  INSERT INTO commits (game, version, position, time, attempt, hash, command, events, command_id)
  VALUES (key, a_version + 1, mine, a_time, a_attempt, a_hash, a_command, a_events, a_command_id);
  RETURN mine;
END $$;

REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA snl FROM PUBLIC;
