/** Texts that are generated on first read. The random stream of a text depends only on the text's name. */
import { Random } from "../../../seed/random.js";

/** Returns a function that calls `make` on its first call and caches the value. */
export function late<T>(name: string, make: (random: Random) => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make(Random.of(name)) };
    return made.value;
  };
}

/** Key of the field that stores the function for a row's text. */
const maker = Symbol("maker");

/**
 * Getter that all rows share. A separate getter per row would give each row its own hidden class in V8, which is slow.
 */
function readText(this: { [maker]: () => string }): string {
  return this[maker]();
}

/**
 * Adds a text field to a row. The text is generated on first read. A copy of the row contains the text as a plain
 * value.
 */
export function withLate<R extends object, F extends string>(
  row: R,
  field: F,
  text: () => string,
): R & Record<F, string> {
  const made = Object.assign(row, { [maker]: text });
  return Object.defineProperty(made, field, { get: readText, enumerable: true }) as R & Record<F, string>;
}
