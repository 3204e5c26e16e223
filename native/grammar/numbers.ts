/** JSON numbers by bounds and steps, as automata over their digits. */
import { Decimal } from "decimal.js";
import { invalid } from "../addon/errors.js";
import type { Automaton, Part } from "./automaton.js";

/** Most digits, and most digits before the point. Numbers of so many digits differ as 64-bit floats. */
const wholeDigits = 15;
/** Most digits after the point, unless a bound has more. */
const fractionDigits = 9;
const mostFractionDigits = 30;
/** Highest divisor of an integer; its automaton has a state for each remainder. */
const highestDivisor = 1_000n;

export interface NumberKeywords {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

/** @param at place of the schema, for errors */
export function numberPart(automaton: Automaton, keywords: NumberKeywords, isInteger: boolean, at: string): Part {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = keywords;
  const name = `number ${JSON.stringify([isInteger, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf])}`;
  return automaton.call(automaton.rule(name, () => build(automaton, keywords, isInteger, at)));
}

function build(automaton: Automaton, keywords: NumberKeywords, isInteger: boolean, at: string): Part {
  const isBounded = Object.values(keywords).some((value) => value !== undefined);
  if (!isInteger && !isBounded) return anyNumber(automaton);
  const { fraction, step } = stepOf(keywords.multipleOf, isInteger, at);
  const bounds = [keywords.minimum, keywords.maximum, keywords.exclusiveMinimum, keywords.exclusiveMaximum];
  const places = Math.max(
    fraction,
    ...bounds.map((bound) => (bound === undefined ? 0 : new Decimal(bound).decimalPlaces())),
  );
  if (places > mostFractionDigits)
    throw invalid(`bounds of at most ${mostFractionDigits} decimal places at ${at}`, places);
  // With a fraction, a bound between two multiples of the smallest place is rounded inward.
  const scale = fraction === 0 || keywords.multipleOf !== undefined ? fraction : places;
  const { low, high } = rangeOf(keywords, scale);
  return between(automaton, low, high, { fraction: scale, step });
}

/** Returns the places after the point, and the divisor of the number without its point. */
function stepOf(multipleOf: number | undefined, isInteger: boolean, at: string): { fraction: number; step: bigint } {
  if (multipleOf === undefined) return { fraction: isInteger ? 0 : fractionDigits, step: 1n };
  const step = new Decimal(multipleOf);
  const fraction = step.decimalPlaces();
  const divisor = BigInt(step.times(new Decimal(10).pow(fraction)).toFixed(0));
  if (isInteger && fraction > 0) throw invalid(`an integer as multipleOf at ${at}`, multipleOf);
  if (divisor < 1n || divisor > highestDivisor) {
    throw invalid(`a multipleOf of 1 to ${highestDivisor}, or one of them over a power of 10, at ${at}`, multipleOf);
  }
  return { fraction, step: divisor };
}

/** Returns the lowest and the highest number, times 10^scale. */
function rangeOf(keywords: NumberKeywords, scale: number): { low: bigint; high: bigint } {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = keywords;
  const unit = new Decimal(10).pow(scale);
  const farthest = 10n ** BigInt(wholeDigits + scale) - 1n;
  const lows = [-farthest];
  const highs = [farthest];
  const whole = (value: Decimal) => BigInt(value.toFixed(0));
  if (minimum !== undefined) lows.push(whole(new Decimal(minimum).times(unit).ceil()));
  if (exclusiveMinimum !== undefined) lows.push(whole(new Decimal(exclusiveMinimum).times(unit).floor()) + 1n);
  if (maximum !== undefined) highs.push(whole(new Decimal(maximum).times(unit).floor()));
  if (exclusiveMaximum !== undefined) highs.push(whole(new Decimal(exclusiveMaximum).times(unit).ceil()) - 1n);
  const low = lows.reduce((one, other) => (one > other ? one : other));
  const high = highs.reduce((one, other) => (one < other ? one : other));
  return { low, high };
}

interface Places {
  /** Most digits after the point. */
  readonly fraction: number;
  /** Divisor of the number, times 10^fraction. */
  readonly step: bigint;
}

/** The numbers from `low` to `high`, both times 10^fraction. */
function between(automaton: Automaton, low: bigint, high: bigint, places: Places): Part {
  const parts: Part[] = [];
  if (low < 0n) {
    const nearest = high < 0n ? -high : 1n;
    parts.push(automaton.sequence(automaton.text("-"), magnitude(automaton, nearest, -low, places)));
  }
  if (high >= 0n) parts.push(magnitude(automaton, low > 0n ? low : 0n, high, places));
  return automaton.choice(...parts);
}

function magnitude(automaton: Automaton, low: bigint, high: bigint, places: Places): Part {
  const unit = 10n ** BigInt(places.fraction);
  return (from, to) => {
    const free = new Map<string, number>();
    for (let whole = 1; whole <= wholeDigits; whole++) {
      const least = whole === 1 ? 0n : 10n ** BigInt(whole - 1) * unit;
      const most = 10n ** BigInt(whole) * unit - 1n;
      const range = { low: low > least ? low : least, high: high < most ? high : most };
      if (range.low <= range.high) new Digits(automaton, range, whole, places, { free, to }).add(from);
    }
  };
}

/**
 * Numbers with a fixed number of digits before the point. A state is a digit's place, whether the digits so far equal
 * those of each bound, and the remainder by the step. Digits that are not written are zeros.
 */
class Digits {
  private readonly length: number;
  private readonly longest: number;
  private readonly low: string;
  private readonly high: string;
  private readonly bound = new Map<string, number>();

