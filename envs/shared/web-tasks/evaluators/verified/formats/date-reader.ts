/**
 * Parses written dates like the package python-dateutil. If two numbers can both be the month, the first number is the
 * month.
 */
import { centuryOf, type DateParts, daysOf, integer, NoDate, YearMonthDay } from "./date-parts.js";
import { dateTokens } from "./date-tokens.js";
import { longestValue } from "./format.js";

type Defaults = Readonly<Record<keyof DateParts, number>>;

/**
 * Returns the parts of the date in a text, or undefined if the text is not a valid date.
 *
 * @param text date in lower case
 * @param defaults values for the parts that are missing in the text
 */
export function dateOf(text: string, defaults: Defaults): DateParts | undefined {
  if (text.length > longestValue) return undefined;
  try {
    return new DateReader(dateTokens(text)).date(defaults);
  } catch (error) {
    if (error instanceof NoDate) return undefined;
    throw error;
  }
}

const weekdayNames = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
const weekdays = new Set(weekdayNames.flatMap((name) => [name, name.slice(0, 3)]));
const months = new Map(
  monthNames.flatMap((name, at) => [name, name.slice(0, 3)].map((one): [string, number] => [one, at + 1])),
);
months.set("sept", 9);
const jumps = new Set([..." .,;-/'", "at", "on", "and", "ad", "m", "t", "of", "st", "nd", "rd", "th"]);
const clockUnits = new Map([
  ...["h", "hour", "hours"].map((name): [string, number] => [name, 0]),
  ...["m", "minute", "minutes"].map((name): [string, number] => [name, 1]),
  ...["s", "second", "seconds"].map((name): [string, number] => [name, 2]),
]);

function monthOf(token: string | undefined): number | undefined {
  return months.get(token ?? "");
}

/** Returns 0 for a unit of hours, 1 for minutes, 2 for seconds, and undefined for any other token. */
function clockUnitOf(token: string | undefined): number | undefined {
  return clockUnits.get(token ?? "");
}

function isAmPm(token: string | undefined): boolean {
  return token !== undefined && /^[ap]m?$/.test(token);
}

function isNumber(token: string | undefined): token is string {
  return token !== undefined && /^\d+(?:\.\d+)?$/.test(token);
}

class DateReader {
  private readonly parts = new YearMonthDay();
  private hour: number | undefined;
  private minute: number | undefined;
  private second: number | undefined;
  private hasZone = false;
  private hasWeekday = false;

  constructor(private readonly tokens: string[]) {}

  /** @throws {NoDate} the text is not a date */
  date(defaults: Defaults): DateParts {
    for (let at = 0; at < this.tokens.length; at++) at = this.read(at);
    const date = this.parts.resolved();
    const hasTime = [this.hour, this.minute, this.second].some((one) => one !== undefined);
    if (this.parts.values.length === 0 && !hasTime && !this.hasZone && !this.hasWeekday) throw new NoDate();
    const [year, month] = [date.year ?? defaults.year, date.month ?? defaults.month];
    const day = date.day ?? Math.min(defaults.day, daysOf(year, month));
    const isDay = year >= 1 && year <= 9999 && day >= 1 && day <= daysOf(year, month);
    const isTime = (this.hour ?? 0) < 24 && (this.minute ?? 0) < 60 && (this.second ?? 0) < 60;
    if (!isDay || !isTime) throw new NoDate();
    return date;
  }

  /**
   * Reads the part of the date or time that begins at a token.
   *
   * @returns the index of the last token of this part
   */
  private read(at: number): number {
    const token = this.token(at);
    if (isNumber(token)) return this.number(at, token);
    if (weekdays.has(token)) {
      this.hasWeekday = true;
      return at;
    }
    if (monthOf(token) !== undefined) return this.month(at, monthOf(token) as number);
    if (isAmPm(token)) {
      if (this.hour === undefined || this.hour > 12) throw new NoDate();
      this.hour = inDay(this.hour, token);
      return at;
    }
    if (token === "z" && this.hour !== undefined && !this.hasZone) return this.zoneName(at);
    if (this.hour !== undefined && (token === "+" || token === "-")) return this.zoneOffset(at);
    if (!jumps.has(token)) throw new NoDate();
    return at;
  }

  /** Reads `jan-01-99`, `jan of 99`, or only a month. */
  private month(at: number, month: number): number {
    this.parts.append(month, "month");
    const [next, second, third, fourth] = this.tokens.slice(at + 1, at + 5);
    if (next === "-" || next === "/") {
      this.parts.append(this.token(at + 2));
      if (third !== next) return at + 2;
      this.parts.append(this.token(at + 4));
      return at + 4;
    }
    if (next !== " " || second !== "of" || third !== " " || fourth === undefined) return at;
    if (/^\d+$/.test(fourth)) this.parts.append(`${centuryOf(Number(fourth))}`, "year");
    return at + 4;
  }

  private zoneName(at: number): number {
    this.hasZone = true;
    const next = this.tokens[at + 1];
    if (next === "+" || next === "-") {
      this.tokens[at + 1] = next === "+" ? "-" : "+";
      this.hasZone = false;
    }
    return at;
  }

  private zoneOffset(at: number): number {
    this.hasZone = true;
    const hours = this.token(at + 1);
    if (hours.length === 4) {
      integer(hours);
      return at + 1;
    }
    if (this.tokens[at + 2] === ":") {
      integer(hours);
      integer(this.token(at + 3));
      return at + 3;
    }
    if (hours.length > 2) throw new NoDate();
    integer(hours);
    return at + 1;
  }

