/** Runs the program `palestra` to its end. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { root } from "./server-process.js";

export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

export function palestra(args: string[]): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [join(root, "dist/server/cli.js"), ...args], (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end();
    // A program that should have refused but serves.
    onTestFinished(() => void child.kill("SIGKILL"));
  });
}
