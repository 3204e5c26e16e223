/** Reads from a question what it asks for: percent, a ratio, a base, a unit. */
import { readUnit, singular, type Unit } from "./units.js";

export interface Question {
  /** Whether the answer is a number of percent, so that `12` means `12%`. */
  asksPercent: boolean;
  asksRatio: boolean;
  /** Bases that the question names. */
  bases: ReadonlySet<number>;
  /** The unit in which the question asks, if it names exactly one. */
  unit: Unit | null;
  /** Words of the question in lower case and singular, or null if the question is not known. */
  words: ReadonlySet<string> | null;
}

const mostRead = 20_000;
const amount =
  "(?:[\\d%]|\\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred))";
const percent = new RegExp(
  `\\b(?:what|which|how\\s+many|find|determine|calculate|compute|give|express|state|write|as|in)\\b[^.?!;\\n]{0,80}?(?<!${amount}[\\s-]*)(?:\\bper\\s?cent(?:age)?s?\\b|(?<=\\b(?:what|which|in|as|many)\\s+(?:an?\\s+)?\\\\?)%)`,
  "i",
);
const otherForm = /\b(?:as|in)\s+(?:an?\s+)?(?:\w+\s+){0,2}(?:decimal|fraction)\b/i;

export const baseNames: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  sixteen: 16,
};
const systems = { binary: 2, octal: 8, hexadecimal: 16 } as const;

export function readQuestion(text: string): Question {
  const read = text.slice(-mostRead);
  const words = read
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.map(singular);
  return {
    asksPercent: percent.test(read) && !otherForm.test(read),
    asksRatio: /\b(?:ratio|proportion|odds)\b/i.test(read),
    bases: basesIn(read.toLowerCase()),
    unit: unitIn(read),
    words: words ? new Set(words) : null,
  };
}

function basesIn(text: string): Set<number> {
  const bases = new Set<number>();
  for (const [, name = ""] of text.matchAll(/\bbase[\s$-]*(\w+)/g)) {
    const base = baseNames[name] ?? Number(name);
    if (base >= 2 && base <= 36) bases.add(base);
  }
  for (const [name, base] of Object.entries(systems)) if (text.includes(name)) bases.add(base);
  return bases;
}

function unitIn(text: string): Unit | null {
  const asked =
    /\bhow many ((?:square |cubic )?[a-z]+)\b|\bin ((?:square |cubic )?[a-z]+(?: per [a-z]+)?)(?=[.?,]|$)/gi;
  const units = [...text.matchAll(asked)].map(([, many, inside]) => readUnit(many ?? (inside as string)));
  const known = units.filter((unit) => unit?.dimension !== undefined) as Unit[];
  return new Set(known.map(({ name }) => name)).size === 1 ? (known[0] as Unit) : null;
}
