// Sends requests to the server, and sends them again if no response comes. A repeated request is the same to the letter:
// by its token or its key the server knows that it is a repetition. A request that has neither is sent once.

/** A response that reports a failure. Its message says why, and what to do. */
class Refused extends Error {
  /** @param {number} status @param {string} type @param {string} detail */
  constructor(status, type, detail) {
    super(detail);
    this.status = status;
    this.type = type;
  }
}

const longestWait = 8000; // milliseconds between two attempts
const patience = 10; // seconds that a server may ask to wait; a longer wait is reported as a failure

/**
 * Waits so many milliseconds, or until there is a network again.
 * @param {number} delay
 */
const pause = (delay) =>
  new Promise((resolve) => {
    const end = () => (clearTimeout(timer), removeEventListener("online", end), resolve(null));
    const timer = setTimeout(end, delay);
    addEventListener("online", end);
  });

const responseTimeout = 15_000; // milliseconds: a dead connection may report nothing

/**
 * `version` is the one that the game must have. `once`: the server couldn't know a repetition, so there is none.
 * @typedef {{ token?: string, body?: object, key?: string, version?: number, once?: boolean }} Asked
 */

/** @param {Asked} asked */
const headersOf = ({ token, body, key, version }) => ({
  ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  ...(body === undefined ? {} : { "Content-Type": "application/json" }),
  ...(key === undefined ? {} : { "Idempotency-Key": key }),
  ...(version === undefined ? {} : { "If-Match": `"${version}"` }),
});

/** @param {Response} response */
async function contentOf(response) {
  const content = response.status === 204 ? null : await response.json();
  if (!response.ok) throw new Refused(response.status, content.type ?? "", content.detail ?? `The server answers ${response.status}.`);
  return content;
}

/** Whether the same request may succeed in a while. @param {Response | null} response */
const isLater = (response) =>
  !response || response.status === 503 || (response.status === 429 && Number(response.headers.get("Retry-After") ?? 1) <= patience);

/** The bounds of how far this machine's clock is ahead of the server's, in milliseconds. A response says its second. */
const clockLead = { least: -Infinity, most: Infinity };

/** @param {Response | null} response @param {number} sent  the time of the request */
function compareClocks(response, sent) {
  const second = Date.parse(response?.headers.get("Date") ?? "");
  if (Number.isNaN(second)) return;
  const [least, most] = [sent - second - 1000, Date.now() - second];
  const isOld = least > clockLead.most || most < clockLead.least; // a clock was set since then
  clockLead.least = isOld ? least : Math.max(least, clockLead.least);
  clockLead.most = isOld ? most : Math.min(most, clockLead.most);
}

/** The server's time, in milliseconds. Clocks count as alike for as long as they may be. */
const serverTime = () => Date.now() - Math.max(clockLead.least, Math.min(clockLead.most, 0));

/**
 * The server's response; throws Refused. Repeats the request while there is no network or the server is busy.
 * @param {string} method
 * @param {string} path
 * @param {Asked} asked
 */
async function ask(method, path, asked = {}) {
  const { body } = asked;
  for (let delay = 500; ; delay = Math.min(longestWait, 2 * delay)) {
    const signal = AbortSignal.timeout(responseTimeout);
    const request = { method, headers: headersOf(asked), body: body && JSON.stringify(body), cache: "no-store", credentials: "omit", signal };
    const sent = Date.now();
    const response = await fetch(path, /** @type {RequestInit} */ (request)).catch(() => null);
    compareClocks(response, sent);
    if (response && !isLater(response))
      try {
        return await contentOf(response);
      } catch (error) {
        if (error instanceof Refused) throw error; // else the connection was cut within the answer
      }
    if (asked.once) throw new Error("The server is busy or out of reach. Try again.");
    const wished = 1000 * (Number(response?.headers.get("Retry-After")) || 0); // a date counts as none
    await pause(Math.max(wished, delay * (0.75 + Math.random() / 2)));
  }
}

/** @param {number} count */
const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

/** A new token: 32 random bytes in base64url. */
const newToken = () =>
  btoa(String.fromCharCode(...randomBytes(32))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

/** A key that no other request has. */
const newKey = () => hexOf(randomBytes(16));
