import { type Kind, type Reading, swapped, wrongFor } from "./kind.js";
import { materialNames } from "./vocabulary.js";

const orders = {
  "by the alphabet": (one: string, other: string) => (one < other ? -1 : 1),
  "from Z to A": (one: string, other: string) => (one < other ? 1 : -1),
  "from low to high": (one: string, other: string) => Number(one) - Number(other),
  "from high to low": (one: string, other: string) => Number(other) - Number(one),
} as const;
type Order = keyof typeof orders;
const orderNames = Object.keys(orders) as Order[];
const [ofWords, ofNumbers] = [orderNames.slice(0, 2), orderNames.slice(2)];

const question = new RegExp(
  `\\bsort (?:these (?:words|numbers)|the list (\\w+)) (${orderNames.join("|")})(?::([^.]*))?`,
  "gi",
);
const list = /\blist (\w+): ([^.]*)\./gi;

export const sorting: Kind = {
  ask({ draw, vocabulary, isEasy }) {
    const isWords = draw.happens(0.5);
    const count = isEasy ? draw.number(3, 4) : draw.number(6, 10);
    const numbers = Array.from({ length: 90 }, (_, at) => `${at + 10}`);
    const items = draw.some(isWords ? vocabulary.words : numbers, count).join(", ");
    const order = draw.one(isWords ? ofWords : ofNumbers);
    if (isEasy) return { text: `Sort these ${isWords ? "words" : "numbers"} ${order}: ${items}.` };
    const name = draw.one(materialNames().lists);
    const material = { name, pages: [`List ${name}: ${items}.`], labels: [""] };
    return { text: `Sort the list ${name} ${order}.`, source: { material, page: 0 } };
  },
  read(request) {
    const lists = new Map([...request.matchAll(list)].map(([, name = "", items = ""]) => [name.toLowerCase(), items]));
    return [...request.matchAll(question)].map(([, name, order = "", own]) => {
      const items = name === undefined ? own : lists.get(name.toLowerCase());
      return items === undefined ? { missing: `the list ${name ?? "of the items"}` } : read(items, order);
    });
  },
};

function read(text: string, order: string): Reading {
  const items = itemsOf(text);
  if (items.length < 2) return { missing: "two or more items, with commas between them" };
  const name = orderNames.find((each) => each.toLowerCase() === order.toLowerCase()) as Order;
  const sorted = [...items].sort(orders[name]);
  const rotated = [sorted.slice(1).concat(sorted.slice(0, 1)), sorted.slice(-1).concat(sorted.slice(0, -1))];
  const orderings = [...sorted.slice(1).map((_, at) => swapped(sorted, at)), ...rotated, [...sorted].reverse()];
  const answer = sorted.join(", ");
  const wrong = wrongFor(
    answer,
    orderings.map((each) => each.join(", ")),
  );
  return { problem: { subjects: items, answer, wrong } };
}

function itemsOf(text: string): string[] {
  return text
    .split(",")
    .map((item) => item.trim().toLowerCase())
    .filter((item) => item !== "");
}
