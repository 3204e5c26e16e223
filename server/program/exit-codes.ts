/** Exit codes of every command of `palestra`. */
export const exitCodes = {
  0: "success",
  1: "failure: a check failed, or a file, a server or the machine did not do its part",
  2: "misuse: the command line or a setting is wrong; nothing was changed",
  130: "interrupted by Ctrl-C or another signal; the same command resumes, or starts anew",
  141: "the reader of standard output is gone, as in `| head -1`",
} as const;

/** Returns the exit codes as lines for the help. */
export function exitCodeLines(): string {
  return Object.entries(exitCodes)
    .map(([code, meaning]) => `  ${code.padEnd(5)}${meaning}`)
    .join("\n");
}
