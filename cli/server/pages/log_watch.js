// This browser as a small witness of the log that the server signs. It keeps the newest checkpoint that it saw, and asks
// for a proof that each later one extends it.

/**
 * `vkey` is the key that the link named, or the first one that was seen. `note` is the newest checkpoint that was proven;
 * null: none yet. `seen` is the time of that proof. @typedef {{ vkey: string, note: string | null, seen: string }} KeptLog
 *
 * A fault of the log, until a person has read it. `about` is the kind of fault, and the key. From then on `now` is kept: a
 * log by another key, if it extends the kept one, or if only a link had named a key.
 * @typedef {{ words: string, evidence: string, about: string, now: KeptLog | null }} Alarm
 *
 * The published log (GET /api/log). @typedef {{ vkey: string, checkpoint: string, size: number }} ShownLog
 */

/** The server shows too little of its log, which is no fault of the log. Its message is for people. */
class NotShown extends Error {}

class LogWatch {
  static #keptKey = "snl.log";
  static #alarmKey = "snl.log.alarm";
  static #readKey = "snl.log.read"; // the subjects of the alarms that somebody has read, a line each
  static #minute = 60_000; // milliseconds
  static #untilSigned = 12_000; // milliseconds: a server signs every ten seconds
  static #longestEvidence = 100_000; // letters of a response that are kept as evidence

  #id;
  /** The key that the link named, where the browser had kept another. */
  #named = "";
  /** @type {HTMLElement | null} */
  #place = null;
  /** @type {HTMLElement | null} */
  #banner = null;
  #words = "";
  #root = "";
  /** An alarm that this browser can't keep. @type {Alarm | null} */
  #raised = null;
  #game = ""; // the proven statement about the page's game
  #isBusy = false;
  /** Milliseconds until the page should refresh it; null: the server has no log, and had none before. @type {number | null} */
  pause = LogWatch.#minute;

  /** @param {string} id  of the game */
  constructor(id) {
    this.#id = id;
    const named = new URLSearchParams(location.hash.slice(1)).get("log")?.replaceAll(" ", "+") ?? "";
    if (!/^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/.test(named)) return;
    const { kept } = LogWatch;
    if (!kept) LogWatch.#keep({ vkey: named, note: null, seen: "" });
    else if (kept.vkey !== named) this.#named = named;
  }

  /** The log's key, for the # of a link. So a link's reader has the key from its sender. */
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

  static get #read() {
    return keptText(LogWatch.#readKey)?.split("\n") ?? [];
  }

  /** @param {string[]} subjects */
  static #keepRead(subjects) {
    const most = 20;
    keepText(LogWatch.#readKey, subjects.slice(-most).join("\n"));
  }

