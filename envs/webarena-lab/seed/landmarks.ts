/** Landmarks of the region, such as universities and bridges, for the encyclopedia and the map. */
import { readFileSync } from "node:fs";
import { type Town, towns } from "./region.js";

interface Landmark {
  name: string;
  town: Town;
}

export interface University extends Landmark {
  founded: number;
  students: number;
  subjects: string;
}

export interface Museum extends Landmark {
  opened: number;
  subject: string;
  highlight: string;
  second: string;
}

export interface Bridge extends Landmark {
  river: string;
  opened: number;
  /** Length in meters. */
  length: number;
  design: string;
}

export interface Club extends Landmark {
  founded: number;
  stadium: string;
  capacity: number;
  colours: string;
  nickname: string;
  /** Strength of the club's team, from 60 to 92. */
  strength: number;
}

interface Rows {
  universities: [string, string, number, number, string][];
  museums: [string, string, number, string, string, string][];
  bridges: [string, string, string, number, number, string][];
  clubs: [string, string, number, string, number, string, string, number][];
}

const rows = JSON.parse(readFileSync(new URL("../data/wiki/landmarks.json", import.meta.url), "utf8")) as Rows;

/** @throws {Error} the town does not exist */
export function townOf(name: string): Town {
  const town = towns.find((one) => one.name === name);
  if (!town) throw new Error(`expected the name of a town in the region, but received ${name}`);
  return town;
}

export const universities: readonly University[] = rows.universities.map(
  ([name, town, founded, students, subjects]) => ({
    name,
    town: townOf(town),
    founded,
    students,
    subjects,
  }),
);

export const museums: readonly Museum[] = rows.museums.map(([name, town, opened, subject, highlight, second]) => ({
  name,
  town: townOf(town),
  opened,
  subject,
  highlight,
  second,
}));

export const bridges: readonly Bridge[] = rows.bridges.map(([name, town, river, opened, length, design]) => ({
  name,
  town: townOf(town),
  river,
  opened,
  length,
  design,
}));

export const clubs: readonly Club[] = rows.clubs.map(
  ([name, town, founded, stadium, capacity, colours, nickname, strength]) => ({
    name,
    town: townOf(town),
    founded,
    stadium,
    capacity,
    colours,
    nickname,
    strength,
  }),
);
