import { expect, test } from "vitest";
import { calculate } from "#palestra/envs/shared/arithmetic/calculate.js";

test.each([
  ["0.1 + 0.2", "0.3"],
  ["2/3", "2/3 (about 0.66666666666666666667)"],
  ["sqrt(2)", "about 1.4142135623730950488"],
  ["sqrt(16)", "4"],
  ["2^10", "1024"],
  ["2**10", "1024"],
  ["1,000 * 3", "3000"],
  ["100!", "about 9.3326215443944152682e+157"],
  ["log(1000)", "3"],
  ["log_2(8)", "3"],
  ["\\frac{1}{2} + \\frac34", "1.25"],
  ["2 1/2 + 1", "3.5"],
  ["50% * 80", "40"],
  ["17 % 5", "2"],
  ["-7 mod 3", "2"],
  ["-3^2", "-9"],
  ["(-8)^(1/3)", "-2"],
  ["2(3 + 4)", "14"],
  ["sin(pi/6)", "about 0.5"],
  ["9^0.5", "3"],
  ["binom(5, 2)", "10"],
  ["round(2.345, 2)", "2.35"],
  ["round(-2.5)", "-3"],
  ["gcd(12, 18)", "6"],
  ["lcm(4, 6)", "12"],
  ["|3 - 5|", "2"],
  ["floor(-7/2)", "-4"],
  ["ceil(pi)", "4"],
  ["max(1/3, 0.3)", "1/3 (about 0.33333333333333333333)"],
  ["1.5e3 × 2 ÷ 3", "1000"],
  ["0^0", "1"],
  ["2^-2", "0.25"],
  ["exp(0)", "1"],
])("%s equals %s", (formula, value) => expect(calculate(formula)).toBe(value));

test("a formula has at most 200 numbers and signs", () => {
  expect(calculate(`-${"1+".repeat(99)}1`)).toBe("98");
  expect(() => calculate(`${"1+".repeat(100)}1`)).toThrow("expected at most 200 numbers and signs, but received 201");
});

test.each([
  ["", /a number/],
  ["(((", /a number/],
  ["1/0", /nonzero divisor/],
  ["10^10^10", /8192 bits/],
  ["1000!", /at most 900/],
  ["x + 1", /the name "x"/],
  ["root 4", /2 arguments of root/],
  ["binom 5", /2 arguments of binom/],
  ["gcd 12", /arguments of gcd/],
  ["hello", /the word "hello"/],
  ["3 * * 4", /"\*"/],
  ["2, 5", /the end of the formula/],
  ["sqrt(-1)", /at least 0 under the root/],
  ["ln(0)", /above 0/],
  ["ln(-1)", /real number/],
  ["0^-1", /nonzero divisor/],
  ["gcd(1/2, 3)", /integers for gcd/],
  ["log(1, 2, 3)", /1 to 2 arguments of log/],
  ["9".repeat(3000), /2000 characters/],
  [`${"(".repeat(100)}1`, /60 levels/],
  [`${"1+".repeat(300)}1`, /200 numbers|500 numbers/],
  [`${"sqrt(".repeat(10)}2`, /"\)"/],
])("%s is refused with %s", (formula, reason) => expect(() => calculate(formula)).toThrow(reason));

test("sums of fractions are exact in any order", () => {
  const parts = Array.from({ length: 20 }, (_, at) => `${at % 7}/${at + 1}`);
  expect(calculate(parts.join(" + "))).toBe(calculate(parts.reverse().join(" + ")));
  expect(calculate(`${parts.join(" + ")} - (${parts.join(" + ")})`)).toBe("0");
});
