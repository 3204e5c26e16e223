/**
 * The benchmark's home page, which the gym serves in the browser itself if the settings name no site for it. It links to
 * the sites, and has a scratchpad, a calculator and the accounts, at the paths of WebArena's own home page.
 */
import type { Route } from "playwright";
import type { BrowserSession } from "../../sandboxes/browser.js";
import { publicUrls, type SiteName, type SiteUrls } from "../shared/web-tasks/tasks/sites.js";
import type { Account } from "./accounts.js";

const titles: Readonly<Record<Exclude<SiteName, "homepage">, string>> = {
  shopping: "OneStopShop",
  shopping_admin: "CMS",
  reddit: "Reddit",
  gitlab: "Gitlab",
  map: "OpenStreetMap",
  wikipedia: "Wikipedia",
};

/** A site with the agent's user name and password, if it has accounts. */
export interface ListedSite {
  name: SiteName;
  credentials: Account["account"] | undefined;
}

/** Host of the home page, for the list of a session's hosts. */
export const homepageHost = new URL(publicUrls.homepage).host;
/** Address for `BrowserRequest.addresses`. Nothing listens there, because the browser answers all requests itself. */
export const homepageAddress = "127.0.0.1:9";

/** Serves the home page in a session. */
export async function serveHomepage(
  session: BrowserSession,
  urls: SiteUrls,
  sites: readonly ListedSite[],
  signal: AbortSignal,
): Promise<void> {
  const pages = pagesOf(urls, sites);
  const answer = (route: Route) => {
    const body = pages.get(new URL(route.request().url()).pathname);
    return route.fulfill(
      body === undefined
        ? { status: 404, contentType: "text/plain", body: "There is no such page." }
        : { contentType: "text/html; charset=utf-8", body },
    );
  };
  await session.call(() => session.context.route(({ host }) => host === homepageHost, answer), { signal });
}

function pagesOf(urls: SiteUrls, sites: readonly ListedSite[]): ReadonlyMap<string, string> {
  const known = (Object.keys(titles) as (keyof typeof titles)[]).filter((name) => urls[name] !== undefined);
  const links = known.map((name) => `<li><a href="${escaped(`${urls[name]}`)}">${titles[name]}</a></li>`).join("");
  const tools = ["Calculator", "Scratchpad", "Password"]
    .map((tool) => `<li><a href="/${tool.toLowerCase()}.html">${tool}</a></li>`)
    .join("");
  const rows = sites.flatMap(({ name, credentials }) => {
    if (!credentials || name === "homepage") return [];
    const cells = [titles[name], credentials.username, credentials.password].map((text) => `<td>${escaped(text)}</td>`);
    return [`<tr>${cells.join("")}</tr>`];
  });
  return new Map([
    ["/", page("Homepage", `<ul>${links}</ul><h2>Tools</h2><ul>${tools}</ul>`)],
    ["/scratchpad.html", page("Scratchpad", `<label>Notes <textarea rows="20" cols="80"></textarea></label>`)],
    ["/calculator.html", page("Calculator", calculator)],
    [
      "/password.html",
      page("Password", `<table><tr><th>Site</th><th>User name</th><th>Password</th></tr>${rows.join("")}</table>`),
    ],
  ]);
}

/** Calculator that accepts numbers, parentheses and the four operators. */
const calculator = `<form><label>Expression <input name="expression"></label> <button>Calculate</button></form><output></output>
<script>document.querySelector("form").onsubmit = (event) => {
  event.preventDefault();
  const { value } = document.querySelector("input");
  const output = document.querySelector("output");
  try { output.textContent = /^[-+*/().\\d\\s]+$/.test(value) ? String(Function("return (" + value + ")")()) : "Invalid expression"; }
  catch { output.textContent = "Invalid expression"; }
};</script>`;

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
