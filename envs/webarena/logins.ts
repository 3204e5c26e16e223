/** Logs in on a site through its login form, and checks whether a login is still valid. */
import type { BrowserSession } from "../../sandboxes/browser.js";
import { ServiceFailed, sandboxCode } from "../errors.js";
import type { SiteClient } from "../shared/web-tasks/site-client.js";
import type { SiteName } from "../shared/web-tasks/tasks/sites.js";
import type { Account } from "./accounts.js";

const pageMs = 60_000;

/** A site with the account and the client for a login. `url` has no trailing slash. */
export interface Visit {
  site: SiteName;
  url: string;
  account: Account;
  client: SiteClient;
}

/** Whether the session is logged in. The check sends plain HTTP requests and does not load a page. */
export async function isLoggedIn(session: BrowserSession, visit: Visit, signal: AbortSignal): Promise<boolean> {
  const { path, text } = visit.account.login.check;
  const address = visit.url + path;
  const cookies = await session.call(() => session.context.cookies(address), { signal });
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const answer = await visit.client.ask(address, { headers: { cookie }, signal });
  if (answer.status >= 500) throw new ServiceFailed(`a page at ${address}`, `status ${answer.status}`);
  if (answer.status !== 200 || !samePlace(answer.url, address)) return false;
  return text === undefined || answer.text.includes(text);
}

/**
 * Fills in and submits the login form.
 *
 * @throws {ServiceFailed} the login failed
 */
export async function logIn(session: BrowserSession, visit: Visit, signal: AbortSignal): Promise<void> {
  const { account, login } = visit.account;
  const address = visit.url + login.path;
  await served(visit, signal, async () => {
    const page = await session.call(() => session.context.newPage(), { signal });
    try {
      const bounded = (work: () => Promise<unknown>) => session.call(work, { signal, timeoutMs: pageMs });
      await session.goto(page, address, { signal, timeoutMs: pageMs });
      const field = (name: string) =>
        page
          .getByLabel(name, { exact: true })
          .or(page.getByPlaceholder(name, { exact: true }))
          .first();
      await bounded(() => field(login.username).fill(account.username));
      await bounded(() => field(login.password).fill(account.password));
      const button = page.getByRole("button", { name: login.button, exact: true }).first();
      await bounded(() => Promise.all([page.waitForEvent("load"), button.click()]));
    } finally {
      await page.close().catch(() => {});
    }
  });
  if (await isLoggedIn(session, visit, signal)) return;
  throw new ServiceFailed(
    `a login on ${visit.site} as ${account.username} at ${address}`,
    "a page for visitors without a login",
  );
}

/** Converts errors to a ServiceFailed for the site, except if the session was lost or the call was aborted. */
async function served<T>({ site, url }: Visit, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ServiceFailed || sandboxCode(error) === "LOST") throw error;
    const [line = ""] = (error as Error).message.split("\n");
    throw new ServiceFailed(`the site ${site} at ${url}`, line, error);
  }
}

function samePlace(one: string, other: string): boolean {
  const bare = (url: string) => new URL(url).pathname.replace(/\/+$/, "");
  return bare(one) === bare(other);
}
