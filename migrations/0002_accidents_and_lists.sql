-- What a slip in the sqlite3 shell could still do to a store, and a list that read more than it showed.
-- storage/README.md specifies every column.
--
-- A migration that was applied is never edited: its checksum is recorded and checked.

-- Foreign keys are off in the shell, so that a game without a row has to be refused here.
DROP TRIGGER commits_are_appended_without_gaps;
CREATE TRIGGER commits_are_appended_without_gaps BEFORE INSERT ON commits
BEGIN
  SELECT raise(ABORT, 'a commit''s position is the next one of the store')
  WHERE NEW.position IS NOT 1 + coalesce((SELECT max(position) FROM commits), 0);
  SELECT raise(ABORT, 'a commit belongs to a game that is there')
  WHERE NOT EXISTS (SELECT 1 FROM games WHERE game = NEW.game);
  SELECT raise(ABORT, 'a commit''s version is the next one of its game')
  WHERE NEW.version IS NOT
    1 + coalesce((SELECT max(version) FROM commits WHERE game = NEW.game), 0);
  SELECT raise(ABORT, 'a command ID is used once in a game')
  WHERE NEW.command_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM commits WHERE game = NEW.game AND command_id = NEW.command_id);
END;

DROP TRIGGER games_are_never_replaced;
CREATE TRIGGER games_are_added_in_order BEFORE INSERT ON games
BEGIN
  SELECT raise(ABORT, 'games are never replaced')
  WHERE EXISTS (SELECT 1 FROM games WHERE game = NEW.game OR id = NEW.id);
  SELECT raise(ABORT, 'a game''s key is the next one of the store')
  WHERE NEW.game IS NOT 1 + coalesce((SELECT max(game) FROM games), 0);
END;

-- A row that was added by mistake, and has no commits yet, can be taken away again.
DROP TRIGGER games_are_never_deleted;
CREATE TRIGGER games_are_never_deleted BEFORE DELETE ON games
WHEN EXISTS (SELECT 1 FROM commits WHERE game = OLD.game)
BEGIN
  SELECT raise(ABORT, 'games are never deleted');
END;

-- Derived, as all of a player's row: 1 once somebody has won the game.
ALTER TABLE players ADD COLUMN completed INTEGER NOT NULL DEFAULT 0 CHECK (completed IN (0, 1));
UPDATE players SET completed = 1
WHERE game IN (SELECT game FROM games WHERE status = 'completed');

-- The games of a player, and those of them that are or aren't completed, in the order of their keys.
DROP INDEX players_by_name;
CREATE INDEX players_by_name ON players (name, completed, game);

-- A program that opened the store before it was upgraded knows nothing of this column.
CREATE TRIGGER players_begin_as_their_game_is AFTER INSERT ON players
BEGIN
  UPDATE players SET completed = 1 WHERE game = NEW.game AND seat = NEW.seat AND EXISTS (
    SELECT 1 FROM games WHERE game = NEW.game AND status = 'completed');
END;

CREATE TRIGGER players_follow_their_game AFTER UPDATE OF status ON games
WHEN NEW.status IS NOT OLD.status
BEGIN
  UPDATE players SET completed = (NEW.status = 'completed') WHERE game = NEW.game;
END;
