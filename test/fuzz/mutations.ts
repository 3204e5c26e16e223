/** Slightly or badly broken frames for `/v1/socket`, reproducible from a seed. */
import type { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";

export type Frame = Record<string, unknown>;

/** Values that often break parsers, schemas and printers. */
const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 2 ** 31, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 1e300, 5e-324],
  ...["", " ", "0", "null", "textcraft", "textcraft@1", "textcraft@2", "toString", "__proto__", "constructor", "ep-1-"],
  ...[
    "\u0000",
    "\ufeff",
    "\u2028",
    "\ud800",
    "\udfff\ud800",
    "👩‍👩‍👧",
    "%s%n",
    "../../etc/passwd",
    "'; DROP TABLE steps; --",
  ],
  ...[[], {}, [[]], [null], { toString: 1 }, { length: -1 }, { toJSON: 1 }, ["textcraft"], { index: 0 }],
];

const odd: readonly ((random: MersenneTwister) => unknown)[] = [
  (random) => structuredClone(pick(random, oddValues)),
  (random) => "x".repeat(10 ** random.randbelow(6)),
  (random) => "\u00e9".repeat(1 + random.randbelow(400)),
  (random) => `ep-${random.nextUint32()}-${"0".repeat(20)}`,
  (random) => nested(1 + random.randbelow(500)),
  (random) => Array.from({ length: random.randbelow(200) }, () => structuredClone(pick(random, oddValues))),
];

/** Mutations of the object. The result is still JSON. */
const reshape: readonly ((frame: Frame, random: MersenneTwister) => void)[] = [
  (frame, random) => setSomewhere(frame, random, pick(random, odd)(random)),
  (frame, random) => setSomewhere(frame, random, pick(random, odd)(random)),
  (frame, random) => {
    const holder = somewhere(frame, random);
    delete holder[pick(random, Object.keys(holder))];
  },
  (frame, random) => {
    somewhere(frame, random)[pick(random, ["surplus", "__proto__x", "constructor", "id", "", "a.b"])] = 1;
  },
  (frame, random) => {
    frame.id = pick(random, odd)(random);
  },
  (frame, random) => {
    frame.op = pick(random, ["toString", "__proto__", "constructor", "STEP", "step ", "", "valueOf", 7, null]);
  },
  (frame, random) => {
    frame.params = pick(random, odd)(random);
  },
];

/** Mutations of the text. The result may not be JSON. */
const damage: readonly ((text: string, random: MersenneTwister) => string)[] = [
  (text, random) => text.slice(0, random.randbelow(text.length + 1)),
  (text, random) => text.slice(random.randbelow(text.length + 1)),
  (text, random) =>
    spliced(text, random, pick(random, ['"', "{", "}", "[", ",", ":", "\\", "\u0000", "\u00ff", "💥", "\\ud800"])),
  (text, random) => spliced(text, random, text),
  (text) => text + text,
  (text) => `\ufeff${text}`,
  (text) => `[${text}]`,
  (text) => text.replace(/^\{/, '{"id":"first","op":"list","params":{},'),
  (text) => text.replace(/\}$/, ',"__proto__":{"op":"list"},"op":"list"}'),
  (text) => text.replace(/[0-9]+/, "1e999"),
  (text) => text.replace(/[0-9]+/, "123456789012345678901234567890"),
  (text) => text.replace(/"[^"]*"/g, "'x'"),
  (text) => text.replaceAll('"', '\\"'),
  (_text, random) => "[".repeat(1 + random.randbelow(20_000)),
  (_text, random) =>
    `{"id":1,"op":"list","params":${"[".repeat(5_000)}${"]".repeat(5_000)},"x":${random.randbelow(9)}}`,
  (_text, random) =>
    String.fromCharCode(...Array.from({ length: random.randbelow(300) }, () => random.randbelow(65_536))),
  () => "",
  () => "null",
  () => "[]",
  () => "NaN",
];

/** Returns a mutated text of the frame. One in three is still JSON of nearly the right shape. */
export function mutated(frame: Frame, random: MersenneTwister): string {
  const copy = structuredClone(frame);
  for (let i = random.randbelow(3); i >= 0; i--) pick(random, reshape)(copy, random);
  const text = JSON.stringify(copy) ?? "";
  return random.randbelow(3) > 0 ? pick(random, damage)(text, random) : text;
}

export function pick<T>(random: MersenneTwister, from: readonly T[]): T {
  return from[random.randbelow(from.length)] as T;
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let i = 0; i < depth; i++) value = i % 2 === 0 ? [value] : { value };
  return value;
}

function spliced(text: string, random: MersenneTwister, inserted: string): string {
  const at = random.randbelow(text.length + 1);
  return text.slice(0, at) + inserted + text.slice(at);
}

/** Returns the frame itself, its parameters, or an object inside them. */
function somewhere(frame: Frame, random: MersenneTwister): Frame {
  const places: Frame[] = [frame];
  for (let i = 0; i < places.length; i++) {
    for (const value of Object.values(places[i] as Frame)) {
      if (typeof value === "object" && value !== null && places.length < 50) places.push(value as Frame);
    }
  }
  return pick(random, places.filter((place) => Object.keys(place).length > 0) as Frame[]) ?? frame;
}

function setSomewhere(frame: Frame, random: MersenneTwister, value: unknown): void {
  const holder = somewhere(frame, random);
  holder[pick(random, Object.keys(holder))] = value;
}
