/** Files of an environment that change while the gym runs. Other async environments are not affected. */
import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openGym } from "../../support/gym.js";
import { parentOf, processesWith } from "../../support/processes.js";
import { file, lines, sums } from "./support.js";

const asyncProcesses = () => processesWith("hosts/async/process.js").filter((pid) => parentOf(pid) === process.pid);

test("a changed or removed task file or reward fails only its own environment's episodes, with an infrastructure error", async () => {
  const [changed, removed] = [file("changed.jsonl", sums), file("removed.jsonl", sums)];
  const reward = file("reward.js", "export default () => 1");
  const entries = [
    { id: "changed", tasks: changed },
    { id: "removed", tasks: removed },
    { id: "unrewarded", tasks: file("tasks.jsonl", sums), reward },
  ].map((definition) => JSON.stringify(definition));
  const gym = await openGym({ environments: entries, hosts: { count: 1 } });
  const create = (environment: string) => gym.create({ environment, task: { index: 0 } });
  const [other, ...own] = [
    await create("sql"),
    await create("changed"),
    await create("removed"),
    await create("unrewarded"),
  ];
  writeFileSync(changed, lines([{ prompt: "What is 9 + 9?", answer: 18 }]));
  rmSync(removed);
  rmSync(reward);
  // One process serves, and one is a spare: both have read the old files. A process that ends before it is ready counts
  // as a failed start. So the test waits until the successor of each serves before it ends the next one.
  for (const [index, pid] of asyncProcesses().entries()) {
    process.kill(pid, "SIGKILL");
    await gym.call("step", { episodeId: other?.episodeId, index, action: "schema" });
  }
  const errors = await Promise.all(
    own.map(({ episodeId }) => gym.refusal("step", { episodeId, index: 0, action: "submit 4" })),
  );
  expect(errors.map((error) => error.class)).toEqual(["infrastructure", "infrastructure", "infrastructure"]);
  expect(errors.map(({ message }) => message)).toEqual([
    expect.stringContaining("but the file has changed. Restart the gym"),
    expect.stringContaining("ENOENT"),
    expect.stringContaining("no file at /"),
  ]);
  expect(await gym.refusal("create", { environment: "removed", task: { index: 0 } })).toMatchObject({
    class: "infrastructure",
  });
});
