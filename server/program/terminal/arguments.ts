/** Parsers for the arguments of commands. */
import { InvalidArgumentError, Option } from "commander";
import type { Options, TaskRef } from "../../../envs/env.js";
import { shown } from "../../errors.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import type { RangedParser } from "./command-line.js";

/** Kinds of sandboxes that `palestra check --sandbox` accepts. */
export const sandboxKinds = ["docker", "process", "browser"] as const;
export type SandboxKind = (typeof sandboxKinds)[number];

export function parseTask(text: string): TaskRef {
  const match = /^(.+):([0-9]+)$/.exec(text);
  if (!match) throw new InvalidArgumentError(`expected split:index, as in test:3, but received ${shown(text)}`);
  return { split: match[1] as string, index: Number(match[2]) };
}

/** Parses an option and adds it to the options given before. */
export function parseOption(text: string, before: Options): Options {
  const match = /^([^=]+)=(.*)$/.exec(text);
  if (!match) throw new InvalidArgumentError(`expected name=value, but received ${shown(text)}`);
  return { ...before, [match[1] as string]: match[2] as string };
}

/** Parses the port of an environment and adds it to the ports given before. */
export function parseEnvironmentPort(text: string, before: Readonly<Record<string, number>> = {}) {
  const match = /^([^=]+)=([0-9]{1,5})$/.exec(text);
  if (!match)
    throw new InvalidArgumentError(`expected environment=port, as in babyai=9001, but received ${shown(text)}`);
  return { ...before, [match[1] as string]: Number(match[2]) };
}

/** Returns a parser for integers in a range. */
export function wholeFrom(least: number, most = Number.MAX_SAFE_INTEGER): RangedParser<number> {
  const isOpen = most === Number.MAX_SAFE_INTEGER;
  const parse = (text: string) => {
    const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    const range = isOpen ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new InvalidArgumentError(`expected an integer ${range}, but received ${shown(text)}`);
  };
  return Object.assign(parse, { range: isOpen ? `at least ${least}` : `${least} to ${most}` });
}

/** Returns a parser for integers separated by commas. */
export function wholesFrom(least: number): (text: string) => number[] {
  const parse = wholeFrom(least);
  return (text) => text.split(",").map((part) => parse(part.trim()));
}

/** Returns a parser for numbers without a sign. */
export function fractionFrom(least: number): RangedParser<number> {
  const parse = (text: string) => {
    const number = /^[0-9]*\.?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least) return number;
    throw new InvalidArgumentError(`expected a number of at least ${least}, but received ${shown(text)}`);
  };
  return Object.assign(parse, { range: `at least ${least}` });
}

/** Parses a finite number, which may be negative. */
export function numberOf(text: string): number {
  const number = /^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(number)) return number;
  throw new InvalidArgumentError(`expected a number, but received ${shown(text)}`);
}

/** Makes an option with a fixed set of values, which its help lists. */
export function choiceOption(flags: string, description: string, values: readonly string[]): Option {
  const parse = (text: string) => {
    if (values.includes(text)) return text;
    const received = `${shown(text)}${didYouMean(text, values)}`;
    throw new InvalidArgumentError(`expected one of ${values.join(", ")}, but received ${received}`);
  };
  return new Option(flags, description).choices(values).argParser(parse);
}

/**
 * Adds a value to the values given before for a repeatable option. Commander must not refuse a second value, because
 * other commands, such as `eval`, have a repeatable `--tasks`.
 */
export function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
