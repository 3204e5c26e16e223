import { createHash } from "node:crypto";

/** Hashes a text to 132 bits of its SHA-256, in 22 characters. Different texts have different hashes in practice. */
export function textHash(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
