/** Grading: files that are copied to the new machine, and rewards of verifiers. */
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import type { TaskRef } from "#palestra/envs/env.js";
import { readTask } from "#palestra/envs/workbench/harbor/task.js";
import { isKeptLink } from "#palestra/envs/workbench/machine/links.js";
import { isEnough, readReward, singleReward, Tally } from "#palestra/envs/workbench/machine/reward.js";
import { splits } from "#palestra/envs/workbench/tasks.js";
import {
  firstOneEnds,
  gradeAfter,
  machines,
  plainFiles,
  signal,
  testMachines,
  workbench,
  writeTask,
} from "./machines.js";

const report = (script: string) => ({
  "tests/test.sh": `#!/bin/bash\n${script}\necho 1 > /logs/verifier/reward.txt\n`,
});

describe("a reward", () => {
  test.each([
    ['{"a": 1, "b": 0.5}', "0", { rewards: { a: 1, b: 0.5 } }],
    ["0.25", undefined, { rewards: { reward: 0.25 } }],
    ["true", undefined, { rewards: { reward: 1 } }],
    [undefined, " 1.5e-1\n", { rewards: { reward: 0.15 } }],
    [undefined, "-2", { rewards: { reward: -2 } }],
  ])("from %j and %j is parsed", (json, text, expected) => {
    expect(readReward(json, text)).toEqual(expected);
  });

  test.each([
    [undefined, undefined],
    ["", "1"],
    ["NaN", "1"],
    ['"1"', "1"],
    ["[1]", "1"],
    ["{}", "1"],
    ['{"a": "1"}', "1"],
    ["1e999", "1"],
    [undefined, ""],
    [undefined, "nan"],
    [undefined, "inf"],
    [undefined, "1e999"],
    [undefined, "0x10"],
    [undefined, "1 1"],
    [undefined, "one"],
  ])("from %j and %j is a fault", (json, text) => {
    expect(readReward(json, text)).toHaveProperty("fault");
  });

  test("of several numbers is the one with the name `reward`, or their mean", () => {
    expect(singleReward({ reward: 0.2, other: 1 })).toBe(0.2);
    expect(singleReward({ a: 0, b: 1 })).toBe(0.5);
  });

  test("counts as solved by the rules of min_reward", () => {
    expect(isEnough({ reward: 0.5 }, 0.5)).toBe(true);
    expect(isEnough({ reward: 0.4 }, 0.5)).toBe(false);
    expect(isEnough({ a: 1 }, 0)).toBe(false);
    expect(isEnough({ a: 1, b: 0 }, { a: 1, b: 0.1 })).toBe(false);
    expect(isEnough({}, undefined)).toBe(true);
  });

  test.each([
    ["mean", 2, [1, 0.5], [0.5, 0.25]],
    ["mean", 3, [0.3], [0.3]],
    ["final", 2, [1, 0.5], [0, 0.5]],
    ["mean", 1, [7], [1]],
    ["mean", 1, [-7], [0]],
  ] as const)("by the rule %s over %d stages with the rewards %j is %j", (strategy, stages, rewards, given) => {
    const tally = new Tally(stages, strategy);
    expect(rewards.map((reward, at) => tally.add(reward, at === rewards.length - 1))).toEqual(given);
  });
});

describe("a link", () => {
  test.each([
    ["/app/a", "b", true],
    ["/app/x/a", "../b", true],
    ["/app/a", "/app/b", true],
    ["/app/a", "/usr/bin/python3", true],
    ["/app/a", "/data/x", true],
    ["/app/a", "/tests/expected", false],
    ["/app/a", "../tests/expected", false],
    ["/app/a", "/usr/../tests/expected", false],
    ["/app/a", "d/../../tests/expected", false],
    ["/app/a", "/proc/1/cwd/tests", false],
    ["/app/a", "/apples", false],
    ["/app/a", "/", false],
    ["/app/a", "..", false],
    ["/app/a", "", false],
    ["/app/a", "/logs/verifier/reward.txt", false],
  ])("at %s to %j is copied: %s", (at, target, expected) => {
    expect(isKeptLink(at, target, ["/app", "/data"])).toBe(expected);
  });
});

