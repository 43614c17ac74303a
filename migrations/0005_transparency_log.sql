-- A store may be a transparency log: its commits are the leaves of a Merkle tree, whose roots are signed.
-- An append touches neither table. storage/README.md specifies every column.
--
-- A migration that was applied is never edited: its checksum is recorded and checked.

-- Nodes of the tree, derived from the hashes of commits: at `level`, number n is the root over leaves
-- n·256^level to (n + 1)·256^level − 1. Added with a checkpoint, never updated, never evidence.
CREATE TABLE tree (
  level INTEGER NOT NULL CHECK (level > 0),
  n     INTEGER NOT NULL CHECK (n >= 0),
  hash  BLOB    NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (level, n)
) STRICT, WITHOUT ROWID;

-- The store's logs. The one of the highest number is the store's; those before it have ended.
CREATE TABLE checkpoints (
  log       INTEGER PRIMARY KEY,
  origin    TEXT NOT NULL UNIQUE,                                   -- its name
  vkey      TEXT NOT NULL,                                          -- what its signatures are verified by
  signed    TEXT,                                                   -- the last checkpoint that was signed
  published TEXT                                                    -- the last that enough witnesses saw
) STRICT;
