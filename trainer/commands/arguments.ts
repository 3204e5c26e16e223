/** Values of command-line flags. Each throws commander's error: "expected ..., but received ...". */
import { InvalidArgumentError, Option } from "commander";
import { parseDevice } from "../device.js";

export function wholeFrom(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    const range = most === Number.MAX_SAFE_INTEGER ? `from ${least} up` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`expected a whole number ${range}, but received ${JSON.stringify(text)}`);
  };
}

export function fractionFrom(least: number): (text: string) => number {
  return (text) => {
    const number = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least) return number;
    throw new InvalidArgumentError(`expected a number from ${least} up, but received ${JSON.stringify(text)}`);
  };
}

export function parsePair(text: string, before: Record<string, string>): Record<string, string> {
  const match = /^([^=]+)=(.*)$/.exec(text);
  if (!match) throw new InvalidArgumentError(`expected name=value, but received ${JSON.stringify(text)}`);
  return { ...before, [match[1] as string]: match[2] as string };
}

/** @param of for help texts: "of a native policy: " */
export function deviceOption(of = ""): Option {
  const option = new Option("--device <name>", `${of}auto, cpu, cuda:0 and so on (default: auto)`);
  return option.argParser(orInvalid(parseDevice));
}

export function dtypeOption(of = ""): Option {
  const option = new Option("--dtype <name>", `${of}what is multiplied (default: bf16 on a GPU, else f32)`);
  return option.choices(["f32", "bf16"]);
}

/** Lets commander tell a value that does not fit as it tells others. */
export function orInvalid<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof RangeError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}
