/** Invented references for the articles. */
import { Random } from "../../../seed/random.js";
import { firstNames, lastNames } from "../../../seed/region.js";
import { patterns } from "../data.js";
import type { Draft } from "./article.js";

const books = [
  "A Short Guide to {x}",
  "{x}: Sources and Documents",
  "Notes on {x}",
  "{x} in Its Time",
  "Remembering {x}",
  "The Handbook of {x}",
  "Essays on {x}",
  "{x} Reconsidered",
  "An Introduction to {x}",
  "{x} and Its Critics",
];
const publishers = [
  "Quayside Press",
  "Orrbridge University Press",
  "Lisk House",
  "Marlowe & Thorne",
  "Society of Haldane",
];

export function referencesOf({ title, categories }: Draft): string[] {
  const random = Random.of(`wiki references ${title}`);
  const topic = title.replace(/ \(\w+\)$/, "");
  return Array.from({ length: random.between(2, 5) }, () => {
    const by = `${random.choice(lastNames)}, ${random.choice(firstNames).charAt(0)}.`;
    const about = random.chance(0.6) ? topic : (categories[0] ?? topic);
    const page = random.between(8, 420);
    if (random.chance(0.4)) {
      const journal = random.choice(patterns.words.journal ?? []);
      const [volume, year] = [random.between(3, 96), random.between(1921, 2023)];
      return `${by} (${year}). "${random.choice(books).replace("{x}", about)}". ${journal} ${volume}, pp. ${page}–${page + random.between(2, 24)}.`;
    }
    return `${by} (${random.between(1908, 2023)}). ${random.choice(books).replace("{x}", about)}. ${random.choice(publishers)}, p. ${page}.`;
  });
}
