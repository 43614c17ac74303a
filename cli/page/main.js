// Makes the page that was opened play its game.

const data = JSON.parse(byId("game").textContent);
const game = new Game(data);
const player = new Player(game, data);
new Controls(game, player);

const paper = matchMedia("print");
paper.addEventListener("change", () => player.showWhole(paper.matches));
addEventListener("beforeprint", () => player.showWhole(true));
addEventListener("afterprint", () => player.showWhole(false));

byId("playback").hidden = false;
document.body.classList.remove("opening");
