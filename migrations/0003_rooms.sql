-- What a server knows of a game besides its log. storage/README.md specifies every column.
--
-- A migration that was applied is never edited: its checksum is recorded and checked.

-- A row for each game that a server was asked for. Tokens are known by their SHA-256 alone.
CREATE TABLE rooms (
  room       INTEGER PRIMARY KEY CHECK (room > 0),
  id         TEXT    NOT NULL UNIQUE CHECK (length(id) BETWEEN 1 AND 64),
  changed    INTEGER NOT NULL UNIQUE CHECK (changed > 0),           -- the number of its last change
  created    INTEGER NOT NULL CHECK (created BETWEEN 0 AND 253402300799999), -- Unix milliseconds
  stage      TEXT    NOT NULL CHECK (stage IN ('open', 'drawing', 'settled', 'started')),
  host_token BLOB    NOT NULL UNIQUE CHECK (length(host_token) = 32),
  request    BLOB    NOT NULL CHECK (length(request) = 32),         -- SHA-256 of what was asked for
  private    INTEGER NOT NULL CHECK (private IN (0, 1)),
  dice       TEXT    NOT NULL CHECK (dice IN ('seeded', 'own')),
  takebacks  TEXT    NOT NULL CHECK (takebacks IN ('ask', 'none')),
  board      TEXT    NOT NULL,                                      -- JSON, as in a board file
  start      INTEGER NOT NULL CHECK (start IN (0, 1)),              -- the rules
  finish     TEXT    NOT NULL CHECK (finish IN ('exact', 'overshoot', 'bounce')),
  throws     INTEGER NOT NULL CHECK (throws IN (1, 2)),             -- dice a throw
  faces      INTEGER NOT NULL CHECK (faces BETWEEN 2 AND 100),
  sixes      TEXT    NOT NULL CHECK (sixes IN ('again', 'plain')),
  places     INTEGER NOT NULL CHECK (places BETWEEN 2 AND 10),      -- seats, taken or free
  secret     BLOB             CHECK (length(secret) = 32),          -- what its seed is made from
  given_up   TEXT             CHECK (given_up IN ('host', 'idle')), -- by whom; NULL: it wasn't
  question   INTEGER          CHECK (question > 0),                 -- the last takeback: its number
  asked_by   INTEGER          CHECK (asked_by BETWEEN 0 AND 9),     -- seat
  asked_to   INTEGER          CHECK (asked_to >= 0),                -- the last turn that would stay
  asked_at   INTEGER          CHECK (asked_at > 0),                 -- the game's version
  agreed     INTEGER          CHECK (agreed BETWEEN 0 AND 1023),    -- 2 to the power of each seat
  outcome    TEXT             CHECK (outcome IN ('refused', 'withdrawn')),
  CHECK ((question IS NULL) = (asked_by IS NULL) AND (question IS NULL) = (asked_to IS NULL) AND
         (question IS NULL) = (asked_at IS NULL) AND (question IS NULL) = (agreed IS NULL))
) STRICT;
CREATE INDEX rooms_waiting ON rooms (created, id) WHERE stage <> 'started';
CREATE INDEX rooms_played ON rooms (id) WHERE stage = 'started' AND given_up IS NULL;

-- Who sits there: a row for each seat that is taken.
CREATE TABLE room_seats (
  room         INTEGER NOT NULL REFERENCES rooms (room) ON DELETE CASCADE,
  seat         INTEGER NOT NULL CHECK (seat BETWEEN 0 AND 9),
  name         TEXT    NOT NULL,
  token        BLOB    NOT NULL CHECK (length(token) = 32),         -- the SHA-256 of the one in force
  tokens       INTEGER NOT NULL CHECK (tokens > 0),                 -- how many there have been
  entropy_hash BLOB             CHECK (length(entropy_hash) = 32),  -- promised
  entropy      BLOB             CHECK (length(entropy) = 32),       -- kept
  PRIMARY KEY (room, seat)
) STRICT, WITHOUT ROWID;

-- One row: how many changes of rooms there have been. A number is never used twice, whatever is
-- deleted.
CREATE TABLE room_changes (
  one    INTEGER PRIMARY KEY CHECK (one = 1),
  number INTEGER NOT NULL CHECK (number >= 0)
) STRICT;
INSERT INTO room_changes VALUES (1, 0);
