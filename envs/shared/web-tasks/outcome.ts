/** The final state of an episode for the evaluators: the pages in the live session, and the data of the shop. */
import type { Page } from "playwright";
import type { BrowserSession } from "../../../sandboxes/browser.js";
import { ServiceFailed, sandboxCode } from "../../errors.js";
import type { WebSession } from "../browser/web-session.js";
import { judgeSettings } from "../llm-judge/llm-judge.js";
import type { Outcome } from "./evaluators/evaluate.js";
import { judgeAt } from "./evaluators/llm-judge.js";
import type { EvaluatedPage } from "./evaluators/program-html.js";
import { checkResponse } from "./responses.js";
import { RetryDeadline } from "./retry-deadline.js";
import { shopFacts } from "./shop-facts.js";
import type { SiteClient } from "./site-client.js";
import type { SiteUrls } from "./tasks/sites.js";

/** Time limit in milliseconds for loading a page for an evaluator. */
const loadMs = 60_000;

/** @param answer answer in the agent's `stop` action, or `""` */
export async function outcomeOf(
  web: WebSession,
  { answer, sites, client }: { answer: string; sites: SiteUrls; client: SiteClient },
  signal: AbortSignal,
): Promise<Outcome> {
  const { session } = web;
  return {
    answer,
    judge: judgeAt(judgeSettings(process.env), signal),
    page: evaluated(web, await web.current(signal), signal),
    open: async (url) => evaluated(web, await opened(session, url, signal), signal),
    shop: shopFacts(client, sites, signal),
  };
}

/** Wraps a page so that each call has a time limit, because the agent may leave the page in a bad state. */
function evaluated(web: WebSession, page: Page, signal: AbortSignal): EvaluatedPage {
  const { session } = web;
  const deadline = new RetryDeadline(web, [page], signal);
  // Playwright gives no content while the page navigates.
  const content = () => page.content().catch(() => page.waitForLoadState().then(() => page.content()));
  return {
    url: () => page.url(),
    content: () => session.call(content, { signal }),
    evaluate: (expression) => session.call(() => page.evaluate(expression), { signal }),
    settled: () => deadline.settled(),
    changes: () => deadline.changes(),
    close: () => page.close(),
  };
}

/** @throws {ServiceFailed} the page does not load, so that the evaluation is impossible */
async function opened(session: BrowserSession, url: string, signal: AbortSignal): Promise<Page> {
  const page = await session.call(() => session.context.newPage(), { signal });
  try {
    const response = await session.call(() => page.goto(url, { waitUntil: "load", timeout: loadMs }), {
      signal,
      timeoutMs: loadMs + 1_000,
    });
    checkResponse(response);
    return page;
  } catch (error) {
    await page.close().catch(() => {});
    signal.throwIfAborted();
    if (error instanceof ServiceFailed || sandboxCode(error) === "LOST") throw error;
    throw new ServiceFailed(`the page ${url}`, (error as Error).message.split("\n", 1)[0] as string, error);
  }
}
