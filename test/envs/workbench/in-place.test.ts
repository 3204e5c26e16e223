/** Verifiers that run in the agent's machine, with the processes that the agent has left. */
import { describe, expect, test } from "vitest";
import { readTask } from "#palestra/envs/workbench/harbor/task.js";
import { AgentMachine } from "#palestra/envs/workbench/machine/agent-machine.js";
import { gradeStage } from "#palestra/envs/workbench/machine/grade.js";
import { firstOneEnds, gradeAfter, machines, plainFiles, signal, testMachines, writeTask } from "./machines.js";

const serve =
  "cd /app && echo right > index.html && (python3 -m http.server 8123 >/dev/null 2>&1 &)\nfor i in $(seq 100); do curl -s localhost:8123 && break; sleep 0.1; done";
const toml = (mode: string) =>
  `${plainFiles["task.toml"]}[agent]\ntimeout_sec = 60.0\n`.replace("[verifier]", `[verifier]\n${mode}`);
const service = (mode: string, more: Record<string, string> = {}) => ({
  "task.toml": toml(mode),
  "tests/test.sh":
    '#!/bin/bash\n[ "$(curl -s localhost:8123)" = right ] && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n',
  ...more,
});
const shared = 'environment_mode = "shared"';

describe("a task that states environment_mode shared", () => {
  testMachines("is graded in the agent's machine, where a service that the agent left answers", async () => {
    const { grade } = await gradeAfter(serve, service(shared));
    expect(grade).toMatchObject({ rewards: { reward: 1 }, fault: undefined });
    expect((await gradeAfter("true", service(shared))).grade.rewards).toEqual({ reward: 0 });
  });

  testMachines("ignores rewards and tests that the agent wrote into the verifier's folders", async () => {
    const forged =
      "mkdir -p /tests/x /logs/verifier/y; echo 1 > /logs/verifier/reward.txt; echo 1 > /logs/verifier/reward.json; echo touch /tmp/ran > /tests/x/conftest.py";
    const { grade } = await gradeAfter(forged, {
      "task.toml": toml(shared),
      "tests/test.sh": "#!/bin/bash\nls -A /tests /logs/verifier\necho 0 > /logs/verifier/reward.txt\n",
    });
    expect(grade).toMatchObject({ rewards: { reward: 0 }, fault: undefined });
    expect(grade.output).toBe("/logs/verifier:\ntest-stdout.txt\n\n/tests:\ntest.sh\n");
  });

  testMachines("gives the reward 0 if the agent breaks the verifier or ends its machine", async () => {
    const files = {
      "task.toml": toml(shared),
      "tests/test.sh": "#!/bin/bash\n[ -e /app/broken ] && exit 1\necho 0.5 > /logs/verifier/reward.txt\n",
    };
    const broken = await gradeAfter("touch /app/broken", files);
    expect(broken.grade).toMatchObject({ rewards: { reward: 0 }, fault: expect.stringContaining("wrote neither") });
    const ended = await gradeAfter(
      "true",
      { ...files, "tests/test.sh": "#!/bin/bash\nsleep 2\necho 0.5 > /logs/verifier/reward.txt\n" },
      firstOneEnds(),
    );
    expect(ended.grade).toMatchObject({ rewards: { reward: 0 }, fault: expect.anything() });
  });

  testMachines("passes the files of its first step on to the second", async () => {
    const step = (name: string, found: string) => ({
      [`steps/${name}/instruction.md`]: "Go on.\n",
      [`steps/${name}/tests/test.sh`]: `#!/bin/bash\n${found} && echo 1 > /logs/verifier/reward.txt || echo 0 > /logs/verifier/reward.txt\n`,
    });
    const folder = writeTask({
      ...plainFiles,
      "task.toml": `${toml(shared)}[[steps]]\nname = "one"\n[[steps]]\nname = "two"\n`,
      "instruction.md": undefined,
      "tests/test.sh": undefined,
      ...step("one", "pgrep -f 'sleep 3[0]3'"),
      ...step("two", "grep -q kept /app/note"),
    });
    const task = await readTask(folder);
    const [one, two] = task.stages as [(typeof task.stages)[0], (typeof task.stages)[0]];
    const agent = await AgentMachine.open(machines, task.machine, one, {}, signal());
    await agent.bash("echo kept > /app/note; (setsid sleep 303 &)", signal());
    const first = await gradeStage(machines, task, one, agent, signal());
    expect(first.grade.rewards).toEqual({ reward: 1 });
    const inherited = first.spool ? { spool: first.spool } : {};
    const next = await AgentMachine.open(machines, task.machine, two, inherited, signal());
    expect((await gradeStage(machines, task, two, next, signal())).grade.rewards).toEqual({ reward: 1 });
    await first.spool?.remove();
  });
});

describe("a task that states no environment_mode", () => {
  testMachines("is graded in a new machine, where the service does not run", async () => {
    expect((await gradeAfter(serve, service(""))).grade.rewards).toEqual({ reward: 0 });
  });

  test("is accepted with a note if its tests or its solution need a running program", async () => {
    const notes = async (files: Record<string, string>) => (await readTask(writeTask(files))).notes.join();
    const warning =
      /tests\/test\.sh seems to need a running program \(localhost\), .*add the task with --verifier agent$/;
    expect(await notes(service(""))).toMatch(warning);
    expect(await notes({ "solution/solve.sh": "#!/bin/sh\npython3 serve.py > log 2>&1 &\n" })).toMatch(
      /^solution\/solve\.sh seems/,
    );
    expect(await notes({ "solution/solve.sh": "#!/bin/sh\nmake && ./run 2>&1 && echo done\n" })).toBe("");
    expect(await notes(service(shared))).toBe("tests/test.sh seems to download (curl)");
  });

  test("is graded in the mode that the import command names", async () => {
    const folder = writeTask(service(""));
    const places = async (path: string) =>
      Promise.all(
        ([undefined, "agent", "new"] as const).map(
          async (chosen) => (await readTask(path, undefined, chosen)).stages[0]?.verifier.isInPlace,
        ),
      );
    expect(await places(folder)).toEqual([false, true, false]);
    expect(await places(writeTask(service(shared)))).toEqual([true, true, false]);
    expect(await places(writeTask(service('environment_mode = "separate"')))).toEqual([false, false, false]);
  });

  test("has a note if the verifier's network differs from the agent's, since the two cannot share a machine", async () => {
    const other = `${shared}\nnetwork_mode = "allowlist"\nallowed_hosts = ["example.com"]`;
    const { notes, stages } = await readTask(writeTask({ "task.toml": toml(other) }));
    expect(stages[0]?.verifier.isInPlace).toBe(false);
    expect(notes.join()).toContain("its network differs");
  });
});
