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

/** @param variables environment variables besides those of this process */
export function palestra(args: string[], variables: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const program = [join(root, "dist/server/program/cli.js"), ...args];
    const env = { ...process.env, ...variables };
    const child = execFile(process.execPath, program, { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end();
    // The program serves although it should have refused.
    onTestFinished(() => void child.kill("SIGKILL"));
  });
}
