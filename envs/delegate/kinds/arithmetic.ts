import { calculate } from "../../shared/arithmetic/calculate.js";
import { type Kind, type Reading, wrongFor } from "./kind.js";

const pattern = /\bcalculate:?[ \t]+([\d(][\d \t+*()-]*)/gi;
/** Errors of a wrong answer: a slip in the last or the last but one digit. */
const slips = [1, -1, 10, -10, 2, -2, 9, 11];

export const arithmetic: Kind = {
  ask({ draw, isEasy }) {
    const number = (most: number) => draw.number(2, most);
    if (isEasy) return { text: `Calculate ${number(12)} * ${number(12)} ${draw.one(["+", "-"])} ${number(20)}.` };
    const [a, b, c, d] = [number(40), number(40), number(19), number(99)];
    return {
      text: draw.one([
        `Calculate (${a} + ${b}) * ${c} - ${d}.`,
        `Calculate ${a} * ${c} + ${b} * ${d}.`,
        `Calculate ${d} - ${a} + ${b} * ${c}.`,
      ]),
    };
  },
  read: (request) => [...request.matchAll(pattern)].map(([, formula = ""]) => read(formula.trim())),
};

function read(formula: string): Reading {
  let answer: string;
  try {
    answer = calculate(formula);
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return { missing: "a formula that is complete" };
    throw error;
  }
  const value = Number(answer);
  const texts = Number.isSafeInteger(value) ? slips.map((slip) => `${value + slip}`) : [];
  return { problem: { subjects: formula.match(/\d+/g) ?? [], answer, wrong: wrongFor(answer, texts) } };
}