describe("the grading machine", () => {
  testMachines(
    "has the agent's files with their modes, times and links, and not those that the agent removed",
    async () => {
      const { grade } = await gradeAfter(
        `rm given.txt; mkdir -p 'a b/ü' empty; printf 'x\\0y' > "a b/ü/new
line"; chmod 751 "a b/ü/new
line"; chmod 700 empty; ln -s 'a b' link; touch -d @1000000000 'a b/ü'; : > "$(printf 'n%.0s' {1..200})"`,
        report(
          `ls given.txt; stat -c '%a %s %Y' a*/*/*; stat -c '%a %Y' a*/ü empty; readlink link; ls link; ls -d nnn* | wc -c`,
        ),
      );
      expect(grade.output).toContain("cannot access 'given.txt'");
      expect(grade.output).toMatch(/751 3 [0-9]+\n/);
      expect(grade.output).toMatch(/755 1000000000\n700 [0-9]+\na b\nü\n201\n/);
      expect(grade).toMatchObject({ rewards: { reward: 1 }, fault: undefined, left: [] });
    },
  );

  testMachines(
    "has no pipes, sockets, outgoing links or names that are not UTF-8, and the grade reports them",
    async () => {
      const { grade } = await gradeAfter(
        `mkfifo pipe; ln -s /tests/test.sh answer.txt; ln -s / root; ln -s nowhere ok; touch $'bad\\xff'; ln given.txt hard
python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('sock')"`,
        report("ls -A; cat hard"),
      );
      expect(grade.output).toBe("given.txt\nhard\nok\ngiven\n");
      expect([...grade.left].sort()).toEqual(
        [
          "/app/answer.txt: a link to /tests/test.sh",
          "/app/bad\ufffd: a name that is not UTF-8",
          "/app/pipe: a device, pipe or socket",
          "/app/root: a link to /",
          "/app/sock: a device, pipe or socket",
        ].sort(),
      );
    },
  );

  testMachines(
    "has nothing else from the agent: no process, home folder, /tmp, environment variables or tests",
    async () => {
      const { grade } = await gradeAfter(
        `export SECRET=1 LD_PRELOAD=/app/x.so BASH_ENV=/app/x
(setsid sleep 300 &) ; touch ~/.bashrc /tmp/left /logs/verifier/left /logs/agent/left; mkdir -p /tests && touch /tests/left; chmod 000 /tests`,
        report(
          "ls -A ~ /tmp /tests /logs/verifier; env | grep -E 'SECRET|LD_|BASH_ENV'; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c '[s]leep 300'",
        ),
      );
      expect(grade.output).not.toMatch(/left|SECRET|LD_PRELOAD|BASH_ENV|bashrc/);
      expect(grade.output).toMatch(/test\.sh\n[\s\S]*\n0\n$/);
    },
  );

  testMachines("has the files of /logs/artifacts", async () => {
    const { grade } = await gradeAfter("echo kept > /logs/artifacts/x", report("cat /logs/artifacts/x"));
    expect(grade.output).toBe("kept\n");
  });

  testMachines("refuses files beyond its limits, and the reward is 0", async () => {
    const many = "mkdir many; cd many; seq 1 10500 | xargs touch";
    for (const command of [
      many,
      `d=.; for n in $(seq 70); do d=$d/d; done; mkdir -p $d`,
      "for a in {1..3}; do mkdir $a; (cd $a; seq 1 9000 | xargs touch); done",
    ]) {
      const { grade } = await gradeAfter(command, report(""));
      expect(grade).toMatchObject({ rewards: { reward: 0 }, fault: expect.stringContaining("expected fewer files") });
    }
  });

  testMachines("has only the artifacts for a separate verifier, without their excluded files", async () => {
    const { grade } = await gradeAfter(
      "echo changed > given.txt; mkdir out; touch out/a.tmp out/b out/out.log; echo x > other",
      {
        ...report("cat given.txt; ls out other"),
        "task.toml": `artifacts = ["other", {source = "/app/out", exclude = ["*.tmp"]}]\n${plainFiles["task.toml"].replace("[verifier]", '[verifier]\nenvironment_mode = "separate"').replace('schema_version = "1.4"\n', "")}`,
      },
    );
    expect(grade.output).toBe("given\nother\n\nout:\nb\nout.log\n");
  });

  testMachines("starts after the collect hook has run in the agent's machine", async () => {
    const { grade } = await gradeAfter("MARK=1; echo $$ > pid", {
      ...report("cat collected"),
      "task.toml": `${plainFiles["task.toml"]}[[verifier.collect]]\ncommand = "echo hook > collected"\n`,
    });
    expect(grade.output).toBe("hook\n");
  });

  testMachines("gives the verifier its variables", async () => {
    const text = plainFiles["task.toml"].replace("[verifier]", `[verifier]\nenv = {A = "\${B:-fallback}"}`);
    const { grade } = await gradeAfter("true", { ...report("echo $A"), "task.toml": text });
    expect(grade.output).toBe("fallback\n");
  });

  testMachines("ignores the exit code of the tests, as Harbor does", async () => {
    const { grade } = await gradeAfter("true", report("trap 'exit 3' EXIT"));
    expect(grade).toMatchObject({ rewards: { reward: 1 }, fault: undefined });
  });
});

