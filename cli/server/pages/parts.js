// Elements that pages of the server are made of.

/**
 * @param {string} words
 * @param {string} className
 * @param {() => void} press
 */
function makeButton(words, className, press) {
  const button = make("button", className, words);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}

/** A letter, a mark or an emoji, which an unseen joiner may join to the next. */
const joinable = String.raw`(?:(?!\p{DI})[\p{L}\p{M}]|\p{ExtPict}\uFE0F?|[\u{1F3FB}-\u{1F3FF}])`;
const unseen = new RegExp(
  String.raw`${joinable}[\u200C\u200D](?=${joinable}|\uFE0F)|\p{ExtPict}\uFE0F|([\p{Cc}\p{Zl}\p{Zp}\p{DI}\p{NChar}\uFFF9-\uFFFB])`,
  "gu",
);

/**
 * A text as the server's HTML shows it (printable() of terminal_text.hpp): characters that steer the text or can't be seen
 * stand there as their numbers.
 * @param {string} text
 */
const visible = (text) =>
  text.replace(unseen, (found, /** @type {string | undefined} */ steers) => {
    if (!steers) return found;
    const code = steers.codePointAt(0) ?? 0;
    const [sign, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return `\\${sign}${code.toString(16).padStart(Number(digits), "0")}`;
  });

/** A name that somebody chose. @param {string} name */
const nameOf = (name) => make("bdi", "", visible(name));

/** The text by which a button is known again where it is made anew. @param {HTMLButtonElement} button */
const keyOf = (button) => button.name || button.getAttribute("aria-label") || button.textContent;

/**
 * Shows only the parts that changed, so that nobody loses their place. A button that has the focus keeps it.
 * @param {HTMLElement} place
 * @param {(Node | string)[]} nodes
 */
function showNodes(place, nodes) {
  const fresh = make("div", "", ...nodes);
  if (place.innerHTML === fresh.innerHTML) return;
  const focused = [...place.querySelectorAll("button")].find((button) => button === document.activeElement);
  place.replaceChildren(...fresh.childNodes);
  if (focused) [...place.querySelectorAll("button")].find((button) => keyOf(button) === keyOf(focused))?.focus();
}

/**
 * Calls `show`. If the element that has the focus is gone or hidden then, the words about the turn get it: it would fall
 * to the page, where Enter rolls.
 * @param {HTMLElement} root
 * @param {() => void} show
 */
function showKeepingFocus(root, show) {
  const before = document.activeElement;
  if (!before || !root.contains(before)) return show();
  show();
  const isSeen = document.activeElement === before ? before.getClientRects().length > 0 : document.activeElement !== document.body;
  const instead = root.querySelector("dialog[open] .close-seats") ?? part(root, "turn-words");
  if (!isSeen && instead instanceof HTMLElement) instead.focus();
}

/** A list of names in words: "Ann, Bob and Cyd". @param {string[]} names @returns {(Node | string)[]} */
const saidTogether = (names) =>
  names.flatMap((name, i) => [i === 0 ? "" : i === names.length - 1 ? " and " : ", ", nameOf(name)]).slice(1);

/**
 * Asks a person to confirm an action that can't be taken back.
 * @param {string} question
 * @param {string} yes  the words on the button
 * @returns {Promise<boolean>}
 */
function confirmed(question, yes) {
  const dialog = make("dialog", "question-dialog", make("p", "", question));
  const buttons = make("p", "choices", makeButton(yes, "danger", () => dialog.close("yes")), makeButton("Cancel", "", () => dialog.close("")));
  dialog.append(buttons);
  dialog.setAttribute("aria-label", question);
  document.body.append(dialog);
  dialog.showModal();
  if (buttons.lastElementChild instanceof HTMLElement) buttons.lastElementChild.focus();
  return new Promise((resolve) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    }),
  );
}

/** @param {unknown} error */
const reasonOf = (error) => (error instanceof Error ? error.message : String(error));

/**
 * Runs `work`, shows in `trouble` why it failed, and then calls `show`.
 * @param {HTMLElement} trouble
 * @param {() => Promise<void>} work
 * @param {() => void} show
 */
async function attempt(trouble, work, show) {
  trouble.textContent = "";
  await work().catch((error) => (trouble.textContent = reasonOf(error)));
  show();
}

/**
 * The part of a page as the server has it now.
 * @param {string} path
 * @returns {Promise<Document>}
 */
function pageNow(path) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", path);
    request.responseType = "document";
    request.timeout = responseTimeout;
    request.addEventListener("load", () =>
      request.responseXML && request.status === 200 ? resolve(request.responseXML) : reject(new Error(`The server answers ${request.status}.`)),
    );
    for (const kind of ["error", "timeout"]) request.addEventListener(kind, () => reject(new Error("There is no connection.")));
    request.send();
  });
}
