-- The log and what is derived from it, on PostgreSQL. storage/postgres/README.md says what each column
-- is; storage/README.md has the form of commands and events, and the hashes.
--
-- A migration that was applied is never edited: its checksum is recorded and checked.

-- One row: what is added to a transaction's number to make its position. A restored dump has positions
-- of a server that counted further.
CREATE TABLE clock (
  one   integer PRIMARY KEY CHECK (one = 1),
  shift bigint  NOT NULL CHECK (shift >= 0)
);
INSERT INTO clock VALUES (1, 0);

-- A row for each game. What comes after `position` is derived from the game's commits, bound to them by
-- of_version and of_head, and to itself by seal; never trusted unchecked.
CREATE TABLE games (
  game         bigint  PRIMARY KEY CHECK (game > 0),               -- the position of its first commit
  version      bigint  NOT NULL CHECK (version > 0),               -- of the last commit: what an
  position     bigint  NOT NULL CHECK (position > 0),              -- append expects, and locks
  completed    boolean NOT NULL,                                   -- as of the last commit
  created      bigint  NOT NULL,
  of_version   bigint  NOT NULL,
  turn         bigint  NOT NULL,
  last_turn    bigint  NOT NULL,
  redo_version bigint  NOT NULL,
  redoable     bigint  NOT NULL,
  last_index   integer NOT NULL,
  redo_index   integer NOT NULL,
  next         integer NOT NULL,
  winner       integer,
  head         bytea   NOT NULL CHECK (length(head) = 32),         -- the hash of the last commit
  of_head      bytea   NOT NULL CHECK (length(of_head) = 32),
  seal         bytea   NOT NULL CHECK (length(seal) = 32),
  id           text    COLLATE "C" NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  cells        text    NOT NULL
) WITH (fillfactor = 70);
CREATE INDEX games_by_status ON games (completed, game);

-- Who plays, derived from the first commit.
CREATE TABLE players (
  game      bigint  NOT NULL REFERENCES games (game),
  seat      integer NOT NULL CHECK (seat BETWEEN 0 AND 9),
  completed boolean NOT NULL,
  name      text    COLLATE "C" NOT NULL,
  PRIMARY KEY (game, seat)
);
CREATE INDEX players_by_name ON players (name, completed, game);

-- The log. A row is a commit: one command with the events that it caused.
CREATE TABLE commits (
  game       bigint NOT NULL,
  version    bigint NOT NULL CHECK (version > 0),                  -- in the game, without gaps
  position   bigint NOT NULL UNIQUE CHECK (position > 0),          -- in the store, with gaps
  time       bigint NOT NULL CHECK (time BETWEEN 0 AND 253402300799999), -- Unix milliseconds
  attempt    bigint NOT NULL,                                      -- whose append it was; not hashed
  hash       bytea  NOT NULL CHECK (length(hash) = 32),
  command    text   NOT NULL,
  events     text   NOT NULL,
  command_id text   COLLATE "C",
  PRIMARY KEY (game, version)
);
CREATE UNIQUE INDEX commits_by_command_id ON commits (game, command_id) WHERE command_id IS NOT NULL;

-- ---- What is refused, whoever tries

CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'restrict_violation';
END $$;

CREATE TRIGGER commits_are_never_updated BEFORE UPDATE ON commits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('commits are never updated');
CREATE TRIGGER commits_are_never_deleted BEFORE DELETE OR TRUNCATE ON commits
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('commits are never deleted');
CREATE TRIGGER games_are_never_deleted BEFORE DELETE OR TRUNCATE ON games
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('games are never deleted');
CREATE TRIGGER games_only_go_on BEFORE UPDATE ON games
  FOR EACH ROW WHEN (NEW.game <> OLD.game OR NEW.id <> OLD.id OR NEW.version < OLD.version
                     OR NEW.position < OLD.position)
  EXECUTE FUNCTION refuse('a game keeps its ID, and only goes on');
CREATE TRIGGER the_clock_never_goes_back BEFORE UPDATE ON clock
  FOR EACH ROW WHEN (NEW.shift < OLD.shift) EXECUTE FUNCTION refuse('positions never go back');
CREATE TRIGGER the_clock_is_never_deleted BEFORE DELETE OR TRUNCATE ON clock
  FOR EACH STATEMENT EXECUTE FUNCTION refuse('positions are never forgotten');

-- Only an append moves a game's row on before it adds the commits up to there: any other version is
-- either past that row's or there already.
CREATE FUNCTION admit_commit() RETURNS trigger LANGUAGE plpgsql
  SET search_path = pg_catalog, snl, pg_temp AS $$
