/** Checks the contents of pages, like `HTMLContentEvaluator` of WebArena's public evaluators. */
import { pythonStr } from "../../browser/observation/python-text.js";
import { type Locator, parseLocator, parseTargetUrl, postUrl } from "./helpers.js";
import { includes, isExactMatch } from "./string-match.js";

/** A place on a page, and the contents that it must have. */
export interface HtmlTarget {
  /** A URL, `last` for the agent's final page, or a call of a helper. */
  url: string;
  /** Place on the page: JavaScript, or a call of a helper. An empty text means the whole page. */
  locator: string;
  required_contents: {
    exact_match?: string;
    must_include?: readonly string[];
    /** Texts that the LLM judge compares with the place. Only WebArena-Lite uses this field. */
    fuzzy_match?: readonly string[];
  };
  /** JavaScript that runs on the page before the check. */
  prep_actions?: readonly string[];
}

/** A page that an evaluator reads. */
export interface EvaluatedPage {
  url(): string;
  /** Returns the whole document as HTML. */
  content(): Promise<string>;
  /**
   * Returns the value of a JavaScript expression in the page.
   *
   * @throws {Error} the expression throws an exception
   */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until the page is quiet, at most as long as WebArena waits for a page. */
  settled(): Promise<void>;
  /**
   * Waits for a possible change of the page. Returns false if the page cannot change, or if it has had as much time as in
   * WebArena.
   */
  changes(): Promise<boolean>;
  close(): Promise<void>;
}

/** Repeats a check of a page until the check passes or the page has no more time to change. */
export async function passesInTime(page: EvaluatedPage, check: () => boolean | Promise<boolean>): Promise<boolean> {
  await page.settled();
  for (;;) {
    if (await check()) return true;
    if (!(await page.changes())) return false;
  }
}

/** Data from the shop's REST API. */
export interface ShopFacts {
  /** Returns the URL of the newest order's page. */
  latestOrderUrl(): Promise<string>;
  /** Returns the nickname of the author of a product's newest review, or `""`. */
  latestReviewAuthor(sku: string): Promise<string>;
  /** Returns the rating of a product's newest review in percent, or `""`. */
  latestReviewRating(sku: string): Promise<string>;
}

export interface HtmlEvaluation {
  /** The agent's final page. Evaluators do not change this page. */
  page: EvaluatedPage;
  /** Loads a URL in a new page of the same session. */
  open(url: string): Promise<EvaluatedPage>;
  shop: ShopFacts;
}

/** Check whether a text has the required contents. The text is null if the place does not exist on the page. */
export type IsShown = (contents: HtmlTarget["required_contents"], text: string | null) => boolean | Promise<boolean>;

/** WebArena's own check. */
export const isShown: IsShown = async ({ exact_match: exact, must_include: parts }, text) => {
  // Loaded on first use, since its table of names takes a part of the start.
  const { decodeHTML } = await import("entities");
  const shown = decodeHTML(text ?? "");
  if (exact !== undefined) return isExactMatch(exact, shown);
  return (parts ?? []).every((part) => part.split(" |OR| ").some((one) => includes(one, shown)));
};

/** @throws the errors of `open`, `shop` and `shows` */
export async function matchesHtml(
  targets: readonly HtmlTarget[],
  evaluation: HtmlEvaluation,
  shows: IsShown,
): Promise<boolean> {
  for (const target of targets) if (!(await matchesTarget(target, evaluation, shows))) return false;
  return true;
}

async function matchesTarget(target: HtmlTarget, evaluation: HtmlEvaluation, shows: IsShown): Promise<boolean> {
  const { page } = evaluation;
  if (!target.url.includes("__last_url__")) return matchesOn(target, evaluation, shows);
  await page.settled();
  const url = page.url();
  if (await matchesOn(target, evaluation, shows)) return true;
  await timeOf(page);
  return page.url() !== url && matchesOn(target, evaluation, shows);
}

async function matchesOn(target: HtmlTarget, { page, open, shop }: HtmlEvaluation, shows: IsShown): Promise<boolean> {
  const { required_contents: contents, prep_actions: preparations = [] } = target;
  const url = await addressOf(target.url, page.url(), shop);
  const shown = url === "last" ? page : await open(url);
  const locator = parseLocator(target.locator);
  const check = async () => shows(contents, await selected(locator, target, shown, shop));
  try {
    if (locator.kind === "review-author" || locator.kind === "review-rating") return await check();
    if (preparations.length === 0 && !contents.fuzzy_match) return await passesInTime(shown, check);
    // A second preparation may undo the first, and each question to the LLM judge takes time.
    await timeOf(shown);
    return await check();
  } finally {
    if (shown !== page) await shown.close();
  }
}

/** Waits until a page has had as much time as in WebArena. */
async function timeOf(page: EvaluatedPage): Promise<void> {
  while (await page.changes());
}

async function addressOf(url: string, lastUrl: string, shop: ShopFacts): Promise<string> {
  const target = parseTargetUrl(url);
  if (target.kind === "latest-order") return shop.latestOrderUrl();
  return target.kind === "post" ? postUrl(target.url.replaceAll("__last_url__", lastUrl)) : target.url;
}

async function selected(
  locator: Locator,
  { prep_actions: preparations = [] }: HtmlTarget,
  page: EvaluatedPage,
  shop: ShopFacts,
): Promise<string | null> {
  switch (locator.kind) {
    case "page":
      return page.content();
    case "script":
      // As in WebArena, the first script that fails ends the preparation without an error.
      await preparations.reduce((before, script) => before.then(() => page.evaluate(script)), empty).catch(() => {});
      return page.evaluate(locator.expression).then(pythonStr, () => "");
    case "function":
      return page.evaluate(`(${locator.expression})()`).then(
        (value) => (value ? pythonStr(value) : null),
        () => null,
      );
    case "review-author":
      return shop.latestReviewAuthor(locator.sku);
    case "review-rating":
      return shop.latestReviewRating(locator.sku);
    case "member-role":
      return memberRole(page, locator.account);
  }
}

const empty: Promise<unknown> = Promise.resolve();

/** Reads the role of a member from a project's members page. Returns `""` if the page does not list the account. */
async function memberRole(page: EvaluatedPage, account: string): Promise<string> {
  const accounts = "document.querySelectorAll(\"td[data-label='Account'] span.gl-avatar-labeled-sublabel\")";
  const index = `[...${accounts}].findIndex(({ outerText }) => outerText === ${JSON.stringify(`@${account}`)})`;
  const role = `document.querySelectorAll("td.col-max-role span")[${index}].outerText`;
  return page.evaluate(role).then(pythonStr, () => "");
}
