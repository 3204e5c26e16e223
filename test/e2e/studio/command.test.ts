/** `palestra ui`: finds or serves a gym, and gives its user the studio's URL. */
import { expect, onTestFinished, test } from "vitest";
import { palestra } from "../../support/palestra.js";
import { startNode } from "../../support/server-process.js";
import { scratch, serve } from "../../support/serving.js";
import { openBrowser, testStudio } from "../../support/studio.js";

const inFolder = (dataDir: string) => ["--data-dir", dataDir, "ui", "--no-open"];

async function studioOf(dataDir: string): Promise<string> {
  const { code, stdout } = await palestra(inFolder(dataDir));
  expect(code).toBe(0);
  return /The studio is at (\S+)/.exec(stdout)?.[1] as string;
}

testStudio("the command prints the URL of a running gym's studio, with the rights of the gym's user", async () => {
  const dataDir = scratch();
  const { url } = await serve({ dataDir });
  const studio = await studioOf(dataDir);
  expect(studio.startsWith(`${url}/t/`)).toBe(true);

  const page = await openBrowser();
  await page.goto(`${studio}#/environments/textcraft@1`);
  await page.getByRole("button", { name: "Start" }).first().click();
  await page.getByRole("button", { name: "Ask the expert" }).click();
  await page.getByRole("button", { name: /^Play / }).waitFor();
});

test("the command serves a gym if none runs, even if a killed gym left its token file", async () => {
  const dataDir = scratch();
  const killed = await serve({ dataDir });
  await killed.process.kill();

  const started = startNode(["dist/server/program/cli.js", ...inFolder(dataDir), "--port", "0", "--log-level", "warn"]);
  onTestFinished(async () => void (await started.kill()));
  const url = await started.listeningUrl();
  const studio = await studioOf(dataDir);
  expect(studio.startsWith(`${url}/t/`)).toBe(true);
  expect((await fetch(studio)).status).toBe(200);
});

test("the command refuses an unknown option", async () => {
  const { code, stderr } = await palestra(["ui", "--opne"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("unknown option '--opne'")]);
});
