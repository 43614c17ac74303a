// Playing, seeking, and all the ways to ask for it.

const data = JSON.parse(byId("game").textContent);
const game = new Game(data);
const board = new Board(game, data);
const tables = new Tables(game);
const chances = new ChancesGraph(game, (index) => seek(index));
const turnList = new TurnList(game, (index) => seek(index));
const speeds = [...byId("speed").options].map((option) => Number(option.value));

const state = {
  index: game.count, // the position that is shown, or left by the turn that is on its way
  elapsed: null, // milliseconds into the next turn; null: at rest
  until: 0, // the position at which to stop
  playing: false,
  speed: 1,
};

const shownIndex = () => (state.elapsed === null ? state.index : state.index + 1);
const clamped = (index) => Math.min(game.count, Math.max(0, index));

// ---- Showing

let lastShown = null; // whose words, numbers and lists are on the page

function show() {
  const index = shownIndex();
  if (state.elapsed === null || noMotion.matches) board.show(index);
  else board.showMoving(index, state.elapsed);
  if (index === lastShown) return;
  lastShown = index;
  const turn = game.turnAt(index);
  byId("sentence").replaceChildren(...tellingNodes(index));
  byId("dice").replaceChildren(...(turn ? turn.dice.split("-").map(Number).map(drawDie) : []));
  byId("slider").value = index;
  byId("slider").setAttribute("aria-valuetext", told(index));
  byId("turn").value = game.first + index;
  tables.show(index);
  chances.show(index);
  turnList.show(index);
}

function tellingNodes(index) {
  const turn = game.turnAt(index);
  const end = game.takenBack && index === game.count ? " (what followed was taken back)" : "";
  if (!turn) return [`Turn ${game.first}: the start${end}`];
  return [`${turn.turn}. `, nameElement(game.players[turn.seat]), deed(turn) + end];
}

function told(index) {
  return tellingNodes(index).map((node) => node.textContent ?? node).join("");
}

function showPlaying() {
  const button = byId("play");
  document.body.classList.toggle("playing", state.playing);
  button.querySelector("span").textContent = state.playing ? "Pause" : "Play";
  button.title = state.playing ? "Pause (space)" : "Play (space)";
}

// ---- Saying: what a reader of the screen hears. While it plays, only what matters, and not too often.

const announcing = { timer: null, last: -Infinity };
const quiet = 4000; // milliseconds between two announcements while it plays

function announce(words, delay) {
  clearTimeout(announcing.timer);
  announcing.timer = setTimeout(() => {
    byId("announcer").textContent = words;
    announcing.last = performance.now();
  }, delay);
}

function announcePosition() {
  if (document.activeElement === byId("slider")) return; // it says so itself
  announce(told(state.index), 400);
}

function announceWhilePlaying(index) {
  const turn = game.turnAt(index);
  if (turn.moment && (index === game.count || performance.now() - announcing.last > quiet))
    announce(told(index), 0);
}

// ---- The address says which turn is shown.

let addressTimer = null;

function updateAddress() {
  clearTimeout(addressTimer);
  addressTimer = setTimeout(() => {
    try {
      history.replaceState(null, "", `#turn=${game.first + state.index}`);
    } catch {
      // a page within another may have no address of its own
    }
  }, 200);
}

function indexInAddress() {
  const turn = /^#turn=(\d+)$/.exec(location.hash)?.[1];
  return turn === undefined ? null : clamped(Number(turn) - game.first);
}

// ---- Moving

let frameAt = null; // the time of the last frame; null: none is asked for

function seek(index) {
  state.index = clamped(index);
  state.elapsed = state.playing && state.index < game.count ? 0 : null;
  if (state.index === game.count) stop();
  show();
  if (!state.playing) settled();
}

function settled() {
  updateAddress();
  announcePosition();
}

/** Plays from here to a position; `playing` says whether a person sees it as playing. */
function run(until, playing) {
  if (state.elapsed !== null && noMotion.matches) state.index = shownIndex();
  state.until = until;
  state.playing = playing;
  state.elapsed ??= 0;
  showPlaying();
  show();
  if (frameAt === null) {
    frameAt = performance.now();
    requestAnimationFrame(frame);
  }
}

function stop() {
  state.playing = false;
  state.elapsed = null;
  showPlaying();
}

function play() {
  if (state.index === game.count) {
    if (game.count === 0) return;
    state.index = 0;
  }
  run(game.count, true);
  announce("Playing", 0);
}

/** A turn that is on its way is over at once. */
function pause() {
  state.index = shownIndex();
  stop();
  show();
  settled();
}

function togglePlaying() {
  if (state.playing) pause();
  else play();
}

function step(turns) {
  const index = clamped(shownIndex() + turns);
  if (Math.abs(turns) === 1) {
    state.index = shownIndex();
    stop(); // whoever goes turn by turn has paused
  }
  if (turns !== 1 || index === state.index || noMotion.matches) return seek(index);
  run(index, false);
}