BEGIN
  PERFORM 1 FROM games g
   WHERE g.game = NEW.game AND g.version >= NEW.version AND g.position >= NEW.position;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'a commit is appended at the head of its game'
      USING ERRCODE = 'restrict_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER commits_are_appended_at_the_head BEFORE INSERT ON commits
  FOR EACH ROW EXECUTE FUNCTION admit_commit();

-- ---- Positions

-- The position of the n-th commit of this transaction.
CREATE FUNCTION position_now(n integer) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  added bigint;
BEGIN
  -- A plain read, whose lock lasts until the transaction ends: who shifts the clock waits for it.
  SELECT c.shift INTO added FROM snl.clock c;
  RETURN ((pg_current_xact_id()::text::bigint + added) << 20) + n;
END $$;

-- Below it all commits that will ever be are visible.
CREATE FUNCTION horizon() RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + c.shift) << 20 FROM snl.clock c
$$;

-- Whether this server's transactions would get positions that are there already, or below them.
CREATE FUNCTION clock_is_behind() RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT position >> 20 FROM snl.commits ORDER BY position DESC LIMIT 1), 0)
         >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + c.shift FROM snl.clock c
$$;

CREATE FUNCTION mend_clock() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, snl, pg_temp AS $$
BEGIN
  LOCK TABLE clock IN ACCESS EXCLUSIVE MODE;  -- until whoever read it has ended
  IF clock_is_behind() THEN
    UPDATE clock SET shift = (SELECT max(position) >> 20 FROM commits) + 1
                             - pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  END IF;
END $$;

-- ---- Appending

-- What an append answers: the position of the (first) commit; 0 or less for minus the version at which
-- the game is instead; or one of these.
CREATE FUNCTION command_id_used() RETURNS bigint LANGUAGE sql IMMUTABLE AS 'SELECT -(1::bigint << 61)';
CREATE FUNCTION summary_is_due() RETURNS bigint LANGUAGE sql IMMUTABLE
  AS 'SELECT -(1::bigint << 61) - 1';

-- Why an append didn't find its game as expected; its position where it was recorded before, by who
-- couldn't tell. What was answered of a commit has to be as durable as the commit: so something is
-- written, and this transaction's end waits for whom that one had to wait for.
CREATE FUNCTION refusal(a_id text, a_version bigint, a_head bytea, a_attempt bigint, a_mine bigint)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  there record;
  recorded bigint;
BEGIN
  SELECT g.game, g.version, g.head, g.position INTO there FROM games g WHERE g.id = a_id;
  IF NOT FOUND THEN
    RETURN 0;
  END IF;
  SELECT c.position INTO recorded FROM commits c
   WHERE c.game = there.game AND c.version = a_version + 1 AND c.attempt = a_attempt;
  IF FOUND THEN
    PERFORM pg_logical_emit_message(true, 'snl', '');
    RETURN recorded;
  END IF;
  IF there.version = a_version AND there.head = a_head THEN
    IF there.position >= a_mine THEN
      RAISE EXCEPTION 'this transaction began before one that has gone on with the game'
        USING ERRCODE = 'SN001';
    END IF;
    RETURN summary_is_due();
  END IF;
  RETURN -there.version;
END $$;

-- The position of the commit with this command ID if this very attempt made it; command_id_used() if
-- another did; null if none has it.
CREATE FUNCTION used(a_id text, a_command_id text, a_attempt bigint)
  RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  there record;
BEGIN
  SELECT c.position, c.attempt INTO there FROM games g JOIN commits c ON c.game = g.game
   WHERE g.id = a_id AND c.command_id = a_command_id;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  PERFORM pg_logical_emit_message(true, 'snl', '');
  RETURN CASE WHEN there.attempt = a_attempt THEN there.position ELSE command_id_used() END;
END $$;

CREATE FUNCTION begin_game(a_game bigint, a_id text, a_version bigint, a_position bigint, a_hash bytea,
                           a_players text[], a_completed boolean, a_created bigint, a_turn bigint,
                           a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                           a_last_index integer, a_redo_index integer, a_next integer,
                           a_winner integer, a_seal bytea, a_cells text)
  RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO games (game, version, position, completed, created, of_version, turn, last_turn,
                     redo_version, redoable, last_index, redo_index, next, winner, head, of_head, seal,
                     id, cells)
  VALUES (a_game, a_version, a_position, a_completed, a_created, a_version, a_turn, a_last_turn,
          a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner, a_hash, a_hash,
          a_seal, a_id, a_cells)
  ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO players (game, seat, completed, name)
  SELECT a_game, seat - 1, a_completed, name FROM unnest(a_players) WITH ORDINALITY AS p (name, seat);
  RETURN true;
END $$;

