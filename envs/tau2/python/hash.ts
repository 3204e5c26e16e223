/** The hash of a database, as tau2-bench computes it. */
import { createHash } from "node:crypto";
import { jsonText } from "./text.js";
import type { Value } from "./value.js";

/** Returns the SHA-256 of a value's JSON text with sorted keys, in hexadecimal digits. */
export function hashOf(value: Value): string {
  return createHash("sha256").update(jsonText(value, true)).digest("hex");
}

/** Whether two values have the same hash. */
export function haveSameHash(a: Value, b: Value): boolean {
  return jsonText(a, true) === jsonText(b, true);
}
