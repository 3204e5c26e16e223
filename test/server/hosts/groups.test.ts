/** Async environments run in groups of processes, and the end of one group affects no other. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Registry } from "#palestra/envs/registry.js";
import { eventually, openGym } from "../../support/gym.js";
import { parentOf, processesWith } from "../../support/processes.js";

const processOf = (group: string) =>
  processesWith("hosts/async/process.js").filter((pid) => parentOf(pid) === process.pid && nameOf(pid) === group);

const nameOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").at(-2);

function residentMb(pid: number): number {
  return Number(/^VmRSS:\s*([0-9]+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

test("environments that compute much, or whose episodes cannot be restored, share no process with other kinds", async () => {
  const registry = await Registry.load();
  const groups: Record<string, string[]> = {};
  for (const spec of registry.all().filter(({ isAsync }) => isAsync)) {
    const group = registry.groupOf(spec);
    groups[group] = [...(groups[group] ?? []), spec.id];
  }
  expect(groups).toEqual({
    search: ["searchqa", "deepsearch"],
    sql: ["sql"],
    tau2: ["tau2-airline", "tau2-retail", "tau2-mock"],
    "webarena-lab": ["webarena-lab"],
    webarena: ["webarena"],
    miniwob: ["miniwob"],
    jvm: ["sciworld"],
    python: ["math"],
    machines: ["workbench", "desktop"],
  });
});

test("the end of one group's process does not affect the episodes of another group", async () => {
  const gym = await openGym({});
  const open = (environment: string) => gym.create({ environment, task: { index: 0 } });
  expect([processOf("sql"), processOf("search")]).toEqual([[], []]);
  const [sql, search] = [await open("sql"), await open("searchqa")];
  const [killed, kept] = [processOf("sql"), processOf("search")];
  expect([killed.length, kept.length]).toEqual([1, 1]);
  const [sqlMb, searchMb] = [...killed, ...kept].map(residentMb);
  console.info(`resident: sql ${sqlMb?.toFixed(0)} MiB, search ${searchMb?.toFixed(0)} MiB`);
  process.kill(killed[0] as number, "SIGKILL");
  await eventually(async () => (await gym.metric("palestra_live_episodes")) === 1);
  expect(processOf("search")).toEqual(kept);
  expect(await gym.step(search.episodeId, 0, "<search>rivers</search>")).toContain('"index":0');
  // The other episode is restored in a new process.
  expect(await gym.step(sql.episodeId, 0, "SELECT 1")).toContain('"index":0');
  expect(processOf("sql")).not.toEqual(killed);
});