  /** @param shared states within the bounds, which all lengths share, and the state after the number */
  constructor(
    private readonly automaton: Automaton,
    range: { readonly low: bigint; readonly high: bigint },
    private readonly whole: number,
    private readonly places: Places,
    private readonly shared: { readonly free: Map<string, number>; readonly to: number },
  ) {
    this.length = whole + places.fraction;
    this.longest = Math.min(this.length, Math.max(whole, wholeDigits));
    this.low = range.low.toString().padStart(this.length, "0");
    this.high = range.high.toString().padStart(this.length, "0");
  }

  add(from: number): void {
    this.continue(from, { place: 0, onLow: true, onHigh: true, rest: 0n });
  }

  /** Returns the state after some digits. */
  private stateAfter(digits: DigitsSoFar): number {
    const { place, rest } = digits;
    // Below zeros and above nines, any digits stay within the bound.
    const onLow = digits.onLow && /[1-9]/.test(this.low.slice(place));
    const onHigh = digits.onHigh && /[0-8]/.test(this.high.slice(place));
    const states = onLow || onHigh ? this.bound : this.shared.free;
    const key = `${this.length - place} ${this.longest - place} ${onLow} ${onHigh} ${rest}`;
    const known = states.get(key);
    if (known !== undefined) return known;
    const state = this.automaton.state();
    states.set(key, state);
    this.continue(state, { place, onLow, onHigh, rest });
    return state;
  }

  /** Adds the edges of a state. */
  private continue(state: number, { place, onLow, onHigh, rest }: DigitsSoFar): void {
    const { automaton, whole } = this;
    const { step } = this.places;
    const isMultiple = (rest * 10n ** BigInt(this.length - place)) % step === 0n;
    const reachesLow = !onLow || !/[1-9]/.test(this.low.slice(place));
    if (place >= whole && isMultiple && reachesLow) automaton.nothing(state, this.shared.to);
    if (place === this.longest) return;
    const before = place === whole ? automaton.state() : state;
    if (place === whole) automaton.bytes(0x2e)(state, before);
    const least = onLow ? Number(this.low[place]) : 0;
    const most = onHigh ? Number(this.high[place]) : 9;
    for (let digit = least; digit <= most; digit++) {
      const next = {
        place: place + 1,
        onLow: onLow && digit === least,
        onHigh: onHigh && digit === most,
        rest: (rest * 10n + BigInt(digit)) % step,
      };
      automaton.bytes(0x30 + digit)(before, this.stateAfter(next));
    }
  }
}

interface DigitsSoFar {
  readonly place: number;
  readonly onLow: boolean;
  readonly onHigh: boolean;
  readonly rest: bigint;
}

/** A number without bounds, with an optional fraction and exponent. */
function anyNumber(automaton: Automaton): Part {
  const digit = automaton.bytes(0x30, 0x39);
  const sign = (signs: string) => automaton.choice(...[...signs].map((one) => automaton.text(one)));
  const whole = automaton.choice(
    automaton.text("0"),
    automaton.sequence(automaton.bytes(0x31, 0x39), automaton.repeat(digit, 0, wholeDigits - 1)),
  );
  const fraction = automaton.sequence(automaton.text("."), automaton.repeat(digit, 1, wholeDigits));
  const exponent = automaton.sequence(sign("eE"), automaton.optional(sign("+-")), automaton.repeat(digit, 1, 2));
  return automaton.sequence(
    automaton.optional(automaton.text("-")),
    whole,
    automaton.optional(fraction),
    automaton.optional(exponent),
  );
}
