import { jsonFile } from "../../shared/kept/data-file.js";
import type { Draw } from "./draw.js";
import type { Person } from "./history.js";

/** First names and roles of the people of a history. */
export interface PeopleWords {
  /** First names for each split. No name occurs in two splits. */
  names: Readonly<Record<string, Names>>;
  roles: Readonly<Record<"women" | "men" | "all", readonly string[]>>;
}

interface Names {
  women: readonly string[];
  men: readonly string[];
}

export const peopleWords = jsonFile<PeopleWords>(new URL("../data/people.json", import.meta.url));

/** Draws the first name of the user and six other people with different names and roles. */
export function drawPeople(draw: Draw, split: string): { user: string; people: Person[] } {
  const { names, roles } = peopleWords();
  const pools = names[split] as Names;
  const [women, men] = [draw.some(pools.women, 5), draw.some(pools.men, 5)];
  const user = (draw.chance(2) ? women : men).pop() as string;
  const person = (pool: string[], role: string): Person => ({ name: pool.pop() as string, role });
  const people = [
    person(women, draw.one(roles.women)),
    person(men, draw.one(roles.men)),
    ...draw.some(roles.all, 4).map((role, at) => person(at % 2 === 0 ? women : men, role)),
  ];
  return { user, people };
}
