/** Pages with hostile texts, and checks that these texts have no effect. */
import type { Page } from "playwright";
import { expect } from "vitest";
import { fixture } from "./gym.js";
import { keepScreenshot, openBrowser } from "./studio.js";

/** The texts of the environment `sly-texts`: scripts, markup, bidi tricks, terminal codes, broken UTF-16. */
export const { attacks } = (await import(fixture("sly-texts"))) as { attacks: readonly string[] };

/** All attacks in one line. */
export const sly = attacks.join(" ");
/** A word that is wider than any page. */
export const wide = "W".repeat(3_000);

/** Code for the page, which records violations of the content security policy. */
const watchPolicy = `
  globalThis.violations = [];
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    violations.push(violatedDirective + " " + blockedURI));
`;

/**
 * Code for the page, which returns whether a text has run, has become elements, is wider than the page, or can change the
 * order of the text around it: a text with right-to-left letters has to be isolated, and no text has bidi controls.
 */
const readState = `(() => {
  const isBox = (element) => getComputedStyle(element).overflowX !== "visible" || getComputedStyle(element).clipPath !== "none";
  /** Elements that reach beyond the page on the right, and are in no box that scrolls. */
  const wide = (parent) => [...parent.children].flatMap((element) =>
    element.matches("details:not([open])") ? [] : element.getBoundingClientRect().right > innerWidth + 1 ? [element] : isBox(element) ? [] : wide(element));
  const main = document.querySelector("main");
  const elements = [...document.querySelectorAll("iframe, object, embed, base, link[rel=stylesheet], meta, style, script:not(#report)")];
  const texts = [];
  for (const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT); walker.nextNode(); )
    if (walker.currentNode.parentElement.closest("#report, noscript") === null) texts.push(walker.currentNode);
  const attributes = [...main.querySelectorAll("*")].flatMap((element) =>
    ["title", "aria-label", "aria-valuetext", "placeholder", "alt"].map((name) => element.getAttribute(name) ?? ""));
  const controls = /[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\u001b]/;
  return {
    hacked: globalThis.hacked ?? null,
    violations,
    injected: elements.map(({ outerHTML }) => outerHTML).filter((text) => text.length < 5000 && /javascript:|attacker|hacked|display:none/.test(text)),
    links: [...document.querySelectorAll("main a")].map(({ href }) => href)
      .filter((href) => !(location.protocol === "file:" ? /^file:|^$/ : /^http:\\/\\/127\\.0\\.0\\.1:/).test(href)),
    controls: [...texts.map(({ data }) => data), ...attributes].filter((text) => controls.test(text)).map((text) => text.slice(0, 80)),
    unisolated: texts.filter(({ data, parentElement }) => /[\\u0590-\\u08ff]/.test(data) && parentElement.closest("bdi, pre, option, label, textarea") === null)
      .map(({ data }) => data.slice(0, 80)),
    outside: wide(main).map((element) => element.cloneNode().outerHTML.slice(0, 120)),
    overflow: [document.documentElement, document.body, main].map((each) => each.scrollWidth - each.clientWidth),
  };
})()`;

export interface Watched {
  page: Page;
  /** Name in messages and of screenshots. */
  name: string;
  /** Requests to other origins, dialogs, windows and navigations. */
  breaches: string[];
}

/**
 * Opens a page of the studio or a report and watches it.
 *
 * @param url of the page, without its fragment
 */
export async function openHostile(url: string, fragment: string, width: number, name: string): Promise<Watched> {
  // Hostile names in the fragment cause calls that the gym refuses.
  const page = await openBrowser({ width, expected: /status of (4\d\d|500)/ });
  const breaches: string[] = [];
  page.on("request", (request) => {
    const target = request.url();
    const home = url.startsWith("file:") ? url : new URL("/", url).href;
    if (!target.startsWith(home) && !target.startsWith("data:")) breaches.push(`request ${target}`);
  });
  page.on("dialog", (dialog) => {
    breaches.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", (popup) => breaches.push(`window ${popup.url()}`));
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(url)) breaches.push(`navigation ${frame.url()}`);
  });
  await page.addInitScript(watchPolicy);
  await page.goto(url + fragment);
  await page.locator("main").waitFor();
  return { page, name, breaches };
}

/** Goes to another place of the same page, and waits for its data. */
export async function goToPlace({ page }: Watched, fragment: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(fragment)}`);
  // From its first frame on, a place shows that it loads, or an error.
  await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)))");
  await expect.poll(() => page.evaluate('document.querySelector("main").innerText.includes("Loading…")')).toBe(false);
}

/** @param part name of the page's current content, for messages and for the screenshot */
export async function expectUnharmed(
  { page, name, breaches }: Watched,
  part: string,
  { keeps = true } = {},
): Promise<void> {
  if (keeps) await keepScreenshot(page, `hostile-${name}-${part}`);
  const state = await page.evaluate(readState);
  expect(state, `${name} ${part}`).toEqual({
    ...{ hacked: null, violations: [], injected: [], links: [], controls: [], unisolated: [], outside: [] },
    overflow: [0, 0, 0],
  });
  expect(breaches, `${name} ${part}`).toEqual([]);
}

export async function callGym<T>(url: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    ...(body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  });
  return response.json() as Promise<T>;
}
