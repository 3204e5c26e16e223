/** Problems about numbers: remainders, sequences, counting, probability, averages and shapes. */
import { type Family, fraction, numeric } from "../problem.js";

export const remainders: Family = (draw, difficulty) => {
  if (difficulty < 3) {
    const [a, b] = [draw.number(50, 400 * difficulty), draw.number(9, 40 * difficulty)];
    const text = draw.say("remainders.division", { a, b });
    return numeric(text, a % b, `${a} mod ${b}`);
  }
  const [base, exponent, modulus] = [
    draw.number(2, 20),
    draw.number(10, 40 * difficulty),
    draw.number(50, 50 * difficulty),
  ];
  const text = draw.say("remainders.power", { base, exponent, modulus });
  return numeric(text, powerMod(base, exponent, modulus), `${base}^${exponent} mod ${modulus}`);
};

export const multiples: Family = (draw, difficulty) => {
  const all = Array.from({ length: 5 + 8 * difficulty }, (_, at) => at + 2);
  const numbers = draw.some(all, difficulty < 4 ? 2 : 3);
  const list = listOf(numbers);
  if (draw.one([true, false])) {
    // Random numbers mostly have the divisor 1 or 2, so an agent could guess it.
    const unit = draw.number(3, 20 + 10 * difficulty);
    const common = numbers.map((number) => number * unit);
    const divisor = common.reduce(greatestDivisor);
    const text = draw.say("multiples.divisor", { list: listOf(common) });
    return numeric(text, divisor, `gcd(${common.join(", ")})`);
  }
  const multiple = numbers.reduce((all, each) => (all / greatestDivisor(all, each)) * each);
  const text = draw.say("multiples.multiple", { list });
  return numeric(text, multiple, `lcm(${numbers.join(", ")})`);
};

export const sequences: Family = (draw, difficulty) => {
  const first = draw.number(1, 10 * difficulty);
  const step = draw.number(2, 3 + 2 * difficulty);
  const count = draw.number(6, 8 * difficulty + 4);
  const shown = [0, 1, 2, 3].map((at) => first + at * step).join(", ");
  const last = first + (count - 1) * step;
  if (difficulty < 3) {
    const text = draw.say("sequences.term", { shown, count });
    return numeric(text, last, `${first} + (${count} - 1) * ${step}`);
  }
  const text = draw.say("sequences.sum", { shown, count });
  return numeric(text, (count * (first + last)) / 2, `${count} * (2 * ${first} + (${count} - 1) * ${step}) / 2`);
};

export const counting: Family = (draw, difficulty) => {
  const people = draw.number(5, 12 + 2 * difficulty);
  const places = draw.number(2, Math.min(people - 1, 2 + difficulty));
  const values = { people, places };
  if (draw.one([true, false])) {
    const text = draw.say("counting.sets", values);
    return numeric(text, choose(people, places), `binom(${people}, ${places})`);
  }
  const text = draw.say("counting.orders", values);
  return numeric(text, choose(people, places) * factorial(places), `${people}! / (${people} - ${places})!`);
};

/** Problems that ask for the probability that all drawn balls have the same color. */
export const chance: Family = (draw, difficulty) => {
  const [red, blue] = [draw.number(2, 3 + 2 * difficulty), draw.number(2, 3 + 2 * difficulty)];
  const taken = difficulty < 2 ? 1 : difficulty < 4 ? 2 : draw.one([2, 3]);
  const text = draw.say("chance", {
    red,
    blue,
    takes: taken === 1 ? "one is taken" : `${taken} are taken at once`,
    all: taken === 1 ? "it is" : "all are",
  });
  return numeric(
    text,
    fraction(choose(red, taken), choose(red + blue, taken)),
    `binom(${red}, ${taken}) / binom(${red + blue}, ${taken})`,
  );
};

export const averages: Family = (draw, difficulty) => {
  const count = 2 + difficulty;
  const marks = Array.from({ length: count }, () => draw.number(1, 20 * difficulty));
  const sum = marks.reduce((all, mark) => all + mark, 0);
  if (difficulty < 3) {
    const text = draw.say("averages.mean", { list: marks.join(", ") });
    return numeric(text, fraction(sum, count), `(${marks.join(" + ")}) / ${count}`);
  }
  const goal = Math.ceil(sum / count) + draw.number(1, 5);
  const [name = ""] = draw.people(1);
  const text = draw.say("averages.goal", { name, list: marks.join(", "), goal });
  return numeric(text, goal * (count + 1) - sum, `${goal} * ${count + 1} - (${marks.join(" + ")})`);
};

export const shapes: Family = (draw, difficulty) => {
  const [a, b] = [draw.number(2, 6 + 5 * difficulty), draw.number(2, 6 + 5 * difficulty)];
  if (difficulty < 3) {
    const isArea = draw.one([true, false]);
    const what = isArea ? "area, in square metres" : "perimeter, in metres";
    const text = draw.say("shapes.rectangle", { a, b, what });
    return isArea ? numeric(text, a * b, `${a} * ${b}`) : numeric(text, 2 * (a + b), `2 * (${a} + ${b})`);
  }
  if (difficulty === 3) {
    const text = draw.say("shapes.diagonal", { a, b });
    return numeric(text, `sqrt(${a * a + b * b})`, `sqrt(${a}^2 + ${b}^2)`);
  }
  const text = draw.say("shapes.cylinder", { a, b });
  return numeric(text, `${a * a * b} pi`, `pi * ${a}^2 * ${b}`);
};

/** Problems about two or three people who work together. */
export const work: Family = (draw, difficulty) => {
  const names = draw.people(difficulty < 3 ? 2 : 3);
  const hours = names.map(() => draw.number(2, 4 + 3 * difficulty));
  const told = names.map((name, at) => `${name} in ${hours[at]} hours`).join(", ");
  const product = hours.reduce((all, each) => all * each, 1);
  const rate = hours.reduce((sum, each) => sum + product / each, 0);
  const text = draw.say("work", { told });
  return numeric(text, fraction(product, rate), `1 / (${hours.map((each) => `1/${each}`).join(" + ")})`);
};

function listOf(numbers: readonly number[]): string {
  return `${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function factorial(count: number): number {
  return count < 2 ? 1 : count * factorial(count - 1);
}

function choose(of: number, take: number): number {
  if (take > of) return 0;
  let count = 1;
  for (let at = 0; at < take; at++) count = (count * (of - at)) / (at + 1);
  return Math.round(count);
}

function powerMod(base: number, exponent: number, modulus: number): number {
  let result = 1 % modulus;
  for (let at = 0; at < exponent; at++) result = (result * base) % modulus;
  return result;
}