describe("a verifier without a reward", () => {
  const breaks = (script: string) => ({
    "tests/test.sh": `#!/bin/bash\ncd /app\nif [ -e break ]; then ${script}; fi\necho 1 > /logs/verifier/reward.txt\n`,
    "task.toml": plainFiles["task.toml"].replace("timeout_sec = 20.0", "timeout_sec = 2.0"),
  });

  testMachines("because of files of the agent gives the reward 0", async () => {
    for (const [script, reason] of [
      ["exit 1", "the verifier wrote neither /logs/verifier/reward.json nor /logs/verifier/reward.txt"],
      ["echo nan > /logs/verifier/reward.txt; exit 0", "a finite number"],
      ["echo 1 > /logs/verifier/reward.txt; sleep 60", "to end within 2 s"],
      ["echo 1 > /logs/verifier/reward.txt; kill -9 $$", "a signal ended it (exit code 137)"],
      ["mkdir /logs/verifier/reward.json; exit 0", "reward.json"],
      ["head -c 200000 /dev/zero > /logs/verifier/reward.json; exit 0", "reward.json"],
    ] as const) {
      const { grade } = await gradeAfter("touch break", breaks(script));
      expect(grade).toMatchObject({ rewards: { reward: 0 }, fault: expect.stringContaining(reason) });
    }
  });

  testMachines("because the program under test ends the machine gives the reward 0", async () => {
    const { grade } = await gradeAfter(
      "touch break",
      breaks("echo 1 > /logs/verifier/reward.txt; kill -9 -1; sleep 5"),
    );
    expect(grade.rewards).toEqual({ reward: 0 });
    expect(grade.fault).toBeDefined();
  });

  testMachines("on a fresh machine either fails the episode, since the task is broken", async () => {
    await expect(
      gradeAfter("echo right > answer.txt", { "tests/test.sh": "#!/bin/bash\necho oops\n" }),
    ).rejects.toMatchObject({
      name: "VerifierBroken",
      message: expect.stringContaining("oops"),
    });
  });
});

testMachines("a program under test cannot open the memory of a parent process", async () => {
  const openable = `import os
for pid in filter(str.isdigit, os.listdir("/proc")):
    if int(pid) == os.getpid(): continue
    try: open(f"/proc/{pid}/mem", "r+b").close()
    except OSError: continue
    print(open(f"/proc/{pid}/cmdline").read())`;
  const check = `import ctypes, subprocess
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
found = subprocess.run(["python3", "-c", """${openable}"""], capture_output=True, text=True).stdout
print("open:", found)
open("/logs/verifier/reward.txt", "w").write("0" if found else "1")`;
  const files = { "tests/test.sh": "#!/bin/bash\nexec python3 -I /tests/check.py\n", "tests/check.py": check };
  expect((await gradeAfter("true", files)).grade).toMatchObject({ rewards: { reward: 1 }, output: "open: \n" });
});

describe("a machine that is lost while others are available", () => {
  testMachines("counts as ended by the agent, and the task ends without an infrastructure failure", async () => {
    const environment = workbench(firstOneEnds(), 1);
    await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
    const { terminated, reward, info } = await environment.step("bash sleep 30", signal());
    expect({ terminated, reward, fault: info.fault }).toEqual({
      terminated: true,
      reward: 0,
      fault: "the machine ended",
    });
    await environment.close();
  });
});

testMachines("an agent that ends every process continues in a new shell", async () => {
  const environment = workbench();
  await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
  await environment.step("bash touch kept; shell=old; kill -9 -1", signal());
  // The shell does not kill itself, and replies until the end of its supervisor is detected.
  let observation = "";
  do ({ observation } = await environment.step("bash ls kept; echo shell=$shell", signal()));
  while (!observation.startsWith("[The shell had ended."));
  expect(observation).toContain("kept\nshell=");
  expect(observation).not.toContain("shell=old");
  await environment.close();
});

