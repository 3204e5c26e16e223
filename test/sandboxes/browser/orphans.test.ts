/** The removal of browsers whose gym is killed. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openPage, testBrowser, unusedFolders } from "../../support/browsers.js";
import { eventually } from "../../support/gym.js";
import { processesWith } from "../../support/processes.js";
import { root } from "../../support/server-process.js";

/** A program that opens sessions in two browsers, reports this, and stays. */
const owner = `
  import { BrowserProvider } from "${root}/dist/.modules/sandboxes/browser/browser-provider.js";
  const provider = new BrowserProvider({ browsers: 2, contextsPerBrowser: 2, warmContexts: 1 });
  const sessions = await Promise.all(Array.from({ length: 4 }, () => provider.open({ hosts: [] })));
  sessions[0].context.pages()[0].evaluate("(() => { for (;;); })()").catch(() => {});
  console.log("open");
  setInterval(() => {}, 1_000);
`;

async function startOwner(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", owner], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

const foldersOf = (pid: number) => readdirSync(tmpdir()).filter((name) => name.startsWith(`palestra-browsers-${pid}-`));
const processesOf = (pid: number) => processesWith(`palestra-browsers-${pid}-`);

testBrowser("the browsers and folders of a killed process are removed", async () => {
  const before = unusedFolders();
  const child = await startOwner();
  const pid = child.pid as number;
  expect(processesOf(pid).length).toBeGreaterThan(10);
  // A stopped guardian does not see its pipe break.
  process.kill(processesOf(pid)[1] as number, "SIGSTOP");
  child.kill("SIGKILL");
  await eventually(() => processesOf(pid).length === 0 && foldersOf(pid).length === 0);
  await eventually(() => unusedFolders().every((name) => before.includes(name)));
});

testBrowser("the next start removes the browsers and folders of a killed process and guardian", async () => {
  const child = await startOwner();
  const pid = child.pid as number;
  const guardians = processesOf(pid).filter((each) => !processesWith("chromium").includes(each));
  for (const guardian of guardians) process.kill(guardian, "SIGKILL");
  child.kill("SIGKILL");
  await once(child, "exit");
  const gone = join(tmpdir(), `palestra-browsers-${pid}-again`);
  mkdirSync(gone);
  const sleeper = spawn("/bin/sh", ["-c", "sleep 1000; true", `${gone}/1/profile`], { stdio: "ignore" });
  onTestFinished(() => void sleeper.kill("SIGKILL"));
  await once(sleeper, "spawn");
  await openPage({ hosts: [] });
  expect(existsSync(gone)).toBe(false);
  expect(foldersOf(pid)).toEqual([]);
  expect(processesOf(pid)).toEqual([]);
});
