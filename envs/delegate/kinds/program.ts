/**
 * A language of small programs: `x = n; y = 3; repeat 4: x = x + y; if x > 20: x = x - y; print x`. A statement after
 * `repeat` or `if` is the one that is repeated or conditional.
 */

interface Assignment {
  target: string;
  first: string;
  sign: "+" | "-" | "*" | "";
  second: string;
}

export interface Statement extends Assignment {
  /** Number of times that the statement runs. */
  times: number;
  /** Condition: the variable is greater than the number. */
  condition?: { variable: string; above: number };
}

export interface Program {
  statements: readonly Statement[];
  printed: string;
}

const assignment = /^(\w+) = (\w+)(?: ([-+*]) (\w+))?$/;
const prefix = /^(?:repeat (\d{1,2})|if (\w+) > (\d{1,6})): (.+)$/;
const mostStatements = 40;

/** Parses a program. Returns null if the text is not a program. */
export function parseProgram(text: string): Program | null {
  const lines = text.split(";").map((line) => line.trim());
  const printed = /^print (\w+)$/.exec(lines.pop() ?? "")?.[1];
  if (printed === undefined || lines.length > mostStatements) return null;
  const statements = lines.map(statementIn);
  return statements.includes(null) ? null : { statements: statements as Statement[], printed };
}

function statementIn(line: string): Statement | null {
  const [, times, variable, above, rest = line] = prefix.exec(line) ?? [];
  const [all, target = "", first = "", sign = "", second = ""] = assignment.exec(rest) ?? [];
  if (all === undefined) return null;
  const condition = variable === undefined ? {} : { condition: { variable, above: Number(above) } };
  return { target, first, sign: sign as Statement["sign"], second, times: Number(times ?? 1), ...condition };
}

/** Runs a program with a value of `n`. Returns null if a variable has no value, or the result is not a safe integer. */
export function run({ statements, printed }: Program, n: number): number | null {
  const values = new Map([["n", n]]);
  const termValue = (term: string) => (/^\d+$/.test(term) ? Number(term) : (values.get(term) ?? Number.NaN));
  for (const { target, first, sign, second, times, condition } of statements) {
    if (condition && !(termValue(condition.variable) > condition.above)) continue;
    for (let done = 0; done < times; done++) {
      const [a, b] = [termValue(first), sign === "" ? 0 : termValue(second)];
      values.set(target, sign === "*" ? a * b : sign === "-" ? a - b : a + b);
    }
  }
  const result = termValue(printed);
  return Number.isSafeInteger(result) ? result : null;
}
