/** The forum's users. */
import { day, now } from "../../../clock.js";
import { Random } from "../../../seed/random.js";
import { towns } from "../../../seed/region.js";
import type { User } from "../rows.js";
import type { Material } from "./material.js";
import { Phrases } from "./phrases.js";

/** Name of the agent's account. */
export const persona = "MarvelsGrantMan136";
export const password = "test1234";

const count = 420;

/** Returns the word lists for the patterns of all forums. */
export function commonWords({ words }: Material): Record<string, readonly string[]> {
  return { ...words, place_h: towns.map(({ name }) => name) };
}

/** Creates the users. The first user is the agent's account. */
export function seedUsers(material: Material): User[] {
  const random = Random.of("forum users");
  const phrases = new Phrases(random, commonWords(material));
  const names = new Set([persona]);
  while (names.size < count) names.add(nameFrom(random, material));
  return [...names].map((name, at) => ({
    id: at + 1,
    name,
    password,
    created: now - Math.floor((430 + 1900 * random.random() ** 2) * day + random.random() * day),
    biography: at > 0 && random.chance(0.4) ? phrases.say(material.bios, new Map()) : "",
  }));
}

function nameFrom(random: Random, { adjectives, nouns }: Material): string {
  const [one, two] = [random.choice(adjectives), random.choice(nouns)];
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
  switch (random.between(0, 5)) {
    case 0:
      return `${one}_${two}`;
    case 1:
      return `${capital(one)}${capital(two)}`;
    case 2:
      return `${capital(one)}${capital(two)}${random.between(2, 99)}`;
    case 3:
      return `${two}${random.between(100, 1999)}`;
    case 4:
      return `the_${one}_${two}`;
    default:
      return `${one}${two}_${random.between(1, 89)}`;
  }
}
