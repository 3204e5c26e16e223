/**
 * Parses the calls of helpers in WebArena's task files. The grammar is fixed, and this module executes no code of a
 * task.
 */

/** The page to check. */
export type TargetUrl =
  | { kind: "address"; url: string }
  /** The page of the shop's newest order. */
  | { kind: "latest-order" }
  /** The page of the forum post to which the URL belongs. */
  | { kind: "post"; url: string };

/** The part of a page to check. */
export type Locator =
  | { kind: "page" }
  /** The result of a JavaScript expression in the page. */
  | { kind: "script"; expression: string }
  /** The result of a JavaScript function in the page. Only in WebArena-Lite. */
  | { kind: "function"; expression: string }
  | { kind: "review-author"; sku: string }
  | { kind: "review-rating"; sku: string }
  | { kind: "member-role"; account: string };

/** @throws {UnknownHelper} the URL calls an unknown helper */
export function parseTargetUrl(url: string): TargetUrl {
  if (!url.startsWith("func")) return { kind: "address", url };
  const post = /^func:reddit_get_post_url\('([^']*)'\)$/.exec(url);
  if (post) return { kind: "post", url: post[1] as string };
  if (url === "func:shopping_get_latest_order_url()") return { kind: "latest-order" };
  throw new UnknownHelper("reddit_get_post_url('...') or shopping_get_latest_order_url()", url);
}

/** @throws {UnknownHelper} the locator calls an unknown helper */
export function parseLocator(locator: string): Locator {
  if (locator.trim() === "") return { kind: "page" };
  if (locator.startsWith("document.") || locator.startsWith("[...document."))
    return { kind: "script", expression: locator };
  if (locator.startsWith("lambda:")) return { kind: "function", expression: locator.slice("lambda:".length).trim() };
  const review = /^func:shopping_get_sku_latest_review_(author|rating)\('([^']*)'\)$/.exec(locator);
  if (review) return { kind: `review-${review[1] as "author" | "rating"}`, sku: review[2] as string };
  // WebArena's helper has this misspelled name.
  const member = /^func:gitlab_get_project_memeber_role\(__page__, '([^']*)'\)$/.exec(locator);
  if (member) return { kind: "member-role", account: member[1] as string };
  throw new UnknownHelper("a blank locator, JavaScript that begins with document., or a known helper", locator);
}

export class UnknownHelper extends Error {
  constructor(expected: string, received: string) {
    super(`expected ${expected}, but received ${received}`);
  }
}

/** Returns the URL of the forum post to which a page's URL belongs. Returns URLs outside posts unchanged. */
export function postUrl(url: string): string {
  const [, scheme = "", host = "", path = ""] = /^([^:/?#]+):\/\/([^/?#]*)([^?#]*)/.exec(url) ?? [];
  const parts = path.split("/");
  return parts.length >= 4 && parts[1] === "f" ? `${scheme}://${host}/f/${parts[2]}/${parts[3]}/` : url;
}
