/** Dates of records, as days since 1 January 1970. */
const months = "January,February,March,April,May,June,July,August,September,October,November,December".split(",");

/** Formats a day as `3 June`. All records of a task are from the same two years, so that no year is needed. */
export function dateOf(day: number): string {
  const date = new Date(day * 86_400_000);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

export function dayOf(year: number, month: number, date: number): number {
  return Date.UTC(year, month - 1, date) / 86_400_000;
}

/** Returns the texts in which a day is written: `3 June`, `June 3`, `2024-06-03`, in lower case. */
export function datesOf(day: number): string[] {
  const date = new Date(day * 86_400_000);
  const month = (months[date.getUTCMonth()] as string).toLowerCase();
  const short = month.slice(0, 3);
  const number = date.getUTCDate();
  const forms = [month, short].flatMap((name) => [`${number} ${name}`, `${name} ${number}`, `${number} of ${name}`]);
  return [...forms, date.toISOString().slice(0, 10)];
}
