/** Problems about shops, kitchens and journeys. */
import { type Family, fraction, money, numeric } from "../problem.js";
import { sumOf } from "../sum.js";

export const sums: Family = (draw, difficulty) => {
  const most = [0, 20, 100, 1_000, 10_000, 100_000][difficulty] as number;
  const terms = Array.from({ length: difficulty < 3 ? 2 : difficulty }, () => draw.number(1, most));
  const signs = terms.slice(1).map(() => draw.one(["+", "-"] as const));
  return sumOf(draw, terms, signs);
};

export const shopping: Family = (draw, difficulty) => {
  const kinds = draw.some(
    ["pencils", "notebooks", "apples", "stickers", "candles", "mugs", "balloons"],
    1 + Math.ceil(difficulty / 2),
  );
  const bought = kinds.map((kind) => ({
    kind,
    count: draw.number(2, 4 + 4 * difficulty),
    cents: difficulty < 3 ? 100 * draw.number(1, 9) : 5 * draw.number(5, 300),
  }));
  const total = bought.reduce((sum, { count, cents }) => sum + count * cents, 0);
  const paid = Math.ceil(total / 1_000) * 1_000 + 1_000 * draw.number(0, 2);
  const [name = ""] = draw.people(1);
  const list = bought.map(({ kind, count, cents }) => `${count} ${kind} at ${money(cents)} dollars each`).join(", ");
  const sum = bought.map(({ count, cents }) => `${count} * ${money(cents)}`).join(" + ");
  const text = draw.say("shopping", { name, list, paid: paid / 100 });
  return numeric(text, money(paid - total), sum, `${paid / 100} - (${sum})`);
};

export const discounts: Family = (draw, difficulty) => {
  const price = 20 * draw.number(2, 5 + 10 * difficulty);
  const rates = Array.from({ length: difficulty < 3 ? 1 : difficulty < 5 ? 2 : 3 }, () => 5 * draw.number(1, 10));
  const [thing = ""] = draw.some(["coat", "bicycle", "lamp", "radio", "tent", "desk"], 1);
  const left = rates.reduce((rest, rate) => rest * (100 - rate), 1);
  const scale = 100 ** rates.length;
  if (difficulty % 2 === 0) {
    const text = draw.say("discounts.before", { thing, cuts: cutsOf(rates), after: decimal(price * left, scale) });
    return numeric(
      text,
      price,
      `${decimal(price * left, scale)} / (${rates.map((rate) => `(1 - ${rate}%)`).join(" * ")})`,
    );
  }
  const text = draw.say("discounts.after", { thing, price, cuts: cutsOf(rates) });
  return numeric(text, decimal(price * left, scale), `${price}${rates.map((rate) => ` * (1 - ${rate}%)`).join("")}`);
};

export const journeys: Family = (draw, difficulty) => {
  const legs = Array.from({ length: Math.ceil((difficulty + 1) / 2) }, () => ({
    speed: 5 * draw.number(2, 6 + 4 * difficulty),
    minutes: draw.one(difficulty < 3 ? [60, 120, 180] : [15, 20, 30, 40, 45, 75, 90, 100]),
  }));
  const [name = ""] = draw.people(1);
  const told = legs
    .map(({ speed, minutes }) => `${minutes} minutes at ${speed} kilometres an hour`)
    .join(", then for ");
  const path = legs.map(({ speed, minutes }) => `${speed} * ${minutes}/60`).join(" + ");
  const distance = legs.reduce((sum, { speed, minutes }) => sum + speed * minutes, 0);
  if (difficulty < 4) {
    const text = draw.say("journeys.distance", { name, told });
    return numeric(text, fraction(distance, 60), path);
  }
  const time = legs.reduce((sum, { minutes }) => sum + minutes, 0);
  const text = draw.say("journeys.speed", { name, told });
  return numeric(text, fraction(distance, time), path, `(${path}) / (${time}/60)`);
};

export const sharing: Family = (draw, difficulty) => {
  const [first = "", second = "", third = ""] = draw.people(3);
  const ratio = [draw.number(1, 2 + difficulty), draw.number(1, 3 + difficulty), draw.number(2, 4 + difficulty)];
  const parts = difficulty < 3 ? ratio.slice(0, 2) : ratio;
  const sum = parts.reduce((all, part) => all + part, 0);
  const total = sum * draw.number(3, 20 + 10 * difficulty);
  const names = [first, second, third].slice(0, parts.length);
  const at = draw.number(0, parts.length - 1);
  const [what = ""] = draw.some(["marbles", "stamps", "walnuts", "coins", "shells"], 1);
  const text = draw.say("sharing", {
    all: listOf(names),
    total,
    what,
    ratio: parts.join(":"),
    who: names[at] as string,
  });
  return numeric(text, (total / sum) * (parts[at] as number), `${total} / (${parts.join(" + ")}) * ${parts[at]}`);
};

/** Problems about compound interest. */
export const interest: Family = (draw, difficulty) => {
  const amount = 100 * draw.number(1, 20 * difficulty);
  const rate = draw.one(difficulty < 3 ? [5, 10, 20] : [2, 3, 4, 6, 8, 12]);
  const years = difficulty < 2 ? 1 : draw.number(2, Math.min(4, difficulty));
  const text = draw.say("interest", { amount, rate, years: years === 1 ? "a year" : `${years} years` });
  const scale = 100 ** years;
  return numeric(text, decimal(amount * (100 + rate) ** years, scale), `${amount} * (1 + ${rate}%)^${years}`);
};

/** Formats `top / scale`, where the scale is a power of ten, as a decimal. */
function decimal(top: number, scale: number): string {
  const places = String(scale).length - 1;
  const digits = String(top).padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`.replace(/\.?0+$/, "");
}

function cutsOf(rates: readonly number[]): string {
  if (rates.length === 1) return `a discount of ${rates[0]}%`;
  return `a discount of ${rates.map((rate) => `${rate}%`).join(", then another of ")} of what is left`;
}

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
