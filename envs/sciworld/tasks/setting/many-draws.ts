/** Long lists of random draws. A reset makes a thousand draws, for which `flat` and `flatMap` take several times as long. */

/** Makes the draws for each of many things. @returns all drawn values in one list, in order */
export function drawForEach<T>(things: readonly T[], draw: (one: T) => readonly number[]): number[] {
  const all: number[] = [];
  for (const one of things) for (const value of draw(one)) all.push(value);
  return all;
}

/** Makes the same draws several times. @returns all drawn values in one list, in order */
export function repeated(count: number, draw: () => readonly number[]): number[] {
  return drawForEach(Array.from({ length: count }), draw);
}
