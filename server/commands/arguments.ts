/** Parsers for the arguments of commands. */
import { InvalidArgumentError } from "commander";
import type { Options, TaskRef } from "../../envs/env.js";
import { shown } from "../errors.js";

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

/** Returns a parser for integers in a range. */
export function wholeFrom(least: number, most = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`expected an integer from ${least} to ${most}, but received ${shown(text)}`);
  };
}

/**
 * Adds a value to the values given before for a repeatable option. Commander must not refuse a second value, because
 * other commands, such as `eval`, have a repeatable `--tasks`.
 */
export function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
