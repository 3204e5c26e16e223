#!/usr/bin/env node
/** The program `palestra`. Exit codes: 0 success, 1 failure or failed checks, 2 wrong usage. */
import { CommanderError, InvalidArgumentError } from "commander";
import { createProgram } from "./commands/program/program.js";

const misused = 2;

const program = createProgram((text) => {
  const inOneLine = text
    .replace(/^error: /, "")
    .trim()
    .replace(/\s*\n\s*/g, " ");
  complain(`${inOneLine} (--help lists the options)`);
});

function complain(message: string): void {
  console.error(`palestra: ${message}`);
}

/** Prints an error and returns the exit code. Commander prints its own errors, and ends with one after `--help`. */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError && !(error instanceof InvalidArgumentError))
    return error.exitCode === 0 ? 0 : misused;
  const { failureOf } = await import("./commands/program/failure.js");
  const { message, exitCode } = failureOf(error);
  complain(message);
  return exitCode;
}

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}
