/** Actions as text and as tool calls: all commands and contents arrive letter for letter. */
import { describe, expect, test } from "vitest";
import { type Action, actionText, parseAction } from "#palestra/envs/workbench/actions.js";
import workbench from "#palestra/envs/workbench/index.js";
import { mostShown, shortened } from "#palestra/envs/workbench/observations.js";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { workbench as open, signal, testMachines } from "./machines.js";

const tools = workbench.tools ?? [];

const texts = [
  "ls -la",
  "cat <<'END'\n{command} $HOME `x` \"quoted\" 'single' \\n \\\\ \t tab\nEND\n",
  "\n leading and trailing \n\n",
  'grep "</tool_call>" file; echo "<tool_call>"',
  '{"name": "bash", "arguments": {"command": "ls"}}',
  "submit",
  "übergrößer ✓ 🦜 \u2028 \u0085",
  "$& $1 $$ {path}\n{content}",
  "line\r\nline\r\n",
  "read_file x\nwrite_file y\nz",
];

const actions: Action[] = [
  ...texts.flatMap((text): Action[] => [
    { tool: "bash", command: text },
    { tool: "python", code: text },
    { tool: "write_file", path: "a b/ü {content}.txt", content: text },
  ]),
  { tool: "write_file", path: "empty", content: "" },
  { tool: "write_file", path: "x", content: "\n" },
  { tool: "read_file", path: "a 'quoted' \"path\" " },
  { tool: "submit" },
];

describe("the text of an action", () => {
  test.each(actions.map((action) => [JSON.stringify(action), action] as const))("%s is parsed back", (_, action) => {
    expect(parseAction(actionText(action))).toEqual(action);
  });

  test.each([
    ["bash ls -la", { tool: "bash", command: "ls -la" }],
    ["bash  ls", { tool: "bash", command: " ls" }],
    ["submit \n", { tool: "submit" }],
    ["write_file a\n", { tool: "write_file", path: "a", content: "" }],
  ])("%j has a short form", (text, action) => {
    expect(parseAction(text)).toEqual(action);
  });

  test.each([
    ["", "one of bash COMMAND, python CODE"],
    ["ls", 'received "ls"'],
    ["Bash ls", "one of"],
    ["bashls", "one of"],
    ["bash", "a command after bash"],
    ["bash \n ", "a command after bash"],
    ["bash a\0b", "without NUL"],
    ["python", "code after python"],
    ["read_file", "one path after read_file"],
    ["read_file a\nb", "one path after read_file"],
    ["write_file a", "the content from the next line on"],
    ["write_file \nx", "one path after write_file"],
    ["submit now", "one of"],
  ])("%j is refused, and the observation states the expected format", (text, observation) => {
    expect(parseAction(text)).toEqual({ tool: "none", observation: expect.stringContaining(observation) });
  });
});

describe.each(["tool_call", "code"])("a call in the format %s", (name) => {
  const { read, write } = actionFormat(name);

  test.each(actions.map((action) => [JSON.stringify(action), actionText(action)] as const))(
    "gives the action %s",
    (_, text) => {
      const written = write(text, tools);
      expect(written).toBeDefined();
      expect(read(written as string, tools)).toEqual({ action: text });
    },
  );
});

test("a path of two lines is refused before it is sent, since it would move a line into the content", () => {
  const { read } = actionFormat("tool_call");
  const call = JSON.stringify({ name: "write_file", arguments: { path: "a\nb", content: "c" } });
  expect(read(`<tool_call>${call}</tool_call>`, tools)).toEqual({
    refusal: expect.stringContaining("must match pattern"),
  });
});

test("two calls are read as two calls, whatever their arguments", () => {
  const { read, write } = actionFormat("tool_call");
  const one = write("bash echo '</tool_call>'", tools);
  expect(read(`${one}\n${one}`, tools)).toEqual({ refusal: expect.stringContaining("but received 2") });
});

test("a long output is shown with its start, its end, and the length of the omitted part", () => {
  const text = `${"a".repeat(mostShown)}${"b".repeat(100)}`;
  const shown = shortened(text);
  expect(shown).toContain("\n[100 characters left out]\n");
  expect(shown.startsWith("aaa") && shown.endsWith("bbb")).toBe(true);
});

describe("in a machine", () => {
  const session = async (...given: string[]) => {
    const environment = open();
    try {
      await environment.reset({ task: { split: "train", index: 0 }, seed: 0, options: {} }, signal());
      const observations: string[] = [];
      for (const action of given) observations.push((await environment.step(action, signal())).observation);
      return observations;
    } finally {
      await environment.close();
    }
  };

  testMachines("bash keeps its folder and variables, and the end of a shell is reported", async () => {
    expect(
      await session("bash cd /tmp && X=7", "bash echo $X $(pwd)", "bash pwd; exit 4", "bash pwd; echo $X; false"),
    ).toEqual([
      "exit code: 0",
      "exit code: 0\nstdout:\n7 /tmp",
      "exit code: 4\nstdout:\n/tmp",
      "[The shell had ended. This is a new one, in the working folder.]\nexit code: 1\nstdout:\n/app\n",
    ]);
  });

  testMachines("files and programs are written and read letter for letter", async () => {
    const content = texts.join("\u0001");
    const [wrote, read, ran] = await session(
      actionText({ tool: "write_file", path: "new/a b.txt", content }),
      "read_file new/a b.txt",
      actionText({ tool: "python", code: "import sys\nprint('out')\nprint('err', file=sys.stderr)\nsys.exit(3)\n" }),
    );
    expect(wrote).toBe(`Wrote ${Buffer.byteLength(content)} bytes to new/a b.txt.`);
    expect(read).toBe(content);
    expect(ran).toBe("exit code: 3\nstdout:\nout\nstderr:\nerr");
  });

  testMachines("file errors are observations", async () => {
    const [none, folder, readOnly, large, binary] = await session(
      "read_file none",
      "read_file /app",
      "write_file /usr/x\ny",
      "bash head -c 2000000 /dev/zero > large",
      "bash printf 'a\\0b' > binary",
    );
    expect(none).toBe("Expected a file at none, but there is none.");
    expect(folder).toContain("that can be opened");
    expect(readOnly).toContain("that can be opened");
    expect([large, binary]).toEqual(["exit code: 0", "exit code: 0"]);
    const [, tooLarge] = await session("bash head -c 2000000 /dev/zero > large", "read_file large");
    expect(tooLarge).toContain("Read a part of it with bash");
    const [, notText] = await session("bash printf 'a\\0b' > binary", "read_file binary");
    expect(notText).toBe("binary is not text: it has 3 bytes.");
  });

  testMachines("endless output is limited, and the omitted part is reported", async () => {
    const [observation = ""] = await session("bash yes | head -c 5000000");
    expect(observation.length).toBeLessThan(mostShown + 500);
    expect(observation).toContain("[Output beyond 65536 bytes was dropped.]");
  });
});