-- Appends one commit, the n-th of its transaction, to the game that is at this version and head. The
-- summary is null, but for a_completed, where none is due.
CREATE FUNCTION append(a_id text, a_version bigint, a_head bytea, a_n integer, a_attempt bigint,
                       a_time bigint, a_command text, a_events text, a_hash bytea, a_command_id text,
                       a_players text[], a_completed boolean, a_created bigint, a_turn bigint,
                       a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                       a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                       a_seal bytea, a_cells text)
  RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, snl, pg_temp AS $$
DECLARE
  mine bigint;
  key bigint;
  was_completed boolean;
BEGIN
  IF a_command_id IS NOT NULL THEN
    mine := used(a_id, a_command_id, a_attempt);
    IF mine IS NOT NULL THEN
      RETURN mine;
    END IF;
  END IF;
  mine := position_now(a_n);
  IF a_version = 0 THEN
    IF NOT begin_game(mine, a_id, 1, mine, a_hash, a_players, a_completed, a_created, a_turn, a_last_turn,
                      a_redo_version, a_redoable, a_last_index, a_redo_index, a_next, a_winner, a_seal,
                      a_cells) THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
    END IF;
    key := mine;
  ELSIF a_seal IS NULL THEN
    UPDATE games g SET version = a_version + 1, head = a_hash, position = mine
     WHERE g.id = a_id AND g.version = a_version AND g.head = a_head AND g.position < mine
       AND g.completed = a_completed
    RETURNING g.game INTO key;
  ELSE
    SELECT g.completed INTO was_completed FROM games g WHERE g.id = a_id;
    UPDATE games g SET version = a_version + 1, head = a_hash, position = mine,
                       completed = a_completed, created = a_created, of_version = a_version + 1,
                       turn = a_turn, last_turn = a_last_turn, redo_version = a_redo_version,
                       redoable = a_redoable, last_index = a_last_index, redo_index = a_redo_index,
                       next = a_next, winner = a_winner, of_head = a_hash, seal = a_seal, cells = a_cells
     WHERE g.id = a_id AND g.version = a_version AND g.head = a_head AND g.position < mine
    RETURNING g.game INTO key;
    IF key IS NOT NULL AND was_completed <> a_completed THEN
      UPDATE players p SET completed = a_completed WHERE p.game = key;
    END IF;
  END IF;
  IF key IS NULL THEN
    RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
  END IF;
  INSERT INTO commits (game, version, position, time, attempt, hash, command, events, command_id)
  VALUES (key, a_version + 1, mine, a_time, a_attempt, a_hash, a_command, a_events, a_command_id);
  RETURN mine;
END $$;

