// The page of a game.

openPage();
