/**
 * Returns a 32-bit hash of a text, which is the same on every machine: FNV-1a over UTF-16 code units with
 * a final mix.
 */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}

/** Returns one of the choices. `key` alone determines which one. @throws {RangeError} the list is empty */
export function choose<T>(key: string, choices: readonly T[]): T {
  if (choices.length === 0) throw new RangeError(`expected at least one choice for ${key}, but received an empty list`);
  return choices[hash(key) % choices.length] as T;
}
