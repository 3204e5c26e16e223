/** Geographic data and word lists for the generation of the map. */
import { readFileSync } from "node:fs";

const folder = new URL("../../../data/map/", import.meta.url);

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8")) as T;
}

/** A position: latitude and longitude in degrees. */
export type LatLon = readonly [latitude: number, longitude: number];

export type RoadClass = "motorway" | "primary" | "secondary";

export const land = read<{
  coast: LatLon[];
  islands: LatLon[][];
  /** Rows of lakes. Columns: name, latitude, longitude, radius in degrees of latitude. */
  lakes: [string, number, number, number][];
  rivers: Record<string, LatLon[]>;
  /** Rows of roads. Columns: class, number, name, towns in their order along the road. */
  roads: [RoadClass, string, string, string[]][];
  /** Rows of airports. Columns: name, town, code, number of the road that passes the airport. */
  airports: [string, string, string, string][];
}>("country");

type Lists =
  | "mainStreets"
  | "streetNames"
  | "streetTypes"
  | "adjectives"
  | "nouns"
  | "cafes"
  | "pubs"
  | "hotels"
  | "bakeries"
  | "bookshops"
  | "cinemas"
  | "placeNames"
  | "pharmacyNames"
  | "schoolNames"
  | "parkNames"
  | "supermarketBrands"
  | "hotelBrands"
  | "bankBrands"
  | "fuelBrands";

export const names = read<Record<Lists, string[]> & { cuisines: Record<string, string[]> }>("names");