  private number(at: number, token: string): number {
    const { length } = token;
    const next = this.tokens[at + 1];
    const isAfterDate = this.parts.values.length === 3 && this.hour === undefined;
    if (isAfterDate && (length === 2 || length === 4) && next !== ":" && clockUnitOf(next) === undefined) {
      this.hour = integer(token.slice(0, 2));
      if (length === 4) this.minute = integer(token.slice(2));
      return at;
    }
    if (length === 6 || (length > 6 && token.indexOf(".") === 6)) return this.sixDigits(at, token);
    if (length === 8 || length === 12 || length === 14) return this.eightDigits(at, token);
    const unit = this.clockUnitAround(at);
    if (unit) {
      this.setClock(token, unit.unit);
      return unit.at;
    }
    if (next === ":" && at + 2 < this.tokens.length) return this.clock(at, token);
    if (next === "-" || next === "/" || next === ".") return this.separated(at, token, next);
    return this.lone(at, token, next);
  }

  /** Reads `YYMMDD`, or `HHMMSS` with a fraction. */
  private sixDigits(at: number, token: string): number {
    const [first, second, rest] = [token.slice(0, 2), token.slice(2, 4), token.slice(4)];
    if (this.parts.values.length === 0 && !token.includes(".")) {
      for (const part of [first, second, rest]) this.parts.append(part);
      return at;
    }
    this.hour = integer(first);
    this.minute = integer(second);
    this.second = seconds(rest);
    return at;
  }

  /** Reads `YYYYMMDD`, optionally followed by `hhmm` or `hhmmss`. */
  private eightDigits(at: number, token: string): number {
    this.parts.append(token.slice(0, 4), "year");
    this.parts.append(token.slice(4, 6));
    this.parts.append(token.slice(6, 8));
    if (token.length > 8) {
      this.hour = integer(token.slice(8, 10));
      this.minute = integer(token.slice(10, 12));
    }
    if (token.length > 12) this.second = integer(token.slice(12));
    return at;
  }

  /**
   * Finds the unit of a number of a time. The unit follows the number, as in `12 h`, or precedes it, as `h` precedes
   * `04` in `12h04`.
   */
  private clockUnitAround(at: number): { unit: number; at: number } | undefined {
    const { tokens } = this;
    for (const place of tokens[at + 1] === " " ? [at + 1, at + 2] : [at + 1]) {
      const unit = clockUnitOf(tokens[place]);
      if (unit !== undefined) return { unit, at: place };
    }
    const isLast = at > 1 && at === tokens.length - 1 && tokens[at - 1] === " ";
    const before = clockUnitOf(tokens[at - 1]) ?? (isLast ? clockUnitOf(tokens[at - 2]) : undefined);
    return before === undefined ? undefined : { unit: before + 1, at };
  }

  private setClock(token: string, unit: number): void {
    const value = Number(token);
    const rest = value % 1;
    if (unit === 0) {
      this.hour = Math.trunc(value);
      if (rest) this.minute = Math.trunc(60 * rest);
    } else if (unit === 1) {
      this.minute = Math.trunc(value);
      this.second = rest ? Math.trunc(60 * rest) : undefined;
    } else if (unit === 2) this.second = seconds(token);
  }

  /** Reads `HH:MM` or `HH:MM:SS`. */
  private clock(at: number, token: string): number {
    this.hour = Math.trunc(Number(token));
    const minutes = this.token(at + 2);
    if (!isNumber(minutes)) throw new NoDate();
    this.setClock(minutes, 1);
    if (this.tokens[at + 3] !== ":" || at + 4 >= this.tokens.length) return at + 2;
    this.second = seconds(this.token(at + 4));
    return at + 4;
  }

  /** Reads `01-01-99` or `01/jan`, or only a number if the sign after it is not part of a date. */
  private separated(at: number, token: string, sign: string): number {
    this.parts.append(token);
    const second = this.tokens[at + 2];
    if (second === undefined || jumps.has(second)) return at + 1;
    this.appendMonthOr(second, /^\d+$/.test(second));
    if (this.tokens[at + 3] !== sign) return at + 2;
    this.appendMonthOr(this.token(at + 4), true);
    return at + 4;
  }

  private appendMonthOr(token: string, isNumberAllowed: boolean): void {
    const month = monthOf(token);
    if (month !== undefined) this.parts.append(month, "month");
    else if (isNumberAllowed) this.parts.append(token);
    else throw new NoDate();
  }

  private lone(at: number, token: string, next: string | undefined): number {
    const value = Number(token);
    if (next === undefined || jumps.has(next)) {
      const after = this.tokens[at + 2];
      if (isAmPm(after)) {
        this.hour = inDay(Math.trunc(value), after as string);
        return at + 2;
      }
      this.parts.append(value);
      return at + 1;
    }
    if (isAmPm(next) && value < 24) {
      this.hour = inDay(Math.trunc(value), next);
      return at + 1;
    }
    if (!this.parts.couldBeDay(value)) throw new NoDate();
    this.parts.append(value);
    return at;
  }

  /** @throws {NoDate} the text has no token at this index */
  private token(at: number): string {
    const token = this.tokens[at];
    if (token === undefined) throw new NoDate();
    return token;
  }
}

function inDay(hour: number, amPm: string): number {
  if (amPm.startsWith("p")) return hour < 12 ? hour + 12 : hour;
  return hour === 12 ? 0 : hour;
}

function seconds(token: string): number {
  const [whole = "", fraction = "0", ...more] = token.split(".");
  if (more.length > 0) throw new NoDate();
  integer(fraction.padEnd(6, "0").slice(0, 6));
  return integer(whole);
}
