/** Dates as days since 1 January 1970. */
const months = "January,February,March,April,May,June,July,August,September,October,November,December".split(",");
const days = "Sunday,Monday,Tuesday,Wednesday,Thursday,Friday,Saturday".split(",");

function partsOf(day: number): { year: number; month: string; date: number; weekday: string } {
  const date = new Date(day * 86_400_000);
  return {
    year: date.getUTCFullYear(),
    month: months[date.getUTCMonth()] as string,
    date: date.getUTCDate(),
    weekday: days[date.getUTCDay()] as string,
  };
}

/** Formats a day as `3 June 2024`. */
export function dateOf(day: number): string {
  const { year, month, date } = partsOf(day);
  return `${date} ${month} ${year}`;
}

/** Formats a day as `Monday, 3 June 2024`. */
export function longDateOf(day: number): string {
  return `${partsOf(day).weekday}, ${dateOf(day)}`;
}

export function dayOf(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / 86_400_000;
}
