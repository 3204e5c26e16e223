#!/usr/bin/env node
import { createProgram } from "./program.js";
/** The program `palestra`. `commands/program/exit-codes.ts` lists its exit codes. */
import { complain, endWithOutput, obeyNoColor, printedByCommander, usageText } from "./terminal/command-line.js";

/** Prints an error and returns the exit code. */
async function report(error: unknown): Promise<number> {
  const printed = printedByCommander(error);
  if (printed !== undefined) return printed;
  const { failureOf } = await import("./failure.js");
  const { code, message, line, exitCode } = failureOf(error);
  complain(code, message, line);
  return exitCode;
}

obeyNoColor();
endWithOutput();
try {
  await createProgram((text) => complain("ARGUMENT_INVALID", usageText(text))).parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}
