/** Names, goods and places of the two halves of the tasks, which share none of them but the colours. */
import { jsonFile } from "../../shared/kept/data-file.js";

export type Half = "train" | "test";

export interface People {
  first: readonly string[];
  last: readonly string[];
  streets: readonly string[];
  cities: readonly string[];
}

export interface Good {
  /** Word that a customer uses for each of these goods. */
  short: string;
  nouns: readonly string[];
  group: string;
  variants: readonly string[];
  /** Lowest and highest price. */
  price: readonly [number, number];
}

/** Variants that many goods have. */
export const colours = ["black", "white", "blue", "green", "grey", "red"];

export const people = jsonFile<Readonly<Record<Half, People>>>(new URL("../data/people.json", import.meta.url));
export const goods = jsonFile<Readonly<Record<Half, readonly Good[]>>>(new URL("../data/goods.json", import.meta.url));