  /** Shows the log in a page, which may have replaced an earlier one. @param {HTMLElement} main */
  showIn(main) {
    this.#place = part(main, "store-log");
    this.#banner = part(main, "log-alarm");
    part(main, "dismiss-alarm").addEventListener("click", () => this.#dismiss());
    part(main, "save-evidence").addEventListener("click", () => {
      const alarm = this.#alarm;
      if (alarm) save(new Blob([alarm.evidence], { type: "text/plain" }), "evidence-of-the-log.txt");
    });
    this.#show();
  }

  /** @returns {Alarm | null} */
  get #alarm() {
    try {
      return JSON.parse(localStorage.getItem(LogWatch.#alarmKey) ?? "null") ?? this.#raised;
    } catch {
      return this.#raised;
    }
  }

  /** Takes the alarm as read. One of the whole log isn't raised again until the log has been proven once more. */
  #dismiss() {
    const alarm = this.#alarm;
    if (alarm?.now) LogWatch.#keep(alarm.now);
    else if (alarm) LogWatch.#keepRead([...LogWatch.#read, alarm.about]);
    this.#raised = null;
    forgetText(LogWatch.#alarmKey);
    this.#show();
  }

  #show() {
    if (!this.#place || !this.#banner) return;
    this.#place.hidden = this.#words === "";
    part(this.#place, "log-words").textContent = [this.#words, this.#game].filter(Boolean).join(" ");
    part(this.#place, "log-root").textContent = this.#root && `To compare with others in the room: ${this.#root}.`;
    const alarm = this.#alarm;
    this.#banner.hidden = alarm === null;
    const said = part(this.#banner, "alarm-words");
    if (said.textContent !== (alarm?.words ?? "")) said.textContent = alarm?.words ?? "";
  }

  /**
   * Verifies the log as it is now, and the game in it once it has ended.
   * @param {{ version: number, hash: string } | null} ended  the last version, as the stream sent it
   */
  async refresh(ended = null) {
    if (this.#isBusy) return;
    this.#isBusy = true;
    await this.#readLog(ended).catch((error) => {
      this.#words = error instanceof NotProven || error instanceof NotShown ? error.message : "The server doesn’t answer for its log just now.";
    });
    this.#isBusy = false;
    this.#show();
  }

  /** @param {{ version: number, hash: string } | null} ended */
  async #readLog(ended) {
    const before = LogWatch.kept; // before the request: another window may keep a newer one meanwhile
    this.pause = LogWatch.#minute;
    const response = await plainly("/api/log");
    if (response.status === 404) {
      if (before) throw new NotShown(before.note ? "This server shows no log now; this browser saw one." : "The link names a log’s key, but this server shows no log.");
      this.pause = response.text.includes('"urn:snl:not-signed-yet"') ? LogWatch.#untilSigned : null;
      return;
    }
    /** @type {ShownLog} */
    const shown = JSON.parse(response.text);
    if (typeof shown.vkey !== "string" || typeof shown.checkpoint !== "string") throw new Error("That is no log.");
    const isSigned = await signatures();
    const kept = before ?? { vkey: shown.vkey, note: null, seen: "" };
    if (kept.vkey !== shown.vkey) return this.#hearOfAnotherKey(kept, shown, isSigned);
    let proof = "";
    let now;
    try {
      now = await readCheckpoint(shown.checkpoint, kept.vkey, isSigned);
      const then = kept.note === null ? now : await readCheckpoint(kept.note, kept.vkey, isSigned);
      proof = await consistencyOf(then, now);
      await proveConsistency(then, now, hashesOf(proof));
      if (sizeOf(LogWatch.kept?.note ?? null) <= now.size) LogWatch.#keep({ vkey: kept.vkey, note: now.note, seen: new Date().toISOString() });
      LogWatch.#keepRead(LogWatch.#read.filter((about) => about !== aboutLog(shown) && about !== aboutNoProof(shown)));
      this.#compareWithLink(shown);
      if (kept.note === null) this.#words = `This browser sees this log for the first time: ${counted(now.size, "commit")}.`;
      else this.#words = then.size === now.size ? `This log is as this browser saw it: ${counted(now.size, "commit")}.` : `This log goes on from what this browser saw: ${counted(then.size, "commit")} then, ${now.size} now.`;
      this.#root = `${hexOf(now.root.subarray(0, 4))} at ${counted(now.size, "commit")}`;
    } catch (error) {
      if (!(error instanceof NotProven)) throw error;
      const saw = kept.note === null ? "" : ` that this browser saw on ${dayOf(kept.seen)} (${counted(sizeOf(kept.note), "commit")})`;
      this.#raise(`This is not the log${saw}. What was recorded then was changed or taken away. ${error.message}`, aboutLog(shown), kept, shown, proof, null);
      return;
    }
    if (ended && this.#game === "") await this.#proveGame(ended, kept, shown, now, isSigned);
  }

  /**
   * @param {{ version: number, hash: string }} ended @param {KeptLog} kept @param {ShownLog} shown
   * @param {Checkpoint} now  the one that was proven just before; the game's must be of the same log
   * @param {VerifySignature} isSigned
   */
  async #proveGame({ version, hash }, kept, shown, now, isSigned) {
    const { status, text } = await plainly(`/api/games/${this.#id}/proof?version=${version}`);
    if (status !== 200) return; // it isn't signed yet: the next check asks again
    try {
      const { index, checkpoint } = await proveInclusion(text, { extra: `${this.#id} ${version}`, hash }, kept.vkey, isSigned);
      const [then, later] = checkpoint.size <= now.size ? [checkpoint, now] : [now, checkpoint];
      await proveConsistency(then, later, hashesOf(await consistencyOf(then, later)));
      this.#game = `This game is in it: its end is commit ${index + 1} of ${checkpoint.size}.`;
    } catch (error) {
      if (!(error instanceof NotProven)) throw error;
      this.#raise(`This game isn’t in the server’s log as it was played here. ${error.message}`, `game ${this.#id} ${shown.vkey}`, kept, shown, text, null);
    }
  }

  /** The sender of the link may be shown another log, under another key. @param {ShownLog} shown */
  #compareWithLink(shown) {
    if (this.#named === "" || this.#named === shown.vkey) return;
    const words = "This server doesn’t sign with the key that the link names. Either the link is an old one, or its sender is shown another log: ask the sender.";
    this.#raise(words, `link ${this.#named} ${shown.vkey}`, { vkey: this.#named, note: null, seen: "" }, shown, "", null);
    this.#named = "";
  }

  /** @param {KeptLog} kept @param {ShownLog} shown @param {VerifySignature} isSigned */
  async #hearOfAnotherKey(kept, shown, isSigned) {
    const link = this.#named === shown.vkey ? "an earlier link named" : "the link names";
    let words = kept.note === null ? `This server doesn’t sign with the key that ${link}.` : "This server signs with another key than before.";
    let proof = "";
    let about = aboutLog(shown);
    let goesOn = kept.note === null;
    if (kept.note !== null) {
      const then = await readCheckpoint(kept.note, kept.vkey, isSigned);
      try {
        const now = await readCheckpoint(shown.checkpoint, shown.vkey, isSigned);
        proof = await consistencyOf(then, now);
        await proveConsistency(then, now, hashesOf(proof));
        goesOn = true;
        words += ` All ${counted(then.size, "commit")} that this browser saw are in its log.`;
      } catch (error) {
        const saw = `${counted(then.size, "commit")} that this browser saw`;
        if (error instanceof NotProven) words += ` The ${saw} are not all in its log.`;
        else {
          words += ` It gives no proof that its log holds the ${saw}.`;
          about = aboutNoProof(shown);
          proof ||= "none";
        }
      }
    }
    const now = { vkey: shown.vkey, note: kept.note === null ? null : shown.checkpoint, seen: new Date().toISOString() };
    this.#raise(words, about, kept, shown, proof, goesOn ? now : null);
  }

  /**
   * Raises an alarm. The first one stays until somebody has read it.
   * @param {string} words @param {string} about @param {KeptLog} kept @param {ShownLog} shown @param {string} proof
   * @param {KeptLog | null} now  is kept once somebody has read this
   */
  #raise(words, about, kept, shown, proof, now) {
    this.#words = words;
    this.#root = "";
    if (this.#alarm !== null || LogWatch.#read.includes(about)) return;
    const evidence = [
      words, `This browser kept, on ${kept.seen || "the day of the link"}, of the key ${kept.vkey}:`, kept.note ?? "nothing",
      `The server shows, at ${new Date().toISOString()}, of the key ${shown.vkey}:`, shown.checkpoint, "Its answer, asked for a proof:", proof.slice(0, LogWatch.#longestEvidence) || "not asked",
    ];
    this.#raised = { words, evidence: `${evidence.join("\n\n")}\n`, about, now };
    keepText(LogWatch.#alarmKey, JSON.stringify(this.#raised));
  }
}

/** The number of commits of a checkpoint that was verified when it was kept. @param {string | null} note */
const sizeOf = (note) => Number(note?.split("\n")[1] ?? 0);

/** The subject of an alarm of the whole log. @param {ShownLog} shown */
const aboutLog = ({ vkey }) => `log ${vkey}`;

/** The subject of an alarm of another key without a proof: one that comes later has its own. @param {ShownLog} shown */
const aboutNoProof = ({ vkey }) => `no proof ${vkey}`;

/** @param {string} time */
const dayOf = (time) => new Date(time).toLocaleDateString(undefined, { dateStyle: "long" });

/** The function that verifies Ed25519, which is loaded where it is needed. @returns {Promise<VerifySignature>} */
async function signatures() {
  return (await import(document.body.dataset.signatures ?? "")).default;
}

/** The server's response, with status 200, or 404 for a thing that isn't there; throws for any other. @param {string} path */
async function plainly(path) {
  const response = await fetch(path, { cache: "no-store", credentials: "omit", signal: AbortSignal.timeout(responseTimeout) });
  if (response.status !== 200 && response.status !== 404) throw new Error(`The server answers ${response.status}.`);
  return { status: response.status, text: await response.text() };
}

/**
 * The server's proof that one checkpoint extends another; empty where none is needed. Throws NotShown if it gives none: a
 * server whose store was changed can't.
 * @param {Checkpoint} then @param {Checkpoint} now
 */
async function consistencyOf(then, now) {
  if (then.size === 0 || then.size >= now.size) return "";
  try {
    return (await plainly(`/api/log/consistency?from=${then.size}&to=${now.size}`)).text;
  } catch {
    throw new NotShown(`The server gives no proof now that its log goes on from what this browser saw: ${counted(then.size, "commit")} then, ${now.size} now. If it still gives none later, ask the operator to audit the store.`);
  }
}

/** @param {string} text @returns {string[]} */
function hashesOf(text) {
  if (text === "") return [];
  const { proof } = JSON.parse(text); // throws for a proxy's error page, which is no forgery
  if (Array.isArray(proof)) return proof.map(String);
  throw new NotProven("The server gives no proof.");
}
