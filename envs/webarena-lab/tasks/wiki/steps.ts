/** Steps and expected URLs that the task templates of the encyclopedia share. */
import { click, enter, type PlanStep } from "../../plan.js";
import { articles } from "../../sites/wiki/articles.js";
import { pathOf } from "../../sites/wiki/paths.js";

export const searchField = "Search 'Haldane Encyclopedia'";

/** Returns the steps that search for an article and open it. */
export function look(title: string): PlanStep[] {
  return [enter(searchField, title.replace(/ \(\w+\)$/, "")), click("link", title)];
}

export function addressOf(title: string): string {
  return `__WIKIPEDIA__${pathOf(title)}`;
}

/** Whether no other article's URL begins with the URL of an article. */
export function isDistinct(title: string): boolean {
  return ![...articles().keys()].some((other) => other !== title && other.startsWith(title));
}
