/** Values of command-line flags. Each throws commander's error: "expected ..., but received ...". */
import { InvalidArgumentError } from "commander";

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
