/** Formats values like Python. Public benchmarks produce their texts with Python. */

/** Characters that Python's `str.isprintable` rejects. Characters with short escapes are handled separately. */
const unprintable = /[\p{C}\p{Z}]/u;

const shortEscapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Formats a text like Python's `repr`, with quotes. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let written = "";
  for (const character of text) {
    if (character === quote) written += `\\${character}`;
    else if (character in shortEscapes) written += shortEscapes[character];
    else if (character !== " " && unprintable.test(character)) written += escapeOf(character);
    else written += character;
  }
  return quote + written + quote;
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) as number;
  const hex = code.toString(16);
  if (code <= 0xff) return `\\x${hex.padStart(2, "0")}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, "0")}` : `\\U${hex.padStart(8, "0")}`;
}

/**
 * Formats a value from a page like Python's `str`. Texts inside lists and objects are formatted like Python's `repr`.
 */
export function pythonStr(value: unknown): string {
  return typeof value === "string" ? value : inside(value);
}

function inside(value: unknown): string {
  if (value === undefined || value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return pythonRepr(value);
  if (Array.isArray(value)) return `[${value.map(inside).join(", ")}]`;
  if (typeof value !== "object") return `${value}`;
  return `{${Object.entries(value)
    .map(([name, one]) => `${pythonRepr(name)}: ${inside(one)}`)
    .join(", ")}}`;
}
