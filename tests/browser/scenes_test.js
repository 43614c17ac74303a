// Goal: the pages of a server fit every screen in each of their states. Nothing overlaps, nothing leaves its card, and no
// word is broken. Everything that a finger touches is 44 pixels high. Roll and the die are on the screen. Each state looks
// as it was approved. Method: a real server and one browser reach each state once, and measure it at five sizes.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { looksAsApproved } from "./pictures.js";
import { passing, states } from "./states.js";
import { Site } from "./serving.js";

let site;

before(async () => (site = await Site.open("127.0.0.1", ["--limit", "draw=0"]))); // a draw without an end stays
after(() => site.close());

const touched = [
  { width: 360, height: 640 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
  { width: 1024, height: 768 },
];
const sizes = [...touched, { width: 1280, height: 800 }];
const approved = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

/** Sets letters that every machine has. The policy allows no style element. */
function inOneFont() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { font-family: 'DejaVu Sans' !important; }");
  document.adoptedStyleSheets = [sheet];
}

/** Faults in the layout, in words. It runs in the page. */
function faultsOfPlaces({ isTouched }) {
  const faults = [];
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const root = dialog ?? document.body;
  // A dialog may be scrolled down, and so may these.
  const scrolls = (element) => Boolean(element.closest(".boards, .turn-list, .scrolled"));
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !element.closest(".unseen, noscript");
  const named = (element) => `<${element.localName} class="${element.getAttribute("class") ?? ""}"> “${(element.textContent ?? "").trim().slice(0, 30)}”`;
  const boxOf = (element) => element.getBoundingClientRect();
  const seen = [...root.querySelectorAll("*")].filter((element) => !element.closest("svg:not(.badge, .die)") && isSeen(element));

  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth - innerWidth} pixels too wide`);

  // Nothing leaves its card.
  for (const element of seen) {
    const card = element.parentElement?.closest("section, details, dialog");
    if (!card || scrolls(element)) continue;
    const [inner, outer] = [boxOf(element), boxOf(card)];
    if (inner.width > 0 && inner.height > 0 && (inner.left < outer.left - 1 || inner.right > outer.right + 1 || (card.localName !== "dialog" && inner.bottom > outer.bottom + 1))) faults.push(`${named(element)} leaves ${named(card)}`);
  }

  // Nothing overlaps.
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
  const things = seen.filter((element) => !scrolls(element) && (element.matches("button, input:not([type=radio], [type=checkbox]), select, .badge, .die") || (hasText(element) && !element.closest("button, select, .badge, .detail"))));
  const texts = things.map((element) => {
    if (!hasText(element) || element.matches("button, select")) return boxOf(element);
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect();
  });
  for (let i = 0; i < things.length; ++i)
    for (let j = i + 1; j < things.length; ++j) {
      if (things[i].contains(things[j]) || things[j].contains(things[i])) continue;
      const [a, b] = [texts[i], texts[j]];
      const [wide, high] = [Math.min(a.right, b.right) - Math.max(a.left, b.left), Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
      const isInline = [things[i], things[j]].every((element) => getComputedStyle(element).display === "inline") || things[i].parentElement?.contains(things[j]) && getComputedStyle(things[j]).display === "inline";
      if (wide > 2 && high > 3 && !isInline) faults.push(`${named(things[i])} and ${named(things[j])} overlap by ${wide.toFixed(0)} × ${high.toFixed(0)}`);
    }

  // No word is broken.
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || !isSeen(element) || element.closest("svg, script, option, textarea, code, .facts") || scrolls(element)) continue;
    for (const { 0: word, index } of node.textContent.matchAll(/[\p{L}\p{N}’]+/gu)) {
      if (word.length > 20) continue;
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const tops = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
      if (tops.size > 1) faults.push(`“${word}” breaks within in ${named(element)}`);
    }
  }

  // A finger can hit everything that it may touch: a tick or a choice with its label.
  if (isTouched)
    for (const element of seen.filter((one) => one.matches("button, select, summary, input, .games a, .choices a, .site a") && !scrolls(one))) {
      const { height } = boxOf(element.matches("[type=radio], [type=checkbox]") ? (element.closest("label") ?? element) : element);
      if (height < 43.5) faults.push(`${named(element)} is ${height.toFixed(0)} pixels high`);
    }

  // Roll and the die are on the screen, unless a notice must be read first.
  if (!dialog && scrollY === 0 && !root.querySelector(".log-alarm:not([hidden])"))
    for (const selector of [".roll", ".wake", ".told .die"]) {
      const element = root.querySelector(selector);
      if (!element || !isSeen(element) || element.closest(".ended")) continue;
      const { top, bottom } = boxOf(element);
      if (top < 0 || bottom > innerHeight) faults.push(`${selector} ends ${(bottom - innerHeight).toFixed(0)} pixels below the screen`);
    }
  return faults;
}

describe("every state", () => {
  for (const [state, { comeTo, steady, pictured }] of Object.entries(states)) {
    it(`“${state}” has everything in its place at every size${steady ? ", and looks as it was approved" : ""}`, async () => {
      const faults = [];
      const pictures = {};
      await site.withPeople([{ viewport: touched[0], hasTouch: true, isMobile: true, colorScheme: "light" }, { viewport: approved.desktop, deviceScaleFactor: 0.5 }], async (phone, desktop) => {
        await Promise.all([comeTo(phone, site), comeTo(desktop, site)]);
        for (const page of [phone, desktop]) await page.evaluate(inOneFont);
        for (const size of touched) {
          await phone.setViewportSize(size);
          for (const colorScheme of ["light", "dark"]) {
            await phone.emulateMedia({ colorScheme });
            for (const fault of await phone.evaluate(faultsOfPlaces, { isTouched: true })) faults.push(`${size.width}×${size.height} ${colorScheme}: ${fault}`);
          }
        }
        for (const colorScheme of ["dark", "light"]) {
          await desktop.emulateMedia({ colorScheme });
          for (const fault of await desktop.evaluate(faultsOfPlaces, { isTouched: false })) faults.push(`1280×800 ${colorScheme}: ${fault}`);
        }
        if (!steady) return;
        for (const [name, size] of Object.entries(approved)) {
          await desktop.setViewportSize(size);
          await desktop.evaluate((part) => (part ? document.querySelector(part).scrollIntoView({ block: "center" }) : scrollTo(0, 0)), pictured);
          pictures[name] = await desktop.screenshot({ animations: "disabled", mask: [desktop.locator(passing)], maskColor: "#888" });
        }
      });
      assert.deepEqual(faults, []);
      for (const [name, picture] of Object.entries(pictures)) looksAsApproved(picture, `served/${state.replaceAll(/[^a-z]+/g, "-")}-${name}`);
    });
  }
});
