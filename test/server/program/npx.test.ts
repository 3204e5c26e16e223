import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { root } from "../../support/server-process.js";

/** Program that watches npx, and prints "gone" when npx has ended. */
const program = `
  import { onNpxGone } from ${JSON.stringify(join(root, "dist/.modules/server/program/npx.js"))};
  onNpxGone(() => { console.log("gone"); process.exit(); });
  setInterval(() => {}, 1_000);
  console.log("ready", process.ppid);`;
/** Starts the program without a shell, like an npx whose shell has replaced itself with the program. */
const npx = `require("child_process").spawn(process.execPath, ["--input-type=module", "--eval", process.env.PROGRAM],
  { stdio: "inherit" }); setInterval(() => {}, 1_000);`;

test.skipIf(process.platform !== "linux")(
  "the program notices the end of npx, and not the end of npx's terminal",
  async () => {
    const terminal = spawn("sh", ["-c", '"$NODE" --eval "$NPX" & wait'], {
      env: { ...process.env, npm_command: "exec", NODE: process.execPath, NPX: npx, PROGRAM: program },
    });
    let printed = "";
    let isGone: (() => void) | undefined;
    const gone = new Promise<void>((resolve) => (isGone = resolve));
    const ready = new Promise<number>((resolve) =>
      terminal.stdout.on("data", (text: Buffer) => {
        printed += text.toString();
        const [, pid] = /^ready (\d+)/.exec(printed) ?? [];
        if (pid) resolve(Number(pid));
        if (printed.includes("gone")) isGone?.();
      }),
    );
    const pid = await ready;
    onTestFinished(() => {
      try {
        process.kill(pid, "SIGKILL");
      } catch {}
    });
    terminal.kill("SIGKILL");
    await once(terminal, "exit");
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(printed).not.toContain("gone");
    process.kill(pid, "SIGKILL");
    await gone;
  },
  30_000,
);
