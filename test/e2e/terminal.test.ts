/** `palestra serve` in a terminal, from the first line to Ctrl-C. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { root } from "../support/server-process.js";
import { scratch } from "../support/serving.js";

function hasScript(): boolean {
  try {
    return execFileSync("script", ["--version"], { encoding: "utf8" }).includes("util-linux");
  } catch {
    return false;
  }
}

beforeEach((context) => {
  if (!hasScript()) context.skip("expected util-linux's `script`, which gives a program a terminal");
});

/** Starts the gym on a terminal of its own. */
function serveOnTerminal(): ChildProcess {
  const program = [
    process.execPath,
    join(root, "dist/server/program/cli.js"),
    "--data-dir",
    scratch(),
    "serve",
    "--port",
    "0",
  ];
  const command = program.map((word) => `'${word}'`).join(" ");
  const child = spawn("script", ["-qefc", `exec ${command}`, "/dev/null"], {
    stdio: ["pipe", "pipe", "inherit"],
    // A remaining shell would also get the SIGINT, and dash then exits with 130, whatever the exit code of its child.
    env: { ...process.env, SHELL: "/bin/sh" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

test("the greeting is the first line, printed when the gym is ready, and Ctrl-C prints a message", async () => {
  const child = serveOnTerminal();
  const closed = once(child, "close");
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  while (!text.includes("sciworld@jvm")) await once(child.stdout as NodeJS.ReadableStream, "data");
  const url = /^Palestra listens on (http:\/\/127\.0\.0\.1:[0-9]+) /.exec(text)?.[1] as string;
  expect(url, text).toBeDefined();
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  while (!text.includes("The log has")) await once(child.stdout as NodeJS.ReadableStream, "data");
  expect(text).toMatch(/^ {2}The log has .+, and its disk has .+ free\. Episodes .+ are deleted after 90 days /m);
  child.stdin?.write("\u0003");
  expect((await closed)[0]).toBe(0);
  expect(text).toMatch(/[0-9:]{8} info draining: .+second signal ends the gym at once \(signal: SIGINT\)/);
  expect(text).not.toMatch(/\{"level"/);
});
