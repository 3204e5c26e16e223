/** A model behind an OpenAI-compatible server plays a workbench task through /v1 with function calls. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import { testMachines } from "../envs/workbench/machines.js";
import { root } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";
import { serveChat } from "../trainer/support/chat-server.js";

const counting = `import collections
counts = collections.Counter(line.split('"')[2].split()[0] for line in open("access.log"))
with open("summary.txt", "w") as file:
    for status in sorted(counts):
        file.write(f"{status} {counts[status]}\\n")
print("</tool_call> counted", sum(counts.values()))
`;

/** Tool calls of the model by turn. */
const calls: [string, Record<string, string>][] = [
  ["bash", { command: "cd /tmp\nls /app | head -3" }],
  ["bash", { command: "pwd; wc -l < /app/access.log; ls /tests | wc -l" }],
  ["read_file", { path: "missing.txt" }],
  ["write_file", { path: "tools/count.py", content: counting }],
  ["bash", { command: "cd /app && python3 tools/count.py" }],
  ["python", { code: 'print(open("summary.txt").read(), end="")' }],
  ["submit", {}],
];

async function evaluate(...args: string[]) {
  const command = [
    join(root, "dist/server/program/cli.js"),
    "eval",
    "--env",
    "workbench",
    "--split",
    "train",
    "--tasks",
    "0",
    ...args,
  ];
  await promisify(execFile)(process.execPath, command, { env: process.env });
}

function recordOf(directory: string): EpisodeRecord {
  const [, line = ""] = readFileSync(join(directory, "episodes.jsonl"), "utf8").trimEnd().split("\n");
  return JSON.parse(line) as EpisodeRecord;
}

testMachines(
  "an agent solves a task by function calls, and the transcript has each command and its output",
  async () => {
    const { url } = await serve();
    const model = await serveChat({
      say({ messages }) {
        const turn = messages.filter(({ role }) => role === "assistant").length;
        const [name, given] = calls[turn] ?? ["submit", {}];
        const call = { id: `call_${turn}`, type: "function", function: { name, arguments: JSON.stringify(given) } };
        return { content: null, tool_calls: [call] };
      },
    });
    const out = scratch();
    await evaluate("--policy", `openai:${model.url}#m`, "--format", "tool_call", "--gym", url, "--out", out);

    expect(model.requests[0]?.tools).toMatchObject(
      ["bash", "python", "read_file", "write_file", "submit"].map((name) => ({ function: { name } })),
    );
    const { solved, score, turns, opening } = recordOf(out);
    expect({ solved, score }).toEqual({ solved: true, score: 1 });
    expect(opening).toContain("The working folder is /app.");
    expect(turns.map(({ action, observation, reward }) => [action, observation, reward])).toEqual([
      ["bash cd /tmp\nls /app | head -3", "exit code: 0\nstdout:\naccess.log", 0],
      ["bash pwd; wc -l < /app/access.log; ls /tests | wc -l", "exit code: 0\nstdout:\n/tmp\n400\n0", 0],
      ["read_file missing.txt", "Expected a file at missing.txt, but there is none.", 0],
      [`write_file tools/count.py\n${counting}`, `Wrote ${counting.length} bytes to tools/count.py.`, 0],
      ["bash cd /app && python3 tools/count.py", "exit code: 0\nstdout:\n</tool_call> counted 400", 0],
      [
        'python print(open("summary.txt").read(), end="")',
        expect.stringMatching(/^exit code: 0\nstdout:\n200 [0-9]+\n304 /),
        0,
      ],
      ["submit", "The work was handed in. The task is over.", 1],
    ]);
    // The model gets each output as the result of its call.
    const answers = model.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(answers.map(({ content }) => content)).toEqual(turns.slice(0, -1).map(({ observation }) => observation));
  },
  120_000,
);

testMachines(
  "the gym's expert plays the solution in every format that does not change text",
  async () => {
    const { url } = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
    for (const format of ["react", "plain", "tool_call", "code"]) {
      const out = scratch();
      await evaluate("--policy", "expert", "--format", format, "--gym", url, "--out", out);
      const { solved, turns } = recordOf(out);
      expect({ format, solved }).toEqual({ format, solved: true });
      expect(turns.map(({ action }) => action?.slice(0, 16))).toEqual([
        "bash mkdir -p '/",
        "bash chmod +x /s",
        "submit",
      ]);
    }
  },
  120_000,
);
