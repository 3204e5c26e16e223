/** Reads the word lists of the shop from data files. */
import { readFileSync } from "node:fs";

/** Data for a kind of product: names, prices and phrases for reviews. */
export interface Shelf {
  name: string;
  nouns: readonly string[];
  features: readonly string[];
  uses: readonly string[];
  /** Price range in dollars. */
  price: readonly [low: number, high: number];
  colors?: readonly string[];
  sizes?: readonly string[];
  specs: Readonly<Record<string, readonly string[]>>;
  text: readonly string[];
  /** Phrases that praise the product. */
  pro: readonly string[];
  /** Phrases that criticize the product, by subject. */
  con: Readonly<Record<string, readonly string[]>>;
}

export interface Branch {
  name: string;
  brands?: readonly string[];
  children: readonly (Branch | Shelf)[];
}

export interface ReviewWords {
  titles: Readonly<Record<string, readonly string[]>>;
  openings: Readonly<Record<"good" | "mixed" | "bad", readonly string[]>>;
  contexts: readonly string[];
  closings: Readonly<Record<"good" | "mixed" | "bad", readonly string[]>>;
  people: readonly string[];
  spans: readonly string[];
}

export interface Content {
  pages: readonly { title: string; urlKey: string; content: string }[];
  streets: readonly string[];
  comments: readonly string[];
  terms: readonly string[];
  nicknames: readonly string[];
  series: readonly string[];
}

const folder = new URL("../../../data/shop/", import.meta.url);

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as T;
}

const departments =
  "electronics home-kitchen clothing beauty health grocery sports video-games office garden toys pets";

export function readCatalogue(): Branch[] {
  return departments.split(" ").map((name) => read<Branch>(`catalogue/${name}`));
}

export const readReviewWords = () => read<ReviewWords>("reviews");
export const readContent = () => read<Content>("content");

export function isShelf(node: Branch | Shelf): node is Shelf {
  return "nouns" in node;
}