-- The same with several commits, which have the positions from the n-th on.
CREATE FUNCTION append_several(a_id text, a_version bigint, a_head bytea, a_n integer, a_attempt bigint,
                               a_times bigint[], a_commands text[], a_events text[], a_hashes bytea[],
                               a_command_ids text[],
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
  mine := position_now(a_n);
  IF a_version = 0 THEN
    IF NOT begin_game(mine, a_id, count, mine + count - 1, hash, a_players, a_completed, a_created,
                      a_turn, a_last_turn, a_redo_version, a_redoable, a_last_index, a_redo_index, a_next,
                      a_winner, a_seal, a_cells) THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
    END IF;
    key := mine;
  ELSE
    UPDATE games g SET version = a_version + count, head = hash, position = mine + count - 1,
                       completed = a_completed, created = a_created, of_version = a_version + count,
                       turn = a_turn, last_turn = a_last_turn, redo_version = a_redo_version,
                       redoable = a_redoable, last_index = a_last_index, redo_index = a_redo_index,
                       next = a_next, winner = a_winner, of_head = hash, seal = a_seal, cells = a_cells
     WHERE g.id = a_id AND g.version = a_version AND g.head = a_head AND g.position < mine
    RETURNING g.game INTO key;
    IF key IS NULL THEN
      RETURN refusal(a_id, a_version, a_head, a_attempt, mine);
    END IF;
    UPDATE players p SET completed = a_completed WHERE p.game = key AND p.completed <> a_completed;
  END IF;
  INSERT INTO commits (game, version, position, time, attempt, hash, command, events, command_id)
  SELECT key, a_version + i, mine + i - 1, c.time, a_attempt, c.hash, c.command, c.events, c.command_id
    FROM unnest(a_times, a_commands, a_events, a_hashes, a_command_ids) WITH ORDINALITY
         AS c (time, command, events, hash, command_id, i);
  RETURN mine;
END $$;

-- Replaces what is derived of a game that is at this version and head.
CREATE FUNCTION rewrite(a_id text, a_version bigint, a_head bytea,
                        a_players text[], a_completed boolean, a_created bigint, a_turn bigint,
                        a_last_turn bigint, a_redo_version bigint, a_redoable bigint,
                        a_last_index integer, a_redo_index integer, a_next integer, a_winner integer,
                        a_seal bytea, a_cells text)
  RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, snl, pg_temp AS $$
DECLARE
  key bigint;
BEGIN
  UPDATE games g SET completed = a_completed, created = a_created, of_version = a_version, turn = a_turn,
                     last_turn = a_last_turn, redo_version = a_redo_version, redoable = a_redoable,
                     last_index = a_last_index, redo_index = a_redo_index, next = a_next,
                     winner = a_winner, of_head = a_head, seal = a_seal, cells = a_cells
   WHERE g.id = a_id AND g.version = a_version AND g.head = a_head
  RETURNING g.game INTO key;
  IF key IS NOT NULL THEN
    DELETE FROM players p WHERE p.game = key;
    INSERT INTO players (game, seat, completed, name)
    SELECT key, seat - 1, a_completed, name FROM unnest(a_players) WITH ORDINALITY AS p (name, seat);
  END IF;
END $$;

-- Until the transaction ends, nobody else appends. It takes no number: a row's lock would.
CREATE FUNCTION lock_games() RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = pg_catalog, snl, pg_temp AS $$
BEGIN
  LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE;
END $$;

-- ---- Rooms: what a server knows of a game besides its log

CREATE TABLE rooms (
  room       bigint  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  changed    bigint  NOT NULL UNIQUE CHECK (changed > 0),          -- the number of its last change
  created    bigint  NOT NULL CHECK (created BETWEEN 0 AND 253402300799999), -- Unix milliseconds
  id         text    COLLATE "C" NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  stage      text    NOT NULL CHECK (stage IN ('open', 'drawing', 'settled', 'started')),
  host_token bytea   NOT NULL UNIQUE CHECK (length(host_token) = 32),
  request    bytea   NOT NULL CHECK (length(request) = 32),
  private    boolean NOT NULL,
  dice       text    NOT NULL CHECK (dice IN ('seeded', 'own')),
  takebacks  text    NOT NULL CHECK (takebacks IN ('ask', 'none')),
  board      text    NOT NULL,
  start      bigint  NOT NULL CHECK (start IN (0, 1)),
  finish     text    NOT NULL CHECK (finish IN ('exact', 'overshoot', 'bounce')),
  throws     bigint  NOT NULL CHECK (throws IN (1, 2)),
  faces      bigint  NOT NULL CHECK (faces BETWEEN 2 AND 100),
  sixes      text    NOT NULL CHECK (sixes IN ('again', 'plain')),
  places     bigint  NOT NULL CHECK (places BETWEEN 2 AND 10),
  secret     bytea            CHECK (length(secret) = 32),
  given_up   text             CHECK (given_up IN ('host', 'idle')),
  question   bigint           CHECK (question > 0),
  asked_by   bigint           CHECK (asked_by BETWEEN 0 AND 9),
  asked_to   bigint           CHECK (asked_to >= 0),
  asked_at   bigint           CHECK (asked_at > 0),
  agreed     bigint           CHECK (agreed BETWEEN 0 AND 1023),
  outcome    text             CHECK (outcome IN ('refused', 'withdrawn')),
  CHECK ((question IS NULL) = (asked_by IS NULL) AND (question IS NULL) = (asked_to IS NULL) AND
         (question IS NULL) = (asked_at IS NULL) AND (question IS NULL) = (agreed IS NULL))
);
CREATE INDEX rooms_waiting ON rooms (created, id) WHERE stage <> 'started';
CREATE INDEX rooms_played ON rooms (id) WHERE stage = 'started' AND given_up IS NULL;

CREATE TABLE room_seats (
  room         bigint NOT NULL REFERENCES rooms (room) ON DELETE CASCADE,
  seat         bigint NOT NULL CHECK (seat BETWEEN 0 AND 9),
  tokens       bigint NOT NULL CHECK (tokens > 0),
  token        bytea  NOT NULL CHECK (length(token) = 32),
  entropy_hash bytea           CHECK (length(entropy_hash) = 32),
  entropy      bytea           CHECK (length(entropy) = 32),
  name         text   NOT NULL,
  PRIMARY KEY (room, seat)
);

-- One row: how many changes of rooms there have been. Who changes a room locks it first.
CREATE TABLE room_changes (
  one    integer PRIMARY KEY CHECK (one = 1),
  number bigint  NOT NULL CHECK (number >= 0)
);
INSERT INTO room_changes VALUES (1, 0);

-- ---- Roles

-- Who may do what snl does, and no more: SELECT snl.admit('web').
CREATE FUNCTION admit(role_name name) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT USAGE ON SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT SELECT ON ALL TABLES IN SCHEMA snl TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE, DELETE ON snl.rooms, snl.room_seats TO %I', role_name);
  EXECUTE format('GRANT UPDATE ON snl.room_changes TO %I', role_name);
  EXECUTE format('GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA snl TO %I', role_name);
END $$;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA snl FROM PUBLIC;
