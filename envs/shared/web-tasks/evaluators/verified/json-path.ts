/** Reads values from a request body with the JSONPath expressions of task files. */
import { Pattern } from "./pattern/pattern.js";
import { parseJson } from "./python/json.js";
import { isDict, isEqual, isList, type PyDict, type PyValue, pyStr } from "./python/value.js";

type Step =
  | { kind: "name"; name: string }
  | { kind: "index"; index: number }
  | { kind: "filter"; name: string; value: PyValue };

/** Reads the value of a field. Returns null if the field is missing, and a list if the field has several values. */
export type FieldReader = (body: PyDict) => PyValue;

export class UnsupportedJsonPath extends Error {
  constructor(path: string) {
    super(`expected a JSONPath of names, indices and [?(@.name == value)], but received ${path}`);
  }
}

/**
 * @param key name of a field, a path such as `$.note.note`, or a pattern for names such as `$.^reply_\d+$`
 * @throws {UnsupportedJsonPath} the path has an unsupported step
 * @throws {UnsupportedPattern} the pattern is not supported
 */
export function fieldReader(key: string): FieldReader {
  if (/^(?:\$\.)?\^.*\$$/s.test(key)) return byPattern(new Pattern(key.replace(/^\$\./, "")));
  if (!key.startsWith("$")) return (body) => body.get(key) ?? null;
  const steps = stepsOf(key);
  const isFilter = steps.some(({ kind }) => kind === "filter");
  return (body) => {
    const direct = valuesOf(body, steps);
    // A form field may hold JSON as text.
    const values = direct.length > 0 ? direct : valuesOf(withParsedTexts(body), steps);
    if (values.length === 0) return null;
    return values.length === 1 && !isFilter ? (values[0] as PyValue) : values;
  };
}

function byPattern(pattern: Pattern): FieldReader {
  return (body) => {
    const values = [...body].filter(([key]) => pattern.matchesStart(key)).map(([, value]) => value);
    return values.length > 1 ? values : (values[0] ?? null);
  };
}

function stepsOf(path: string): Step[] {
  const steps: Step[] = [];
  const step =
    /\.(?<name>[A-Za-z_][\w-]*)|\[(?<index>\d+)\]|\[(?:'(?<single>[^']*)'|"(?<double>[^"]*)")\]|\[\?\(@\.(?<field>\w+) *== *(?:(?<number>-?\d+)|'(?<text>[^']*)')\)\]/y;
  for (step.lastIndex = 1; step.lastIndex < path.length; ) {
    const groups = step.exec(path)?.groups as Record<string, string | undefined> | undefined;
    if (!groups) throw new UnsupportedJsonPath(path);
    const name = groups.name ?? groups.single ?? groups.double;
    if (name !== undefined) steps.push({ kind: "name", name });
    else if (groups.index !== undefined) steps.push({ kind: "index", index: Number(groups.index) });
    else
      steps.push({
        kind: "filter",
        name: groups.field as string,
        value: groups.text ?? BigInt(groups.number as string),
      });
  }
  return steps;
}

function valuesOf(body: PyValue, steps: readonly Step[]): PyValue[] {
  return steps.reduce<PyValue[]>((values, step) => values.flatMap((value) => next(value, step)), [body]);
}

function next(value: PyValue, step: Step): PyValue[] {
  switch (step.kind) {
    case "name":
      return isDict(value) && value.has(step.name) ? [value.get(step.name) as PyValue] : [];
    case "index": {
      const item = isList(value) ? value[step.index] : typeof value === "string" ? [...value][step.index] : undefined;
      return item === undefined ? [] : [item];
    }
    case "filter": {
      const items = isDict(value) ? [...value.values()] : isList(value) ? value : [];
      return items.filter(
        (item) => isDict(item) && item.has(step.name) && isWanted(item.get(step.name) ?? null, step.value),
      );
    }
  }
}

/**
 * Whether a value equals the wanted value. As in WebArena-Verified, a wanted integer also matches a text or a fraction
 * that Python's `int` converts to it.
 */
function isWanted(value: PyValue, wanted: PyValue): boolean {
  if (typeof wanted !== "bigint" || typeof value !== "string") {
    const whole = typeof wanted === "bigint" && typeof value === "number" ? Math.trunc(value) : value;
    return isEqual(whole, wanted);
  }
  return /^\s*[+-]?\d{1,300}\s*$/.test(value) && BigInt(pyStr(value).trim().replace("+", "")) === wanted;
}

/** Replaces each JSON text in a body with the parsed value. */
function withParsedTexts(value: PyValue): PyValue {
  if (isList(value)) return value.map(withParsedTexts);
  if (!isDict(value)) return value;
  return new Map(
    [...value].map(([key, item]): [string, PyValue] => [
      key,
      typeof item === "string" ? (parseJson(item) ?? item) : withParsedTexts(item),
    ]),
  );
}
