/** Answers that try to match every kind of expected answer, or to keep the verifier busy. */
import { describe, expect, test } from "vitest";
import { finalAnswer } from "#palestra/envs/shared/arithmetic/final-answer.js";
import { isSameAnswer } from "#palestra/envs/shared/arithmetic/same-answer.js";

const isRight = (expected: string, text: string) => isSameAnswer(expected, finalAnswer(text));
const megabyte = 2 ** 20;

describe("a second answer next to the right one makes it wrong", () => {
  test.each([
    ["42", "42 not 23"],
    ["42", "42 else 3 maybe 2"],
    ["42", "x = 41 = 42"],
    ["42", "x = 42 = 41"],
    ["42", "41 = x = 42"],
    ["42", "41 = 42"],
    ["42", "43 = 42 = 42"],
    ["42", "42 or 42"],
    ["42", "\\boxed{42}\\boxed{41}"],
    ["42", "\\boxed{42}\n\\boxed{}"],
    ["42", "\\boxed{41, 42}"],
    ["42", "#### 42\n#### 41"],
    ["42", "The answer is 42. No, 41"],
    ["42", "43\n42"],
    ["42", "42 ± 1"],
    ["42", "41 ± 1"],
    ["42", "\\pm 41 or 42"],
    ["42", "\\begin{array}{c}42\\\\43\\end{array}"],
    ["2, 3", "1, 2, 3"],
    ["2, 3", "2, 3, 2"],
    ["2, 3", "x = 2 or x = 3 or x = 4"],
    ["2, 3", "(2, 3)"],
    ["(1, 5)", "(1, 5) or [1, 5]"],
    ["(1, 5)", "[1, 5]"],
    ["(1, 5)", "{1, 5}"],
    ["B", "B or C"],
    ["B", "(B) and (C)"],
    ["B", "B) C)"],
    ["B", "B: yes, C: yes"],
    ["B", "B. C. D."],
    ["a", "a.b.c.d"],
    ["\\pm 3", "3, -3, 4"],
    ["Monday", "Monday, Tuesday"],
  ])("%s is not matched by %s", (expected, given) => expect(isRight(expected, given)).toBe(false));

  test.each([
    ["42", "x = 6 * 7 = 42"],
    ["42", "42 = x"],
    ["x = 42", "42 = x"],
    ["42", "42 cm2"],
    ["42 cm^2", "42 cm2"],
    ["B", "(B) Paris, i.e. the capital"],
    ["B", "B. Berlin"],
  ])("%s is matched by %s, which has one answer", (expected, given) => expect(isRight(expected, given)).toBe(true));
});

describe("an answer that leaves the requested work to the reader is wrong", () => {
  test.each([
    ["sqrt(442)", "sqrt(19^2 + 9^2)"],
    ["sqrt(442)", "sqrt(361 + 81)"],
    ["2662 pi", "pi * 11^2 * 22"],
    ["2662 pi", "11 * 242 pi"],
    ["2662 pi", "-(-11 * 242) pi"],
    ["3 + sqrt(2)", "1 + 2 + sqrt(2)"],
    ["x = 5", "2x = 10"],
    ["x = 5", "2x + 3 = 13"],
    ["42", "sqrt(1764)"],
    ["42", "7 * 6.0"],
    ["42", "(6)(7)"],
    ["42", "42!/41!"],
    ["42", "42 x^0"],
    ["42", "42 \\cdot 1"],
    ["42", "42 sin(1)/sin(1)"],
    ["42", "e^{ln 42}"],
    ["42", "log(10^42)"],
    ["(-11, 5)", "(-8 - 3, 8 - 3)"],
    ["-3, -1", "-2 \\pm 1"],
  ])("%s is not matched by %s", (expected, given) => expect(isRight(expected, given)).toBe(false));

  test.each([
    ["2662 pi", "\\frac{5324}{2} \\pi"],
    ["\\frac{1 + \\sqrt{5}}{2}", "(1 + sqrt(5)) / 2"],
    ["\\frac{3\\pi}{2}", "3/2 pi"],
    ["2\\sqrt{3} - 1", "-1 + 2 sqrt 3"],
    ["2 * 3 \\pi", "6 pi"],
    ["6 pi", "6 * pi"],
    ["y = 2x + 3", "2y = 4x + 6"],
  ])("%s is matched by %s", (expected, given) => expect(isRight(expected, given)).toBe(true));
});

