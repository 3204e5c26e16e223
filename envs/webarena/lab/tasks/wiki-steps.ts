/** Steps and expected addresses that the encyclopedia's templates share. */
import { click, enter, type PlanStep } from "../plan.js";
import { articles } from "../sites/wiki/articles.js";
import { pathOf } from "../sites/wiki/page.js";

export const searchField = "Search 'Haldane Encyclopedia'";

/** Steps that search for an article and open it. */
export function look(title: string): PlanStep[] {
  return [enter(searchField, title.replace(/ \(\w+\)$/, "")), click("link", title)];
}

export function addressOf(title: string): string {
  return `__WIKIPEDIA__${pathOf(title)}`;
}

/** Whether the address of an article is not a prefix of another article's address. */
export function isDistinct(title: string): boolean {
  return ![...articles().keys()].some((other) => other !== title && other.startsWith(title));
}
