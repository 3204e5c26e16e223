/**
 * Parses the actions of math. An action is the first line that begins with `calculate` or `submit`. A submission also
 * includes the lines after it.
 */
export type MathAction = { verb: "calculate"; formula: string } | { verb: "submit"; answer: string } | { verb: "none" };

const pattern = /^[ \t]*(calculate|submit)\b[ \t]*:?[ \t]*([^\n]*)/m;

export function readAction(text: string): MathAction {
  const found = pattern.exec(text);
  if (!found) return { verb: "none" };
  const [all, verb, rest = ""] = found;
  if (verb === "calculate") return { verb, formula: rest.trim() };
  return { verb: "submit", answer: (rest + text.slice(found.index + all.length)).trim() };
}
