/** Generates the people in the encyclopedia. */
import { type University, universities } from "../../../seed/landmarks.js";
import { Random } from "../../../seed/random.js";
import { firstNames, lastNames, type Town, towns } from "../../../seed/region.js";
import { companyRows, peopleWords } from "../data.js";

export const professions = [
  "writer",
  "director",
  "musician",
  "painter",
  "scientist",
  "politician",
  "founder",
] as const satisfies readonly string[];
export type Profession = "writer" | "director" | "musician" | "painter" | "scientist" | "politician" | "founder";

export interface Person {
  name: string;
  isWoman: boolean;
  profession: Profession;
  /** Occupation in the words of the article's first sentence: `novelist and poet`. */
  occupation: string;
  /** Time of birth in milliseconds since the epoch. */
  born: number;
  town: Town;
  died?: number;
  deathTown?: Town;
  university?: University;
  /** Field of research, if the person is a scientist. */
  field?: string;
  discovery?: string;
  /** Political office, if the person is a politician. */
  office?: string;
  termStart?: number;
  termEnd?: number;
  /** Name of the company, if the person founded one. */
  company?: string;
}

/** For each profession, the number of people and the range of their years of birth. */
const plans: Record<Exclude<Profession, "founder">, [count: number, from: number, to: number]> = {
  writer: [32, 1800, 1984],
  director: [26, 1896, 1986],
  musician: [22, 1932, 1994],
  painter: [18, 1786, 1962],
  scientist: [38, 1802, 1975],
  politician: [20, 1801, 1972],
};

const women = new Set(peopleWords.women);
const lastYear = 2022;

export function yearOf(time: number): number {
  return new Date(time).getUTCFullYear();
}

let known: readonly Person[] | undefined;

/** Returns all people. Their order has no meaning. Names are unique. */
export function people(): readonly Person[] {
  known ??= makePeople();
  return known;
}

function makePeople(): Person[] {
  const random = Random.of("wiki people");
  const taken = new Set<string>();
  const named = () => {
    for (;;) {
      const name = `${random.choice(firstNames)} ${random.choice(lastNames)}`;
      if (taken.has(name)) continue;
      taken.add(name);
      return name;
    }
  };
  const others = Object.entries(plans).flatMap(([profession, [count, from, to]]) =>
    Array.from({ length: count }, () =>
      personBorn(random, named(), profession as Profession, random.between(from, to)),
    ),
  );
  const founders = companyRows.map(([company, town, founded]) => {
    const year = Math.max(1754, founded - random.between(24, 47));
    const own = towns.find(({ name }) => name === town) as Town;
    const home = own.founded <= year && random.chance(0.5) ? own : homeTown(random, year);
    return { ...person(random, named(), "founder", year, home), company };
  });
  return [...others, ...founders];
}

function personBorn(random: Random, name: string, profession: Profession, year: number): Person {
  return person(random, name, profession, year, homeTown(random, year));
}

/**
 * Draws a town that existed in a year. Large towns are drawn more often, but less often than in proportion to their
 * size.
 */
function homeTown(random: Random, year: number): Town {
  const open = towns.filter(({ founded }) => founded <= year);
  const weights = Object.fromEntries(open.map(({ name, inhabitants }) => [name, Math.sqrt(inhabitants)]));
  const name = random.weighted(weights);
  return towns.find((town) => town.name === name) as Town;
}

function person(random: Random, name: string, profession: Profession, year: number, town: Town): Person {
  const born = Date.UTC(year, random.between(0, 11), random.between(1, 28));
  const age = random.between(54, 92);
  const isDead = year + age <= lastYear && (year < 1944 || random.chance(0.3));
  const isWoman = women.has(name.split(" ")[0] as string);
  const open = universities.filter(({ founded }) => founded <= year + 18);
  const studied = profession === "scientist" || random.chance(0.45);
  return {
    name,
    isWoman,
    profession,
    born,
    town,
    ...(isDead ? deathOf(random, year + age, town) : {}),
    ...(studied && open.length > 0 ? { university: random.choice(open) } : {}),
    ...detailsOf(random, profession, year),
  };
}

function deathOf(random: Random, year: number, town: Town): Pick<Person, "died" | "deathTown"> {
  const died = Date.UTC(year, random.between(0, 11), random.between(1, 28));
  return { died, deathTown: random.chance(0.4) ? town : homeTown(random, year) };
}

function detailsOf(random: Random, profession: Profession, year: number) {
  switch (profession) {
    case "scientist": {
      const [field, discovery] = random.choice(peopleWords.fields);
      return { field, discovery, occupation: `specialist in ${field}` };
    }
    case "politician": {
      const termStart = year + random.between(38, 50);
      const occupation = random.choice(peopleWords.occupations.politician ?? []);
      return {
        occupation,
        office: random.choice(peopleWords.offices),
        termStart,
        termEnd: termStart + random.between(2, 4),
      };
    }
    case "founder":
      return { occupation: "entrepreneur" };
    default:
      return { occupation: random.choice(peopleWords.occupations[profession] ?? []) };
  }
}
