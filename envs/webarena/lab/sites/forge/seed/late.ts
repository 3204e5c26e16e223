/** Texts that are generated on first read. A text depends only on its name. */
import { Random } from "../../../seed/random.js";

/** Returns a function that calls `make` once and caches the value. */
export function late<T>(name: string, make: (random: Random) => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make(Random.of(name)) };
    return made.value;
  };
}

/** Key of the field in which a row holds the generator of its text. The field is not enumerable. */
const maker = Symbol("maker");

/** Getter that all rows share. A separate getter for each row would give each row its own hidden class, which is slow. */
function readText(this: { [maker]: () => string }): string {
  return this[maker]();
}

/** Adds a field to a row. The value of the field is generated on first read. A copy of the row holds the text itself. */
export function withLate<R extends object, F extends string>(
  row: R,
  field: F,
  text: () => string,
): R & Record<F, string> {
  const made = Object.assign(row, { [maker]: text });
  return Object.defineProperty(made, field, { get: readText, enumerable: true }) as R & Record<F, string>;
}
