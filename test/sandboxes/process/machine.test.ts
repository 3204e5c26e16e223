/** The end of a sandbox during its start. */
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { expect, onTestFinished } from "vitest";
import { Machine } from "#palestra/sandboxes/process/machine.js";
import { eventually } from "../../support/gym.js";
import { heldBy, processesWith, testProcess } from "../../support/processes.js";
import { scratchDir } from "../../support/server-process.js";

/**
 * A fake bubblewrap that has not yet bound its child to its own life. The child survives the fake and keeps the streams
 * open.
 */
function slowBubblewrap(mark: string): string {
  const { path, remove } = scratchDir();
  onTestFinished(remove);
  const program = join(path, "bwrap");
  writeFileSync(program, `#!/bin/sh\n/usr/bin/sleep ${mark} &\nwait\n`);
  for (const each of [path, program]) chmodSync(each, 0o755);
  return program;
}

async function endsAllWith(limits: { memoryMb?: number }): Promise<void> {
  const mark = `${1e6 + Math.floor(Math.random() * 1e9)}`;
  const machine = await Machine.make(`slow-${mark}`, limits);
  const { output } = await machine.start(slowBubblewrap(mark), process.execPath, 16, []);
  await eventually(() => processesWith(mark).some((pid) => processesWith("sleep").includes(pid)));
  await machine.end();
  await finished(output.resume()).catch(() => {});
  await eventually(() => processesWith(mark).length === 0);
  expect(heldBy(process.pid)).toEqual([]);
}

testProcess("a sandbox that ends during the start of bubblewrap leaves no process", () => endsAllWith({}));

testProcess("a sandbox with control groups that ends during its start leaves no process", () =>
  endsAllWith({ memoryMb: 64 }),
);
