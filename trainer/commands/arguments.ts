/** Parsers of command-line flags. Each throws commander's error: "expected ..., but received ...". */

import { InvalidArgumentError, Option } from "commander";
import type { RangedParser } from "../command-line.js";
import { didYouMean } from "../did-you-mean.js";
import { TrainerError } from "../errors.js";
import { parseDevice } from "../settings/device.js";

export function wholeFrom(least: number, most = Number.MAX_SAFE_INTEGER): RangedParser<number> {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  const parse = (text: string) => {
    const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    const range = isOpen ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`expected an integer ${range}, but received ${JSON.stringify(text)}`);
  };
  return Object.assign(parse, { range: isOpen ? `at least ${least}` : `${least} to ${most}` });
}

/** Parses integers separated by commas. */
export function wholesFrom(least: number): (text: string) => number[] {
  const parse = wholeFrom(least);
  return (text) => text.split(",").map((part) => parse(part.trim()));
}

/** Collects the values of a flag that may be repeated. */
export function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}

export function fractionFrom(least: number): RangedParser<number> {
  const parse = (text: string) => {
    const number = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least) return number;
    throw new InvalidArgumentError(`expected a number of at least ${least}, but received ${JSON.stringify(text)}`);
  };
  return Object.assign(parse, { range: `at least ${least}` });
}

export function parsePair(text: string, before: Record<string, string>): Record<string, string> {
  const match = /^([^=]+)=(.*)$/.exec(text);
  if (!match) throw new InvalidArgumentError(`expected name=value, but received ${JSON.stringify(text)}`);
  return { ...before, [match[1] as string]: match[2] as string };
}

/** Makes an option with a fixed set of values, which its help lists. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const parse = (text: string) => {
    if (values.includes(text)) return text;
    const received = `${JSON.stringify(text)}${didYouMean(text, values)}`;
    throw new InvalidArgumentError(`expected one of ${values.join(", ")}, but received ${received}`);
  };
  return new Option(flags, description).choices(values).argParser(parse);
}

/** Makes the option `--device`. @param of prefix of the help text, such as "native policy: " */
export function deviceOption(of = ""): Option {
  const option = new Option("--device <name>", `${of}device: auto, cpu, cuda:0 and so on (default: auto)`);
  return option.argParser(orInvalid(parseDevice));
}

export function dtypeOption(of = ""): Option {
  return choiceOption(
    "--dtype <name>",
    `${of}type of the factors of matrix products (default: bf16 on a GPU, else f32)`,
    ["f32", "bf16"],
  );
}

/** Wraps a parser so that commander reports its errors as invalid arguments. */
export function orInvalid<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof TrainerError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}

/** Parses a finite number, which may be negative. */
export function numberOf(text: string): number {
  const number = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw new InvalidArgumentError(`expected a number, but received ${JSON.stringify(text)}`);
}
