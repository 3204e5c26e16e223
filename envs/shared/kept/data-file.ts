/**
 * Data files of environments and libraries. A file is read at its first use and then kept. Tests check the shape of every file,
 * so that reading one costs no check.
 */
import { readFileSync } from "node:fs";

/** Returns a function that gives the value of a JSON file. */
export function jsonFile<T>(url: URL): () => T {
  return once(() => JSON.parse(readFileSync(url, "utf8")) as T);
}

/** Returns a function that gives the values of a file with one JSON value in each line. */
export function jsonLines<T>(url: URL): () => readonly T[] {
  return once(() =>
    readFileSync(url, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as T),
  );
}

/** Returns a function that computes a value at its first call and then returns the same value. */
export function once<T>(compute: () => T): () => T {
  let computed: { value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