function frame(time) {
  if (state.elapsed === null) {
    frameAt = null;
    return;
  }
  state.elapsed += Math.min(200, Math.max(0, time - frameAt)) * state.speed;
  frameAt = time;
  let duration = board.duration(game.turnAt(state.index + 1));
  while (state.elapsed !== null && state.elapsed >= duration) {
    ++state.index;
    state.elapsed -= duration;
    if (state.playing) announceWhilePlaying(state.index);
    if (state.index >= state.until) {
      stop();
      settled();
    } else {
      duration = board.duration(game.turnAt(state.index + 1));
    }
  }
  show();
  requestAnimationFrame(frame);
}

function setSpeed(speed) {
  state.speed = speed;
  byId("speed").value = String(speed);
}

function changeSpeed(steps) {
  const place = speeds.indexOf(state.speed) + steps;
  setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, place))]);
}

function flip() {
  board.flip();
  byId("flip").setAttribute("aria-pressed", String(board.flipped));
  show();
}

function askForTurn() {
  byId("turn").focus();
  byId("turn").select();
}

// ---- Buttons and fields

const actions = {
  first: () => seek(0),
  "earlier-moment": () => seek(game.momentFrom(shownIndex(), -1)),
  back: () => step(-1),
  play: togglePlaying,
  next: () => step(1),
  "later-moment": () => seek(game.momentFrom(shownIndex(), 1)),
  last: () => seek(game.count),
  flip,
  help: () => byId("keys").showModal(),
  "close-keys": () => byId("keys").close(),
};
for (const [id, action] of Object.entries(actions)) byId(id).addEventListener("click", action);

byId("slider").max = game.count;
byId("slider").addEventListener("input", (event) => seek(Number(event.target.value)));
byId("turn").min = game.first;
byId("turn").max = game.first + game.count;
byId("of-turns").textContent = `of ${game.first + game.count}`;
byId("turn").addEventListener("change", (event) => {
  lastShown = null; // the field itself must be put right, too
  if (event.target.value === "") return show(); // nothing, or no number
  seek(clamped(Math.trunc(Number(event.target.value)) - game.first));
});
byId("speed").addEventListener("change", (event) => setSpeed(Number(event.target.value)));

// ---- Keys

const keys = {
  " ": togglePlaying,
  ArrowRight: (event) => step(event.shiftKey ? 10 : 1),
  ArrowLeft: (event) => step(event.shiftKey ? -10 : -1),
  l: () => step(1),
  ".": () => step(1),
  h: () => step(-1),
  ",": () => step(-1),
  g: actions.first,
  Home: actions.first,
  G: actions.last,
  End: actions.last,
  "[": actions["earlier-moment"],
  "]": actions["later-moment"],
  "+": () => changeSpeed(1),
  "=": () => changeSpeed(1),
  "-": () => changeSpeed(-1),
  "−": () => changeSpeed(-1),
  Backspace: () => setSpeed(1),
  ":": askForTurn,
  f: flip,
  w: () => chances.toggle(),
  "?": actions.help,
  q: () => state.playing && pause(),
  Escape: () => state.playing && pause(),
};
for (let tenth = 0; tenth <= 9; ++tenth)
  keys[tenth] = () => seek(Math.round((game.count * tenth) / 10));

/** Whether a key is the focused element's own business. A row of the list is none that Tab leads to. */
function belongsTo(element, key) {
  if (element.tabIndex < 0) return key === "Enter";
  if (element === byId("turn")) return key !== "Escape";
  if (element.matches("select")) return true;
  if (element.matches("button, summary, input:not([type=range])")) return key === " " || key === "Enter";
  return false;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (byId("keys").open) {
    if (event.key === "?") byId("keys").close();
    return;
  }
  if (event.key.length === 1 && !byId("single-keys").checked) return;
  const inList = byId("turns").contains(event.target);
  if (inList && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    return seek(shownIndex() + (event.key === "ArrowDown" ? 1 : -1));
  }
  if (!Object.hasOwn(keys, event.key) || belongsTo(event.target, event.key)) return;
  event.preventDefault();
  if (event.key === "Escape" && event.target === byId("turn")) return event.target.blur();
  keys[event.key](event);
});

// ---- The rest of the world

addEventListener("hashchange", () => {
  const index = indexInAddress();
  if (index !== null && index !== shownIndex()) seek(index);
});
const paper = matchMedia("print");
paper.addEventListener("change", () => turnList.showWhole(paper.matches));
addEventListener("beforeprint", () => turnList.showWhole(true));
addEventListener("afterprint", () => turnList.showWhole(false));

byId("playback").hidden = false;
state.index = indexInAddress() ?? game.count;
show();
