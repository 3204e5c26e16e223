/**
 * Checks on JSON text. The checks read the JSON text and not the object, because an object can return a different value
 * each time it is serialized.
 */
import type { ObservationPart } from "../../envs/env.js";

const mediaTypes: readonly unknown[] = ["image/png", "image/svg+xml"] satisfies (ObservationPart & {
  type: "image";
})["mediaType"][];

/** Whether the JSON text is a list of observation parts. */
export function holdsParts(text: string): boolean {
  const parts: unknown = JSON.parse(text);
  return Array.isArray(parts) && parts.every(isPart);
}

/** Whether the JSON text is an image. */
export function holdsImage(text: string): boolean {
  return isImage(fieldsOf(JSON.parse(text)));
}

function isPart(value: unknown): boolean {
  const fields = fieldsOf(value);
  return fields.type === "json" ? fields.data !== undefined : isImage(fields);
}

function isImage({ type, mediaType, data }: Record<string, unknown>): boolean {
  return type === "image" && mediaTypes.includes(mediaType) && typeof data === "string";
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return (value ?? {}) as Record<string, unknown>;
}

const [quote, backslash] = [0x22, 0x5c];
const [openList, openObject, closeList, closeObject] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Whether lists and objects in the JSON text are nested deeper than `levels`. */
export function nestsDeeperThan(levels: number, text: string): boolean {
  // Each level takes two characters, so most texts are too short to need a scan.
  if (text.length < 2 * levels) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = endOfString(text, at);
    else if (character === openList || character === openObject) depth += 1;
    else if (character === closeList || character === closeObject) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** Returns the position of the closing quote of the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  let end = start;
  let escaped = true;
  while (escaped) {
    end = text.indexOf('"', end + 1);
    let before = end;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    escaped = (end - before) % 2 === 1;
  }
  return end;
}
