/** Word lists and tables from which the encyclopedia is generated. */
import { readFileSync } from "node:fs";

const folder = new URL("../../../data/lab/wiki/", import.meta.url);

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as T;
}

/** Columns: name, height in metres, district, year of the first ascent, rock. */
export type MountainRow = [string, number, string, number, string];
/** Columns: name, district, area in square kilometres, depth in metres, height above the sea in metres. */
export type LakeRow = [string, string, number, number, number];
/** Columns: name, district, area in square kilometres, inhabitants. */
export type IslandRow = [string, string, number, number];
/** Columns: name, length in kilometres, the river that the tributary joins, source. */
export type TributaryRow = [string, number, string, string];

export const relief = read<{
  mountains: MountainRow[];
  lakes: LakeRow[];
  islands: IslandRow[];
  tributaries: TributaryRow[];
}>("relief");

/** Columns: name, Latin name, family, habitat, food, weight in kilograms, status. */
export type AnimalRow = [string, string, string, string, string, number, string];
/** Columns: name, Latin name, family, habitat, height in metres, flowering time. */
export type PlantRow = [string, string, string, string, number, string];

export const nature = read<{ animals: AnimalRow[]; plants: PlantRow[] }>("nature");

export const titles = read<Record<"novel" | "film" | "album" | "painting", string[]>>("titles");

/** Columns: name, town, year of foundation, industry, products, number of employees. */
export type CompanyRow = [string, string, number, string, string, number];

export const companyRows = read<CompanyRow[]>("companies");

/** Columns: name, year, town, kind, effect of the event, events that followed. */
export type EventRow = [string, number, string, string, string, string];

export const eventRows = read<EventRow[]>("events");

export const peopleWords = read<{
  women: string[];
  fields: [string, string][];
  genres: Record<"novel" | "film" | "album" | "painting", string[]>;
  occupations: Record<string, string[]>;
  offices: string[];
}>("people");

/** Sentence patterns by topic. Word lists are stored under `words`. */
export const patterns = read<{ words: Record<string, string[]> } & Record<string, string[]>>("prose");
