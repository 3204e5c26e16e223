import { type Kind, type Reading, wrongFor } from "./kind.js";
import { type Program, parseProgram, run } from "./program.js";
import { materialNames } from "./vocabulary.js";

const question = /\brun the program (\w+) with n = (\d{1,6})/gi;
const listing = /\bprogram (\w+): ([^.]*)\./gi;

export const tracing: Kind = {
  ask({ draw }) {
    const name = draw.one(materialNames().programs);
    const small = () => draw.number(2, 9);
    const lines = [
      `y = y + ${small()}`,
      `x = x * ${draw.number(2, 4)}`,
      "x = x - y",
      `repeat ${draw.number(2, 6)}: x = x + y`,
      `if x > ${draw.number(10, 60)}: x = x - ${small()}`,
      `if y > ${draw.number(4, 9)}: y = y * 2`,
    ];
    const body = draw.some(lines, draw.number(3, 4)).join("; ");
    const text = `Program ${name}: x = n; y = ${small()}; ${body}; x = x + y; print x.`;
    const material = { name, pages: [text], labels: [""] };
    return { text: `Run the program ${name} with n = ${draw.number(3, 40)}.`, source: { material, page: 0 } };
  },
  read(request) {
    const programs = [...request.matchAll(listing)].map(([, name = "", text = ""]) => [name.toLowerCase(), text]);
    const texts = new Map(programs as [string, string][]);
    return [...request.matchAll(question)].map(([, name = "", n = ""]) =>
      read(name, texts.get(name.toLowerCase()), Number(n)),
    );
  },
};

function read(name: string, text: string | undefined, n: number): Reading {
  if (text === undefined) return { missing: `the program ${name}` };
  const program = parseProgram(text);
  const value = program && run(program, n);
  if (program === null || value === null) return { missing: `a program ${name} that can be run` };
  const answer = `${value}`;
  const slips = [...slipsOf(program, n), value + 1, value - 1, value + 2, value - 2];
  return { problem: { subjects: [name.toLowerCase()], answer, wrong: wrongFor(answer, slips.map(String)) } };
}

/** Returns the results of runs that leave out a statement, ignore a condition, or repeat once too often or too seldom. */
function slipsOf({ statements, printed }: Program, n: number): number[] {
  const slips = statements.slice(2).flatMap((statement, at) => {
    const { times } = statement;
    const changes = times > 1 ? [times - 1, times + 1, 0] : [0];
    return changes.map((count) => {
      const changed = statements.map((each, index) => (index === at + 2 ? { ...each, times: count } : each));
      return run({ statements: changed, printed }, n);
    });
  });
  return slips.filter((slip) => slip !== null);
}
