/** The removal of sandboxes whose owner is killed. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { ProcessProvider } from "#palestra/sandboxes/process/process-provider.js";
import { eventually } from "../../support/gym.js";
import { heldBy, processesWith, testProcess } from "../../support/processes.js";
import { root } from "../../support/server-process.js";

const mark = `${1e6 + Math.floor(Math.random() * 1e9)}`;

/** A program that opens sandboxes, starts an endless command in each, reports this, and stays. */
const owner = `
  import { ProcessProvider } from "${root}/dist/.modules/sandboxes/process/process-provider.js";
  const provider = new ProcessProvider();
  const sandboxes = await Promise.all(Array.from({ length: 8 }, () => provider.open({})));
  for (const sandbox of sandboxes) await sandbox.exec("setsid -f sleep ${mark}; (setsid sleep ${mark} &) ; true");
  console.log("open");
  setInterval(() => {}, 1_000);
`;

testProcess(
  "the sandboxes of a killed process end, and the next process removes their folders and control groups",
  async () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", owner], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const pid = child.pid as number;
    expect(processesWith(mark).length).toBeGreaterThanOrEqual(16);
    expect(heldBy(pid).length).toBeGreaterThanOrEqual(8);
    child.kill("SIGKILL");
    await eventually(() => processesWith(mark).length === 0);
    const provider = new ProcessProvider();
    await provider.open({});
    await provider.close();
    await eventually(() => heldBy(pid).length === 0);
  },
);
