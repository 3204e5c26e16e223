/** The tools `python` and `shell` in real sandboxes. */
import { describe, expect, onTestFinished, test } from "vitest";
import { Registry } from "#palestra/envs/registry.js";
import { pythonKit, shellKit } from "#palestra/envs/shared/tools/machine-tools.js";
import type { ToolKit, ToolSession } from "#palestra/envs/shared/tools/tool-kit.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { openSandboxes } from "#palestra/server/hosts/sandboxes.js";
import { eventually } from "../../../support/gym.js";
import { processesWith, testProcess } from "../../../support/processes.js";
import { file, ownGym, played, sums } from "../../custom/support.js";

const { signal } = new AbortController();
/** Long enough for ordinary programs on a busy machine. */
const timeoutMs = 20_000;
const settings = { sandboxes: { provider: "process" as const } };

function opened(kit: ToolKit): ToolSession {
  const sandboxes = openSandboxes(loadConfig({ env: {}, flags: settings }));
  const session = kit.open({ sandboxes });
  onTestFinished(async () => {
    await session.close();
    await sandboxes.close();
  });
  return session;
}

function python(ms = timeoutMs) {
  const session = opened(pythonKit({ timeoutMs: ms }));
  return (code: string) => session.call("python", { code }, signal);
}

function shell(ms = timeoutMs) {
  const session = opened(shellKit({ timeoutMs: ms }));
  return { run: (command: string) => session.call("shell", { command }, signal), session };
}

describe("python", () => {
  testProcess("shows the output and the exit of a program", async () => {
    const run = python();
    expect(await run("print(6 * 7)")).toEqual({ text: "42" });
    expect(await run("x = 1")).toEqual({ text: "Nothing was printed." });
    expect(await run("import sys\nprint('a')\nsys.exit(3)")).toEqual({ text: "a\n[exit code 3]", isError: true });
    const { text, isError } = await run("1 / 0");
    expect([text, isError]).toEqual([expect.stringMatching(/ZeroDivisionError.*\n\[exit code 1\]$/s), true]);
  });

  testProcess("removes the code fence of a program", async () => {
    const run = python();
    expect(await run("```python\nprint(1)\nprint('```')\n```")).toEqual({ text: "1\n```" });
    expect(await run("```\r\nprint(2)\n```\n")).toEqual({ text: "2" });
    expect(await run("print('''\n```\n3\n```\n''')")).toEqual({ text: "\n```\n3\n```" });
  });

  testProcess("ends a program that takes too long, with all its children", async () => {
    const mark = `31${process.pid}.25`;
    const { text, isError } = await python(5_000)(
      `import subprocess\nprint('start', flush=True)\nsubprocess.run(['sleep', '${mark}'])`,
    );
    expect([text, isError]).toEqual(["start\n[ended after 5000 ms]", true]);
    await eventually(() => processesWith(mark).length === 0);
  });

  testProcess("cuts long output and limits memory, processes and disk", async () => {
    const run = python();
    const { text } = await run("print('x' * 10_000_000)");
    expect(text).toMatch(/^x{10000}\n\[\.\.\. \d+ characters left out \.\.\.\]\nx{10000}\n\[some of the output was/);
    expect(await run("x = bytearray(2 * 10 ** 9)\nx[::4096] = b'1' * len(x[::4096])")).toMatchObject({ isError: true });
    const bomb = "import os, time\nn = 0\ntry:\n  while True:\n    if os.fork() == 0: time.sleep(60)\n    n += 1\n";
    const forks = await run(`${bomb}finally:\n  print(n, flush=True)\n  os.kill(0, 9)`);
    expect(Number(/^\d+$/m.exec(forks.text)?.[0])).toBeLessThan(64);
    expect((await run("with open('big', 'w') as big:\n  for _ in range(200): big.write('x' * 10 ** 6)")).text).toMatch(
      /No space left/,
    );
  });

  testProcess("has no network, and keeps no state between calls", async () => {
    const run = python();
    expect(await run("open('kept', 'w').write('x')\nprint('written')")).toEqual({ text: "written" });
    expect(await run("import os\nprint(os.path.exists('kept'))")).toEqual({ text: "False" });
    const connect = "import socket\nsocket.create_connection(('192.0.2.1', 80), 1)";
    expect((await run(connect)).text).toMatch(/Network is unreachable/);
  });
});

describe("shell", () => {
  testProcess("keeps files between commands", async () => {
    const { run } = shell();
    expect(await run("echo one > a; mkdir b")).toEqual({ text: "Nothing was printed." });
    expect(await run("```bash\ncat a\nls -d b\n```")).toEqual({ text: "one\nb" });
    expect(await run("echo out; echo err >&2; false")).toEqual({ text: "out\nerr\n[exit code 1]", isError: true });
  });

  testProcess("reruns missed commands, including those that timed out", async () => {
    const { run, session } = shell(5_000);
    for (const command of ["echo one >> a", "echo two >> a; sleep 600; echo never >> a", "echo three >> a"])
      session.missed?.("shell", { command });
    expect(await run("cat a")).toEqual({ text: "one\ntwo\nthree" });
    // Missed commands rerun only once, and not before each command.
    expect(await run("cat a")).toEqual({ text: "one\ntwo\nthree" });
  });

  testProcess(
    "is restored with its episode after a restart of the gym",
    async () => {
      const definition = { tools: [{ shell: { timeoutMs: 5_000 } }, { python: { timeoutMs } }] };
      const gym = await ownGym(definition, settings);
      const { episodeId, replies } = await played(gym, [
        "shell echo $RANDOM$(date +%s%N) > a; cat a",
        "shell echo two >> b; sleep 600",
        "python\n```python\nfor n in range(2):\n  print(n)\n```",
      ]);
      expect(replies[1]?.observation).toBe("[ended after 5000 ms]");
      expect(replies[2]?.observation).toBe("0\n1");
      const before = await gym.text("transcript", { episodeId });
      const next = await gym.restart();
      expect(await next.text("transcript", { episodeId })).toBe(before);
      const { observation } = await next.call("step", { episodeId, index: 3, action: "shell cat b; ls" });
      expect(observation).toBe("two\na\nb");
    },
    240_000,
  );
});

test("the deadline of a shell's step includes its earlier commands, up to an hour", async () => {
  const deadlineOf = async (maxSteps: number) => {
    const tasks = file("tasks.jsonl", sums);
    const entry = { id: "own", tasks, maxSteps, tools: [{ shell: { timeoutMs: 60_000 } }] };
    return (await Registry.load([JSON.stringify(entry)], "added")).get("own");
  };
  expect(await deadlineOf(30)).toMatchObject({ deadlineMs: 3 * 60_000 + 30 * 60_000 + 30_000 });
  expect(await deadlineOf(1_000)).toMatchObject({ deadlineMs: 3 * 60_000 + 3_600_000 + 30_000 });
});
