// This browser as a small witness of the log that the server signs: it keeps the newest checkpoint that it saw, and has
// each later one proven to go on from it.

/**
 * `vkey` is the key that the link named, or the first one that was seen; `note` the newest checkpoint that was proven,
 * null before there is one; `seen` when that was. @typedef {{ vkey: string, note: string | null, seen: string }} KeptLog
 *
 * Something that doesn't hold, until a person has read it. @typedef {{ words: string, evidence: string }} Alarm
 *
 * The published log (GET /api/log). @typedef {{ vkey: string, checkpoint: string, size: number }} ShownLog
 */

class LogWatch {
  static #keptKey = "snl.log";
  static #alarmKey = "snl.log.alarm";

  #id;
  /** @type {HTMLElement | null} */
  #place = null;
  /** @type {HTMLElement | null} */
  #banner = null;
  #words = "";
  #root = "";
  #game = ""; // what is proven of the game that the page shows
  #isBusy = false;
  /** Whether the server has no log: then it isn't asked again. */
  isAbsent = false;

  /** @param {string} id  of the game */
  constructor(id) {
    this.#id = id;
    const [, named] = /^#(?:.*&)?log=(.+)$/.exec(location.hash) ?? [];
    if (named && !LogWatch.kept) LogWatch.#keep({ vkey: decodeURIComponent(named), note: null, seen: "" });
  }

  /** It stands behind the # of a link, so that its reader has the log's key from its sender. */
  static get link() {
    const { kept } = LogWatch;
    return kept?.note ? `log=${encodeURIComponent(kept.vkey)}` : "";
  }

