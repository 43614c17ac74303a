// Makes the page that was opened play its game.

/** @param {AlsoProve} [alsoProve] */
function openPage(alsoProve) {
  for (const root of document.querySelectorAll(".snl"))
    if (root instanceof HTMLElement) {
      root.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
      const game = new Game(JSON.parse(part(root, "game").textContent ?? ""));
      const player = new Player(root, game);
      verifyOnClick(root, game, alsoProve);
      new Address().connect(player);
    }
}
