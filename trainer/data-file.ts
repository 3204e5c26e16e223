/** Data files of the trainer. Tests check the shape of every file, so that reading one costs no check. */
import { readFileSync } from "node:fs";

/** Returns a function that reads a JSON file at its first call and then returns the same value. */
export function jsonFile<T>(url: URL): () => T {
  let kept: { value: T } | undefined;
  return () => {
    kept ??= { value: JSON.parse(readFileSync(url, "utf8")) as T };
    return kept.value;
  };
}