  /** @returns {KeptLog | null} */
  static get kept() {
    try {
      return JSON.parse(localStorage.getItem(LogWatch.#keptKey) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {KeptLog} log */
  static #keep(log) {
    keepText(LogWatch.#keptKey, JSON.stringify(log));
  }

  /** Where it is shown; the page may be made anew. @param {HTMLElement} main */
  showIn(main) {
    this.#place = part(main, "store-log");
    this.#banner = part(main, "log-alarm");
    part(main, "dismiss-alarm").addEventListener("click", () => {
      localStorage.removeItem(LogWatch.#alarmKey);
      this.#show();
    });
    part(main, "save-evidence").addEventListener("click", () => {
      const alarm = this.#alarm;
      if (alarm) save(new Blob([alarm.evidence], { type: "text/plain" }), "evidence-of-the-log.txt");
    });
    this.#show();
  }

  /** @returns {Alarm | null} */
  get #alarm() {
    try {
      return JSON.parse(localStorage.getItem(LogWatch.#alarmKey) ?? "null");
    } catch {
      return null;
    }
  }

  #show() {
    if (!this.#place || !this.#banner) return;
    this.#place.hidden = this.#words === "";
    part(this.#place, "log-words").textContent = [this.#words, this.#game].filter(Boolean).join(" ");
    part(this.#place, "log-root").textContent = this.#root && `Its sign now: ${this.#root}. Others who watch this server have the same one.`;
    const alarm = this.#alarm;
    this.#banner.hidden = alarm === null;
    const said = part(this.#banner, "alarm-words");
    if (said.textContent !== (alarm?.words ?? "")) said.textContent = alarm?.words ?? "";
  }

  /**
   * Looks at the log as it is now, and at the game in it where it has ended.
   * @param {{ version: number, hash: string } | null} ended  the last version, as the stream told it
   */
  async look(ended = null) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    await this.#lookAtLog(ended).catch((error) => {
      this.#words = error instanceof NotProven ? error.message : "The server doesn’t answer for its log just now.";
    });
    this.#isBusy = false;
    this.#show();
  }

  /** @param {{ version: number, hash: string } | null} ended */
  async #lookAtLog(ended) {
    const answer = await plainly("/api/log");
    if (answer.status === 404) {
      this.isAbsent = true;
      const { kept } = LogWatch;
      this.#words = kept?.note ? "This server shows no log now; this browser saw one." : "";
      return;
    }
    /** @type {ShownLog} */
    const shown = JSON.parse(answer.text);
    const isSigned = await signatures();
    const kept = LogWatch.kept ?? { vkey: shown.vkey, note: null, seen: "" };
    if (kept.vkey !== shown.vkey) return this.#hearOfAnotherKey(kept, shown, isSigned);
    let proof = "";
    try {
      const now = await readCheckpoint(shown.checkpoint, kept.vkey, isSigned);
      const then = kept.note === null ? now : await readCheckpoint(kept.note, kept.vkey, isSigned);
      proof = await consistencyOf(then, now);
      await proveConsistency(then, now, hashesOf(proof));
      LogWatch.#keep({ vkey: kept.vkey, note: now.note, seen: new Date().toISOString() });
      this.#words = then.size === now.size ? `This log is as this browser saw it: ${counted(now.size, "commit")}.` : `This log goes on from what this browser saw: ${counted(then.size, "commit")} then, ${now.size} now.`;
      this.#root = hexOf(now.root.subarray(0, 4));
    } catch (error) {
      if (!(error instanceof NotProven)) throw error;
      const saw = kept.note === null ? "" : ` that this browser saw on ${dayOf(kept.seen)} (${counted(sizeOf(kept.note), "commit")})`;
      this.#raise(`This is not the log${saw}. What was recorded then was changed or taken away. ${error.message}`, kept, shown, proof);
      return;
    }
    if (ended) await this.#proveGame(ended, kept, shown, isSigned);
  }

  /** @param {{ version: number, hash: string }} ended @param {KeptLog} kept @param {ShownLog} shown @param {VerifySignature} isSigned */
  async #proveGame({ version, hash }, kept, shown, isSigned) {
    const { status, text } = await plainly(`/api/games/${this.#id}/proof?version=${version}`);
    if (status !== 200) return; // it isn't signed yet: it is asked for again
    try {
      const { index, checkpoint } = await proveInclusion(text, { extra: `${this.#id} ${version}`, hash }, kept.vkey, isSigned);
      this.#game = `This game is in it: its end is commit ${index + 1} of ${checkpoint.size}.`;
    } catch (error) {
      if (!(error instanceof NotProven)) throw error;
      this.#raise(`This game isn’t in the server’s log as it was played here. ${error.message}`, kept, shown, text);
    }
  }

  /** @param {KeptLog} kept @param {ShownLog} shown @param {VerifySignature} isSigned */
  async #hearOfAnotherKey(kept, shown, isSigned) {
    let words = "This server signs by another key than before.";
    let proof = "";
    if (kept.note !== null) {
      const then = await readCheckpoint(kept.note, kept.vkey, isSigned);
      try {
        const now = await readCheckpoint(shown.checkpoint, shown.vkey, isSigned);
        proof = await consistencyOf(then, now);
        await proveConsistency(then, now, hashesOf(proof));
        words += ` All ${counted(then.size, "commit")} that this browser saw are in its log.`;
      } catch (error) {
        if (!(error instanceof NotProven)) throw error;
        words += ` The ${counted(then.size, "commit")} that this browser saw are not all in its log.`;
      }
    }
    this.#raise(words, kept, shown, proof);
  }

  /** @param {string} words @param {KeptLog} kept @param {ShownLog} shown @param {string} proof */
  #raise(words, kept, shown, proof) {
    this.#words = words;
    this.#root = "";
    const evidence = [
      words, `This browser kept, on ${kept.seen || "the day of the link"}, of the key ${kept.vkey}:`, kept.note ?? "nothing",
      `The server shows, at ${new Date().toISOString()}, of the key ${shown.vkey}:`, shown.checkpoint, "Its answer, asked for a proof:", proof || "not asked",
    ];
    keepText(LogWatch.#alarmKey, JSON.stringify({ words, evidence: `${evidence.join("\n\n")}\n` }));
  }
}

/** The commits of a checkpoint that was verified when it was kept. @param {string} note */
const sizeOf = (note) => Number(note.split("\n")[1]);

/** @param {string} time */
const dayOf = (time) => new Date(time).toLocaleDateString(undefined, { dateStyle: "long" });

/** The function that verifies Ed25519, which is loaded where it is needed. @returns {Promise<VerifySignature>} */
async function signatures() {
  return (await import(document.body.dataset.signatures ?? "")).default;
}

/** An answer as it is, refusals too; throws where there is none. @param {string} path */
async function plainly(path) {
  const answer = await fetch(path, { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(longestAnswer) });
  if (answer.status >= 500) throw new Error(`The server answers ${answer.status}.`);
  return { status: answer.status, text: await answer.text() };
}

/** The server's answer about two checkpoints; empty where none is needed. @param {Checkpoint} then @param {Checkpoint} now */
async function consistencyOf(then, now) {
  if (then.size === 0 || then.size >= now.size) return "";
  return (await plainly(`/api/log/consistency?from=${then.size}&to=${now.size}`)).text;
}

/** @param {string} answer @returns {string[]} */
function hashesOf(answer) {
  if (answer === "") return [];
  try {
    const { proof } = JSON.parse(answer);
    if (Array.isArray(proof)) return proof.map(String);
  } catch {
    // it is no proof
  }
  throw new NotProven("The server gives no proof.");
}
