/** Problems with unknown numbers: equations, ages, mixtures, systems of equations, inequalities. */
import { type Family, fraction, numeric } from "../problem.js";

export const equations: Family = (draw, difficulty) => {
  const x = draw.number(difficulty < 3 ? 1 : -20, 25 * difficulty);
  const a = draw.number(2, 3 + 2 * difficulty);
  const b = draw.number(1, 10 * difficulty);
  if (difficulty < 3) {
    const text = draw.say("equations.one", { a, b, c: a * x + b });
    return numeric(text, x, `(${a * x + b} - ${b}) / ${a}`);
  }
  // The answer may be a fraction, since c and d are drawn independently.
  const c = draw.number(1, a - 1);
  const d = draw.number(-10 * difficulty, 10 * difficulty);
  const right = `${c === 1 ? "" : c}x ${d < 0 ? "-" : "+"} ${Math.abs(d)}`;
  const text = draw.say("equations.both", {
    a,
    b,
    right,
  });
  return numeric(text, fraction(d - b, a - c), `(${d} - ${b}) / (${a} - ${c})`);
};

export const ages: Family = (draw, difficulty) => {
  const [older = "", younger = ""] = draw.people(2);
  const years = draw.number(2, 3 + 2 * difficulty);
  const times = draw.number(2, 2 + Math.ceil(difficulty / 2));
  const later = draw.number(years + 3, years + 6 + 3 * difficulty);
  const [young, old] = [later - years, times * later - years];
  if (difficulty < 3) {
    const text = draw.say("ages.difference", { older, younger, gap: old - young, years, later });
    return numeric(text, old, `${later} - ${years} + ${old - young}`);
  }
  const text = draw.say("ages.sum", { older, younger, sum: old + young, years, times });
  return numeric(text, young, `(${old + young} + 2 * ${years}) / (${times} + 1) - ${years}`);
};

export const systems: Family = (draw, difficulty) => {
  const [many, few] = [draw.number(3, 20 + 10 * difficulty), draw.number(2, 20 + 10 * difficulty)];
  const [what, left, right, countLeft, countRight] = draw.one([
    ["legs", "spiders", "beetles", 8, 6],
    ["wheels", "cars", "bicycles", 4, 2],
    ["legs", "rabbits", "hens", 4, 2],
    ["seats", "vans", "carts", 9, 4],
  ] as const);
  const total = many * countLeft + few * countRight;
  const text = draw.say("systems", { count: many + few, left, right, total, what, countLeft, countRight });
  return numeric(text, many, `(${total} - ${countRight} * ${many + few}) / (${countLeft} - ${countRight})`);
};

export const mixtures: Family = (draw, difficulty) => {
  const [first, second] = draw.some([5, 10, 15, 20, 25, 30, 40, 50, 60], 2) as [number, number];
  const [a, b] = [draw.number(1, 2 + 2 * difficulty), draw.number(1, 3 + 2 * difficulty)];
  const values = { a, b, first, second };
  if (difficulty < 4) {
    const text = draw.say("mixtures.share", values);
    return numeric(
      text,
      `${fraction(a * first + b * second, a + b)}%`,
      `(${a} * ${first} + ${b} * ${second}) / (${a} + ${b})`,
    );
  }
  const goal = Math.min(first, second) + draw.number(1, Math.abs(first - second) - 1);
  const text = draw.say("mixtures.goal", { ...values, goal });
  return numeric(
    text,
    fraction(b * (goal - second), first - goal),
    `${b} * (${goal} - ${second}) / (${first} - ${goal})`,
  );
};

/** Problems that ask for both roots of a quadratic equation. */
export const quadratics: Family = (draw, difficulty) => {
  const low = draw.number(-4 * difficulty, 3 * difficulty);
  const high = low + draw.number(1, 4 * difficulty);
  const a = difficulty < 4 ? 1 : draw.number(2, difficulty);
  const terms = [a === 1 ? "x^2" : `${a}x^2`, signed(-a * (low + high), "x"), signed(a * low * high, "")].join("");
  const text = draw.say("quadratics", { terms });
  const half = `sqrt(${bracketed(a * (low + high))}^2 - 4 * ${a} * ${bracketed(a * low * high)})`;
  const [sum, below] = [`${a * (low + high)}`, `(2 * ${a})`];
  return {
    text,
    answer: `${low}, ${high}`,
    working: [`(${sum} - ${half}) / ${below}`, `(${sum} + ${half}) / ${below}`],
  };
};

/** Problems that ask for the interval on which an inequality holds. */
export const inequalities: Family = (draw, difficulty) => {
  const middle = draw.number(-5 * difficulty, 5 * difficulty);
  const reach = draw.number(1, 5 * difficulty);
  const isStrict = draw.one([true, false]);
  const factor = difficulty < 3 ? 1 : draw.number(2, difficulty + 1);
  const inside = `${factor === 1 ? "" : factor}x${signed(-factor * middle, "")}`;
  const text = draw.say("inequalities", { inside, sign: isStrict ? "<" : "<=", reach: reach * factor });
  const ends = `${middle - reach}, ${middle + reach}`;
  const working = ["-", "+"].map((sign) => `(${factor * middle} ${sign} ${reach * factor}) / ${factor}`);
  return { text, answer: isStrict ? `(${ends})` : `[${ends}]`, working };
};

function signed(value: number, name: string): string {
  if (value === 0) return "";
  const size = Math.abs(value);
  return ` ${value < 0 ? "-" : "+"} ${size === 1 && name !== "" ? name : `${size}${name}`}`;
}

function bracketed(value: number): string {
  return value < 0 ? `(${value})` : `${value}`;
}
