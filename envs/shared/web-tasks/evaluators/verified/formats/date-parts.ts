/** Collects the numbers of a date, and then decides which number is the year, the month and the day. */

export interface DateParts {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}

/** Error if a text is not a date. */
export class NoDate extends Error {}

/**
 * Reference year for two-digit years, which are read as years from 50 before to 49 after it. WebArena-Verified uses the
 * current year.
 */
const thisYear = 2026;

type Part = "year" | "month" | "day";

export class YearMonthDay {
  readonly values: number[] = [];
  private isCenturyKnown = false;
  /** Index of each part that is already known, such as a month that was written as a word. */
  private readonly places = new Map<Part, number>();

  /** @throws {NoDate} the value is not an integer, or the date already has this part */
  append(value: number | string, label?: Part): void {
    let part = label;
    if (typeof value === "string" ? /^\d{3,}$/.test(value) : value > 100) {
      this.isCenturyKnown = true;
      if (part !== undefined && part !== "year") throw new NoDate();
      part = "year";
    }
    this.values.push(typeof value === "string" ? integer(value) : Math.trunc(value));
    if (part === undefined) return;
    if (this.places.has(part)) throw new NoDate();
    this.places.set(part, this.values.length - 1);
  }

  couldBeDay(value: number): boolean {
    if (this.places.has("day")) return false;
    const [year = 2000, month] = (["year", "month"] as const).map((part) => this.known(part));
    return value >= 1 && value <= (month === undefined ? 31 : daysOf(year, month));
  }

  /** @throws {NoDate} the date has more than three numbers */
  resolved(): DateParts {
    const { year, ...rest } = this.parts();
    return { year: year === undefined || this.isCenturyKnown ? year : centuryOf(year), ...rest };
  }

  private known(part: Part): number | undefined {
    const place = this.places.get(part);
    return place === undefined ? undefined : this.values[place];
  }

  private parts(): DateParts {
    const { values, places } = this;
    if (values.length === 3 && places.size === 2) {
      const part = (["year", "month", "day"] as const).find((one) => !places.has(one)) as Part;
      const place = [0, 1, 2].find((one) => ![...places.values()].includes(one)) as number;
      places.set(part, place);
    }
    if (places.size > 0 && places.size === values.length)
      return Object.fromEntries([...places].map(([part, place]) => [part, values[place]]));
    if (values.length > 3) throw new NoDate();
    if (values.length === 3) return this.ofThree();
    const month = this.known("month");
    if (values.length === 2 && month === undefined) return this.ofTwo();
    const other =
      month === undefined ? values[0] : values.length === 2 ? values[1 - (places.get("month") as number)] : undefined;
    if (other === undefined) return { month };
    return other > 31 ? { year: other, month } : { month, day: other };
  }

  private ofTwo(): DateParts {
    const [one, other] = this.values as [number, number];
    if (one > 31) return { year: one, month: other };
    return other > 31 ? { month: one, year: other } : { month: one, day: other };
  }

  private ofThree(): DateParts {
    const [one, two, three] = this.values as [number, number, number];
    switch (this.places.get("month")) {
      case 0:
        return two > 31 ? { month: one, year: two, day: three } : { month: one, day: two, year: three };
      case 1:
        return one > 31 ? { year: one, month: two, day: three } : { day: one, month: two, year: three };
      case 2:
        return two > 31 ? { day: one, year: two, month: three } : { year: one, day: two, month: three };
      default:
        if (one > 31 || this.places.get("year") === 0) return { year: one, month: two, day: three };
        return one > 12 ? { day: one, month: two, year: three } : { month: one, day: two, year: three };
    }
  }
}

export function centuryOf(year: number): number {
  if (year >= 100) return year;
  const inThisCentury = year + Math.trunc(thisYear / 100) * 100;
  if (inThisCentury >= thisYear + 50) return inThisCentury - 100;
  return inThisCentury < thisYear - 50 ? inThisCentury + 100 : inThisCentury;
}

/** @throws {NoDate} the text is empty or has a character that is not a digit */
export function integer(digits: string): number {
  if (!/^\d+$/.test(digits)) throw new NoDate();
  return Number(digits);
}

/** @throws {NoDate} the month is invalid */
export function daysOf(year: number, month: number): number {
  if (!(month >= 1 && month <= 12)) throw new NoDate();
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}
