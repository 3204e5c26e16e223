/** Texts that are generated on first read. They depend only on their names. */
import { Random } from "../../../seed/random.js";

/** Returns a function that calls `make` once and caches the value. */
export function late<T>(name: string, make: (random: Random) => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make(Random.of(name)) };
    return made.value;
  };
}

/** Field of a row that holds the generator of its text. It is not enumerated. */
const maker = Symbol("maker");

/** Getter shared by all rows. Separate getters would give each row its own hidden class, which is slow. */
function readText(this: { [maker]: () => string }): string {
  return this[maker]();
}

/** Adds a field to a row that is generated on first read. A copy of the row holds the text itself. */
export function withLate<R extends object, F extends string>(
  row: R,
  field: F,
  text: () => string,
): R & Record<F, string> {
  const made = Object.assign(row, { [maker]: text });
  return Object.defineProperty(made, field, { get: readText, enumerable: true }) as R & Record<F, string>;
}