/** One expected answer of each kind. No answer may match two of them. */
const kinds = [
  "42",
  "7/3",
  "x^2 - 1",
  "2, 3",
  "[1, 5)",
  "(0, 2]",
  "12 pi",
  "\\sqrt{3}",
  "x = 5",
  "x = 6",
  "y = 2x + 3",
  "x^2 + y^2 = 25",
  "(3, 4)",
  "\\{8, 9\\}",
  "\\begin{pmatrix}1\\\\2\\end{pmatrix}",
  "17%",
  "6 kg",
  "\\pm 10",
  "C",
  "Monday",
  "x < 3",
];

const keys = [
  "0 = 1e900",
  "1,000 = 1e900",
  "x = 1e900",
  "y = 10^900 x",
  "1e900 x = 1e900 y",
  "x = x",
  "0 = 0",
  "0 * x = 0",
  "x / 0 = y / 0",
  "0/0",
  "0 * (1/0)",
  "1e-900",
  "NaN",
  "NaN = NaN",
  "Infinity",
  "\\infty - \\infty",
  "(-\\infty, \\infty)",
  "[-\\infty, \\infty]",
  "\\mathbb{R}",
  "x \\in \\mathbb{R}",
  "\\emptyset",
  "\\{\\}",
  "()",
  "[]",
  "{}",
  "\\pm x",
  "x",
  "x, y",
  "?",
  ".*",
  "\\boxed{}",
  "\\boxed{\\boxed{}}",
  "\\text{}",
  "$",
  "$$",
  "``",
  "root 4",
  "root 4!",
  "binom 5",
  "gcd 12",
  "lcm 12",
  "mod 3",
  "\\sqrt[3]",
  "\\frac",
  "\\frac{1}",
  "\\log_",
  "10^10^10",
  "9!!!!!!!!",
  "4\u200b2",
  "\u202e24",
  "٤٢",
  "４２",
  "𝟜𝟚",
  "0x2a",
  "4_2",
  "42 infinity",
  "42 \\infty",
  "\ud800",
  "\u0000",
  "A) B) C) D)",
  "(A)(B)(C)(D)",
  "A, B, C, D",
  "\\begin{pmatrix}\\end{pmatrix}",
  "\\begin{pmatrix}&\\\\&\\end{pmatrix}",
  kinds.join(" "),
  kinds.join(", "),
  kinds.join(" or "),
  kinds
    .map((kind) => `\\boxed{${kind}}`)
    .join(" ")
    .slice(0, -1),
  `\\{${Array.from({ length: 199 }, (_, at) => at).join(", ")}\\}`,
];

test.each(keys)("%j matches no kind of answer", (key) => {
  expect(kinds.filter((kind) => isRight(kind, key))).toEqual([]);
});

/** Formulas of at most 200 nodes that equal x^2 - 1, so that they are evaluated at all points. */
const costly = [
  "(x+1/7)^400",
  "x^800",
  "e^x",
  "2^4000/3^2500",
  "x^(x/7)",
  "root(x,97)",
  "(2^8000+1)^(1/79)",
  "9^(9^(x/9))",
];

const long = [
  "(",
  "[",
  "{",
  "\\{",
  "\\boxed{",
  "\\boxed{42",
  "\\boxed{}",
  "answer is ",
  "answer **",
  "answer: * * ",
  "#### ",
  "#",
  " ",
  "\t",
  "$",
  "*",
  "`",
  "-",
  "9",
  "1,000,",
  "1 and ",
  "x = ",
  "1=",
  "±",
  "\\text{",
  "\\text{a}",
  "\\left",
  "\\",
  "^\\circ",
  "^ ",
  "4 a",
  "%a ",
  ". ",
  "\\begin{matrix}",
  "a b ",
  "\u0301",
  "\ud800",
];

describe("the verifier quickly judges", () => {
  const cpuMs = (text: string) => {
    const start = process.cpuUsage();
    for (const kind of kinds) isRight(kind, text);
    return process.cpuUsage(start).user / 1_000;
  };

  // A hang takes minutes. All kinds together take at most a second on a slow machine.
  test.each(costly)("a formula full of %s", (part) => {
    expect(cpuMs(`x^2 - 1${` + ${part} - ${part}`.repeat(8)}`)).toBeLessThan(5_000);
  });

  test.each(long)("a megabyte, or 2,000 characters, of %j", (part) => {
    for (const length of [1_990, megabyte]) {
      const text = part.repeat(Math.floor(length / part.length));
      expect(cpuMs(text)).toBeLessThan(5_000);
      expect(kinds.filter((kind) => isRight(kind, text))).toEqual([]);
    }
  });
});
