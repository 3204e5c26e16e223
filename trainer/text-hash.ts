import { createHash } from "node:crypto";

/** 132 bits of a text's SHA-256: equal texts, and in practice no others, have equal ones. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
