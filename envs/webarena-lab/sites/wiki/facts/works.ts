/** Generates novels, films, albums and paintings. */
import { type Museum, museums } from "../../../seed/landmarks.js";
import { Random } from "../../../seed/random.js";
import { type Town, towns } from "../../../seed/region.js";
import { peopleWords, titles } from "../data.js";
import { type Person, type Profession, people, yearOf } from "./people.js";

export type Form = "novel" | "film" | "album" | "painting";

export interface Work {
  title: string;
  form: Form;
  by: Person;
  year: number;
  genre: string;
  /** Town that the work is set in, or that the painting shows. */
  setting: Town;
  /** Number of pages of a novel, minutes of a film, or songs of an album. Undefined for a painting. */
  size?: number;
  /** Museum that owns the work, if the work is a painting. */
  museum?: Museum;
}

export const makers: Record<Form, Profession> = {
  novel: "writer",
  film: "director",
  album: "musician",
  painting: "painter",
};

const sizes: Record<Exclude<Form, "painting">, [number, number]> = {
  novel: [148, 712],
  film: [74, 168],
  album: [8, 15],
};

const galleries = museums.filter(({ subject }) => subject === "painting and sculpture");

let known: readonly Work[] | undefined;

export function works(): readonly Work[] {
  known ??= (Object.keys(makers) as Form[]).flatMap(worksOf);
  return known;
}

function worksOf(form: Form): Work[] {
  const random = Random.of(`wiki ${form}s`);
  const artists = people().filter(({ profession }) => profession === makers[form]);
  const left = [...titles[form]];
  random.shuffle(left);
  const years = new Map<Person, Set<number>>();
  return left.map((title, at) => {
    // Each artist has at least one work, and the remaining works are distributed unevenly.
    const by = artists[at] ?? (artists[Math.floor(random.random() ** 1.6 * artists.length)] as Person);
    const own = years.get(by) ?? new Set<number>();
    years.set(by, own);
    return workOf(random, title, form, by, freeYear(random, by, own));
  });
}

function workOf(random: Random, title: string, form: Form, by: Person, year: number): Work {
  const base = { title, form, by, year, genre: random.choice(peopleWords.genres[form]), setting: random.choice(towns) };
  if (form === "painting") {
    const open = galleries.filter(({ opened }) => opened > 0);
    return { ...base, museum: random.choice(open) };
  }
  return { ...base, size: random.between(...sizes[form]) };
}

/** Draws a year of the artist's career without another work of the artist. */
function freeYear(random: Random, { born, died }: Person, own: Set<number>): number {
  const from = yearOf(born) + 23;
  const to = Math.min(died === undefined ? 2023 : yearOf(died), yearOf(born) + 74, 2023);
  for (;;) {
    const year = random.between(from, to);
    if (own.has(year)) continue;
    own.add(year);
    return year;
  }
}

export function worksBy(person: Person): Work[] {
  return works()
    .filter(({ by }) => by === person)
    .sort((one, other) => one.year - other.year);
}
