/** Word lists and tables for the generation of the encyclopedia. */
import { readFileSync } from "node:fs";

const folder = new URL("../../data/wiki/", import.meta.url);

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as T;
}

/** A mountain: name, height in meters, district, year of the first ascent, rock. */
export type MountainRow = [string, number, string, number, string];
/** A lake: name, district, area in square kilometers, depth in meters, elevation in meters. */
export type LakeRow = [string, string, number, number, number];
/** An island: name, district, area in square kilometers, inhabitants. */
export type IslandRow = [string, string, number, number];
/** A tributary: name, length in kilometers, name of the river that it joins, source. */
export type TributaryRow = [string, number, string, string];

export const relief = read<{
  mountains: MountainRow[];
  lakes: LakeRow[];
  islands: IslandRow[];
  tributaries: TributaryRow[];
}>("relief");

/** An animal: name, Latin name, family, habitat, food, weight in kilograms, conservation status. */
export type AnimalRow = [string, string, string, string, string, number, string];
/** A plant: name, Latin name, family, habitat, height in meters, flowering time. */
export type PlantRow = [string, string, string, string, number, string];

export const nature = read<{ animals: AnimalRow[]; plants: PlantRow[] }>("nature");

export const titles = read<Record<"novel" | "film" | "album" | "painting", string[]>>("titles");

/** A company: name, town, year of foundation, industry, products, number of employees. */
export type CompanyRow = [string, string, number, string, string, number];

export const companyRows = read<CompanyRow[]>("companies");

/** A historical event: name, year, town, kind, effect, later consequences. */
export type EventRow = [string, number, string, string, string, string];

export const eventRows = read<EventRow[]>("events");

export const peopleWords = read<{
  women: string[];
  fields: [string, string][];
  genres: Record<"novel" | "film" | "album" | "painting", string[]>;
  occupations: Record<string, string[]>;
  offices: string[];
}>("people");

/** Sentence patterns by topic. The field `words` contains the word lists. */
export const patterns = read<{ words: Record<string, string[]> } & Record<string, string[]>>("prose");