testMachines("an episode leaves no spool and no folder of the task on this machine", async () => {
  // Other tests of this machine have spools of their own.
  const own = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`palestra-workbench-${process.pid}-`));
  const environment = workbench();
  await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
  expect((await environment.step("submit", signal())).terminated).toBe(true);
  await environment.close();
  expect(own()).toEqual([]);
  expect(existsSync("/logs/verifier")).toBe(false);
});

describe("a task of steps", () => {
  const steps = (more = "") => ({
    "task.toml": `schema_version = "1.4"\n[environment]\nnetwork_mode = "no-network"\n[[steps]]\nname = "one"\n${more}[[steps]]\nname = "two"\n`,
    "instruction.md": undefined,
    "steps/one/instruction.md": "First.\n",
    "steps/two/instruction.md": "Second.\n",
    "steps/two/workdir/setup.sh": "echo set up > setup.txt\n",
    "tests/test.sh": `#!/bin/bash\ncat /app/score > /logs/verifier/reward.txt\n`,
    "environment/app/score": "0.25\n",
  });

  testMachines("keeps the files between its steps, ends programs, and prepares each step", async () => {
    const { AgentMachine } = await import("#palestra/envs/workbench/machine/agent-machine.js");
    const { gradeStage } = await import("#palestra/envs/workbench/machine/grade.js");
    const task = await readTask(writeTask(steps()));
    const [one, two] = task.stages as [(typeof task.stages)[0], (typeof task.stages)[0]];
    const first = await AgentMachine.open(machines, task.machine, one, {}, signal());
    await first.bash("ln -s /etc/passwd out; echo 1 > score; rm given.txt; (setsid sleep 300 &)", signal());
    const { grade, spool } = await gradeStage(machines, task, one, first, signal());
    expect(grade.rewards).toEqual({ reward: 1 });
    const second = await AgentMachine.open(machines, task.machine, two, spool ? { spool } : {}, signal());
    const { stdout } = await second.bash(
      "ls; cat setup.txt; readlink out; pgrep -c sleep || ls /proc | grep -c '^[0-9]'",
      signal(),
    );
    expect(stdout).toMatch(/^out\nscore\nsetup.sh\nsetup.txt\nset up\n\/etc\/passwd\n/);
    await second.close();
    await spool?.remove();
  });

  testMachines("ends early if the reward of a step is too low", async () => {
    const task = await readTask(writeTask(steps("min_reward = 0.5\n")));
    expect(task.stages[0]?.minReward).toBe(0.5);
    expect(isEnough({ reward: 0.25 }, task.stages[0]?.minReward)).toBe(false);
  });
});

describe("an agent that makes its machine unusable gets the reward 0", () => {
  testMachines("an inaccessible working folder makes commands fail with an observation, and is graded", async () => {
    const environment = workbench();
    try {
      await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
      await environment.step("bash chmod 000 .", signal());
      const { observation } = await environment.step("python print(1)", signal());
      expect(observation).toMatch(/^The command could not be started: .+EACCES/);
      const end = await environment.step("submit", signal());
      expect(end).toMatchObject({ reward: 0, terminated: true });
    } finally {
      await environment.close();
    }
  });

  testMachines("a step whose files prevent the next step ends the task with its own reward", async () => {
    const environment = workbench();
    try {
      const task = taskOf("Write a ledger program, and extend it in a second step");
      await environment.reset({ task, seed: 0, options: {} }, signal());
      for (let action = environment.advise(); action !== "submit"; action = environment.advise())
        await environment.step(action as string, signal());
      await environment.step("bash mkdir -p kept-rules.txt/x", signal());
      const { reward, terminated, info } = await environment.step("submit", signal());
      expect({ reward, terminated }).toEqual({ reward: 0.5, terminated: true });
      expect(info.fault).toMatch(/kept-rules/);
    } finally {
      await environment.close();
    }
  });
});

function taskOf(title: string): TaskRef {
  for (const [split, { size, title: titleOf }] of Object.entries(splits))
    for (let index = 0; index < size; index++) if (titleOf(index) === title) return { split, index };
  throw new Error(`expected a task with the title ${title}`);
}
