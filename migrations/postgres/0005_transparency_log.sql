-- A store may be a transparency log: its commits are the leaves of a Merkle tree, whose roots are signed. An
-- append touches neither table. storage/postgres/README.md says how they differ from those of a file.

-- Nodes of the tree, derived from the hashes of commits below the horizon, whose order never changes: at
-- `level`, number n is the root over leaves n·256^level to (n + 1)·256^level − 1. Added with a checkpoint, never
-- evidence.
CREATE TABLE tree (
  level integer NOT NULL CHECK (level > 0),
  n     bigint  NOT NULL CHECK (n >= 0),
  first bigint  NOT NULL CHECK (first > 0),                        -- the position of its first commit
  hash  bytea   NOT NULL CHECK (length(hash) = 32),
  PRIMARY KEY (level, n)
);
CREATE INDEX tree_by_first ON tree (first) WHERE level = 1;

-- The store's logs. The one of the highest number is the store's; those before it have ended.
CREATE TABLE checkpoints (
  log       bigint PRIMARY KEY,
  origin    text   COLLATE "C" NOT NULL UNIQUE,                    -- its name
  vkey      text   NOT NULL,                                       -- what its signatures are verified by
  signed    text,                                                  -- the last checkpoint that was signed
  published text                                                   -- the last that enough witnesses saw
);

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
  EXECUTE format('GRANT INSERT, DELETE ON snl.tree TO %I', role_name);
  EXECUTE format('GRANT INSERT, UPDATE ON snl.checkpoints TO %I', role_name);
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
     WHERE p.proname = 'lock_games' AND p.pronamespace = to_regnamespace('snl') AND a.grantee <> p.proowner
  LOOP
    PERFORM snl.admit(role_name);
  END LOOP;
END $$;
