// Makes the page that was opened play its game.

for (const root of document.querySelectorAll(".snl"))
  if (root instanceof HTMLElement) {
    root.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
    const player = new Player(root, new Game(JSON.parse(part(root, "game").textContent ?? "")));
    new Address().connect(player);
    const paper = matchMedia("print");
    paper.addEventListener("change", () => player.showWhole(paper.matches));
    addEventListener("beforeprint", () => player.showWhole(true));
    addEventListener("afterprint", () => player.showWhole(false));
  }
