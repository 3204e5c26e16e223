/** Tasks in Harbor's directory format: accepted fields, refused fields, and hostile directories. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readDockerfile } from "#palestra/envs/workbench/harbor/dockerfile.js";
import { isIgnored, parseIgnore } from "#palestra/envs/workbench/harbor/ignore.js";
import { specOf } from "#palestra/envs/workbench/harbor/plan.js";
import { readTask } from "#palestra/envs/workbench/harbor/task.js";
import { cpuMs } from "../../support/cpu-time.js";
import { plainFiles, writeTask } from "./machines.js";

const toml = (text: string) => ({ "task.toml": text });
const role = { network: "none", user: undefined, lifetimeMs: 1_000 } as const;

describe("a task directory", () => {
  test("of schema 1.4 is read completely", async () => {
    const task = await readTask(
      writeTask({
        "task.toml": `
schema_version = "1.4"
artifacts = ["/app/out", {source = "log.txt", exclude = ["*.tmp"]}]
colour = "red"
[task]
name = "org/name"
description = "Write an answer"
[metadata]
difficulty = "easy"
category = "text"
anything = {goes = true}
[agent]
timeout_sec = 30.5
[verifier]
timeout_sec = 7
env = {A = "\${HOME:-none}", B = "plain"}
shade = 1
[environment]
network_mode = "allowlist"
allowed_hosts = ["example.org"]
cpus = 1.5
memory_mb = 100
storage_mb = 50
env = {C = "\${X:-}"}
[solution]
env = {S = "s"}
`,
        "solution/solve.sh": "echo right > answer.txt\n",
      }),
    );
    expect(task).toMatchObject({ name: "made", title: "Write an answer", category: "text", difficulty: "easy" });
    expect(task.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(task.notes).toEqual(["ignored keys that Harbor does not know: colour, verifier.shade"]);
    const [stage] = task.stages;
    expect(stage).toMatchObject({
      name: "",
      agentMs: 30_500,
      network: { hosts: ["example.org"] },
      instruction: "Write answer.txt.\n",
    });
    expect(stage?.verifier).toMatchObject({ mode: "shared", timeoutMs: 7_000, environment: { A: "none", B: "plain" } });
    expect(stage?.verifier.artifacts.map(({ source }) => source)).toEqual(["/app/out", "log.txt"]);
    expect(stage?.solution).toMatchObject({ environment: { S: "s" } });
    expect(specOf(task.machine, role)).toMatchObject({
      limits: { cpus: 1.5, memoryMb: 100, diskMb: 50 },
      environment: { C: "" },
      folder: "/app",
      writable: ["/app", "/logs", "/tests", "/solution"],
    });
    expect(task.machine.files.map(({ to }) => to)).toEqual(["/app/given.txt"]);
  });

  test("of the oldest schema is read with its old names of fields", async () => {
    const old =
      'version = "1.0"\n[environment]\nmemory = "2G"\nstorage = "512M"\nallow_internet = false\nos = "Linux"\n';
    const task = await readTask(writeTask(toml(old)));
    expect(task.machine.limits).toEqual({ memoryMb: 2048, diskMb: 512 });
    expect(task.notes).toEqual([]);
    expect(task.stages[0]?.verifier.timeoutMs).toBe(600_000);
  });

  test("that does not state its network gets none, with a note", async () => {
    const { notes, stages } = await readTask(writeTask(toml("")));
    expect(notes.join()).toContain("Harbor would open the network");
    expect(stages[0]?.network).toBe("none");
  });

  test("keeps its digest when it is copied, and changes it with a path, a mode or a byte", async () => {
    const folder = writeTask();
    const { digest } = await readTask(folder);
    execFileSync("cp", ["-r", folder, `${folder}-copy`]);
    expect((await readTask(`${folder}-copy`)).digest).toBe(digest);
    chmodSync(join(folder, "tests/test.sh"), 0o755);
    const executable = (await readTask(folder)).digest;
    writeFileSync(join(folder, "environment/app/given.txt"), "other\n");
    const changed = (await readTask(folder)).digest;
    expect(new Set([digest, executable, changed]).size).toBe(3);
  });

  test.each([
    ["gpus", "[environment]\ngpus = 1", "environment.gpus = 0"],
    ["gpu types", '[environment]\ngpu_types = ["H100"]', "no environment.gpu_types"],
    ["a TPU", '[environment]\ntpu = {type = "v4", topology = "2x2"}', "no environment.tpu"],
    ["Windows", '[environment]\nos = "Windows"', 'environment.os = "linux", but received windows'],
    ["MCP servers", '[[environment.mcp_servers]]\nname = "x"', "no environment.mcp_servers"],
    ["skills", '[environment]\nskills_dir = "/s"', "no environment.skills_dir"],
    ["an open network", '[environment]\nnetwork_mode = "public"', "no-network or allowlist, but received public"],
    [
      "a port of this machine",
      '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["example.org", "127.0.0.1:8700"]',
      "environment.allowed_hosts without ports, but received 127.0.0.1:8700",
    ],
    [
      "a name with a port, which may lead to private addresses",
      '[verifier]\nnetwork_mode = "allowlist"\nallowed_hosts = ["rebound.example:80", "[::1]:80", "2001:db8::1:80"]',
      "verifier.allowed_hosts without ports, but received rebound.example:80, [::1]:80",
    ],
    ["the old open network", "[environment]\nallow_internet = true", "no-network or allowlist, but received public"],
    ["an open network of the verifier", '[verifier]\nnetwork_mode = "public"', "verifier.network_mode"],
    ["a variable of the gym", `[verifier]\nenv = {KEY = "\${OPENAI_API_KEY}"}`, "a default for verifier.env.KEY"],
    ["an artifact of a service", '[[artifacts]]\nsource = "/x"\nservice = "db"', "artifacts of the service main"],
    ["an artifact outside", 'artifacts = ["../x"]', "without .."],
    [
      "a hook in a service",
      '[[verifier.collect]]\ncommand = "true"\nservice = "db"',
      "verifier.collect in the service main",
    ],
    ["a long verifier", "[verifier]\ntimeout_sec = 9000", "verifier.timeout_sec up to 3600"],
    [
      "two verifier modes",
      '[verifier]\nenvironment_mode = "shared"\n[verifier.environment]',
      "only in the mode separate",
    ],
    ["a newer schema", 'schema_version = "2.0"', "a schema_version from 1.0 to 1.4, but received 2.0"],
    ["memory that does not agree", '[environment]\nmemory = "2G"\nmemory_mb = 5', "memory and memory_mb to agree"],
    ["memory without a unit", '[environment]\nmemory = "2"', "memory as 2G, 512M or 100K"],
    ["no TOML", "a = [", "task.toml in TOML"],
    ["a wrong type", '[agent]\ntimeout_sec = "long"', "a valid agent.timeout_sec"],
    ["a relative workdir", '[environment]\nworkdir = "app"', "environment.workdir as an absolute path"],
    ["a strategy without steps", 'multi_step_reward_strategy = "mean"', "only with steps"],
  ])("with %s is refused by name", async (_, text, reason) => {
    await expect(readTask(writeTask(toml(text)))).rejects.toThrow(reason);
  });

  test.each(["none", "http"] as const)("with an open network gets the chosen network: %s", async (internet) => {
    const network = internet === "http" ? { hosts: ["*"] } : "none";
    const open = '[environment]\nnetwork_mode = "public"\n[verifier]\nnetwork_mode = "no-network"';
    for (const [text, verifier] of [
      [open, "none"],
      ["[environment]\nallow_internet = true", network],
      ["", network],
    ] as const) {
      const { stages, notes } = await readTask(writeTask(toml(text)), internet);
      expect([stages[0]?.network, stages[0]?.verifier.network]).toEqual([network, verifier]);
      expect(notes.join()).toContain(internet === "http" ? "reaches public hosts" : "is closed");
    }
    const closed = await readTask(writeTask(toml('[environment]\nnetwork_mode = "no-network"')), internet);
    expect([closed.stages[0]?.network, closed.notes]).toEqual(["none", []]);
  });

  test("cannot open its network with a wildcard for all hosts", async () => {
    const text = '[environment]\nnetwork_mode = "allowlist"\nallowed_hosts = ["*"]';
    await expect(readTask(writeTask(toml(text)), "http")).rejects.toThrow("allowed_hosts that names hosts");
  });

  test("is refused with all reasons at once", async () => {
    const text = '[environment]\ngpus = 2\nos = "windows"\nnetwork_mode = "public"';
    const refusal = await readTask(writeTask({ "task.toml": text, "tests/test.sh": undefined })).catch(
      (error: unknown) => error,
    );
    expect(refusal).toMatchObject({ name: "TaskRefused", task: "made", reasons: { length: 4 } });
  });

  test.each([
    ["task.toml", "a file task.toml"],
    ["instruction.md", "a text in instruction.md"],
    ["tests/test.sh", "tests/test.sh, but received none"],
    ["environment/Dockerfile", "environment/Dockerfile or environment.docker_image"],
  ])("without %s is refused", async (path, reason) => {
    await expect(readTask(writeTask({ [path]: undefined }))).rejects.toThrow(reason);
  });

  test("with Docker Compose is refused", async () => {
    await expect(readTask(writeTask({ "environment/docker-compose.yaml": "services: {}" }))).rejects.toThrow(
      "without Docker Compose, but received environment/docker-compose.yaml",
    );
  });

  test.each(["../up", "a/b", "CON", "nul.txt", "x.", "x ", "..", "", "a\\b", "a:b", `${"x".repeat(256)}`])(
    "with a step called %j is refused",
    async (name) => {
      const text = `[[steps]]\nname = ${JSON.stringify(name)}\n`;
      await expect(readTask(writeTask(toml(text)))).rejects.toThrow("a step's name");
    },
  );

  test("with two steps whose names differ only in case is refused", async () => {
    const steps = ["One", "one"].map((name) => `[[steps]]\nname = "${name}"\n`).join("");
    await expect(readTask(writeTask(toml(steps)))).rejects.toThrow("one twice");
  });
});

describe("a hostile directory", () => {
  test.each([
    ["an absolute link", "/etc/passwd"],
    ["a relative link", "../../../../../../../../etc/passwd"],
    ["a link to a folder outside", "/etc"],
    ["a link that leads nowhere", "missing"],
  ])("with %s is refused", async (_, target) => {
    const folder = writeTask();
    symlinkSync(target, join(folder, "environment/app/link"));
    await expect(readTask(folder)).rejects.toThrow("links that lead to files of the task");
  });

  test("with a link to one of its own files has that file twice", async () => {
    const folder = writeTask();
    symlinkSync("given.txt", join(folder, "environment/app/link.txt"));
    const { machine } = await readTask(folder);
    expect(machine.files.map(({ to, size }) => [to, size])).toEqual([
      ["/app/given.txt", 6],
      ["/app/link.txt", 6],
    ]);
  });

  test("with a cycle of links is refused", async () => {
    const folder = writeTask();
    symlinkSync("b", join(folder, "environment/app/a"));
    symlinkSync("a", join(folder, "environment/app/b"));
    await expect(readTask(folder)).rejects.toThrow("links that lead to files of the task");
  });

  test("with a pipe is refused without hanging", async () => {
    const folder = writeTask();
    execFileSync("mkfifo", [join(folder, "environment/app/pipe")]);
    await expect(readTask(folder)).rejects.toThrow("files, folders, and links to files");
  });

  test("with control characters in a name is refused", async () => {
    await expect(readTask(writeTask({ "environment/app/a\nb": "x" }))).rejects.toThrow("without control characters");
  });

  test("with endless folders is refused", async () => {
    const folder = writeTask();
    mkdirSync(join(folder, "environment", ...Array.from({ length: 40 }, () => "d")), { recursive: true });
    await expect(readTask(folder)).rejects.toThrow("folders at most 32 deep");
  });
});

describe("a Dockerfile", () => {
  const plain =
    "# syntax of ours\nFROM palestra-base:1\nWORKDIR /app\nENV A=1 B=\"two words\" \\\n  C='3'\nCOPY a b/ ./sub/\nCOPY . .\nWORKDIR more\n";

  test("of plain instructions needs no build", () => {
    expect(readDockerfile(plain)).toEqual({
      workdir: "/app/more",
      environment: { A: "1", B: "two words", C: "3" },
      copies: [
        { sources: ["a", "b/"], destination: "/app/sub/" },
        { sources: ["."], destination: "/app/" },
      ],
    });
  });

  test.each([
    ["RUN true", "line 2 has RUN"],
    ["USER x", "line 2 has USER"],
    ["COPY --from=x a b", "COPY with --from=x"],
    ["COPY *.txt /app/", "COPY with *.txt"],
    ["COPY $A /app/", "COPY with $A"],
    ["COPY ../a /app/", "copies ../a"],
    ['COPY ["a", "b"]', "COPY with ["],
    ["ENV A $B", "has ENV A $B"],
    ["ADD a b", "line 2 has ADD"],
  ])("with %s needs a build", (line, reason) => {
    expect(readDockerfile(`FROM palestra-base:1\n${line}\n`)).toEqual({ needsBuild: expect.stringContaining(reason) });
  });

  test.each(["FROM debian:12\n", "FROM palestra-base:1 AS x\n", "ARG X\nFROM palestra-base:1\n", ""])(
    "with the text %j needs a build",
    (text) => {
      expect(readDockerfile(text)).toHaveProperty("needsBuild");
    },
  );

  test.each([
    ["COPY app/ /etc/\n", "it works in /etc"],
    ["COPY none /app/\n", "which is not there"],
    ["WORKDIR /usr/src\n", "it works in /usr"],
  ])("with %j needs an image", async (line, reason) => {
    const { machine } = await readTask(
      writeTask({ "environment/Dockerfile": `FROM palestra-base:1\nWORKDIR /app\n${line}` }),
    );
    expect(machine.needsImage).toContain(reason);
    expect(specOf(machine, role)).toMatchObject({
      image: { folder: expect.stringMatching(/environment$/) },
      root: "writable",
      user: "root",
    });
  });

  test("is ignored if an image is named", async () => {
    const { machine } = await readTask(
      writeTask(toml('[environment]\ndocker_image = "python:3.12"\nworkdir = "/srv"\n')),
    );
    expect(specOf(machine, role)).toMatchObject({ image: "python:3.12", folder: "/srv", user: "root" });
  });
});

describe(".harborignore", () => {
  const ignores = [
    parseIgnore("tests", "# no\n*.tmp\n/top\nsub/\n!keep.tmp\ndeep/**/x\n[ab].txt\n"),
    parseIgnore("tests/in", "own\n"),
  ];

  test.each([
    ["tests/a.tmp", true],
    ["tests/x/a.tmp", true],
    ["tests/keep.tmp", false],
    ["tests/top", true],
    ["tests/x/top", false],
    ["tests/sub/file", true],
    ["tests/sub/keep.tmp", true],
    ["tests/sub", false],
    ["tests/deep/x", true],
    ["tests/deep/1/2/x", true],
    ["tests/a.txt", true],
    ["tests/c.txt", false],
    ["tests/in/own", true],
    ["tests/own", false],
    ["tests/.harborignore", true],
    ["solution/a.tmp", false],
  ])("%s: %s", (path, ignored) => {
    expect(isIgnored(path, ignores)).toBe(ignored);
  });

  test("accepts invalid patterns among valid ones, and an invalid one matches nothing", () => {
    const odd = [parseIgnore("tests", "[z-a]\n[\n*.tmp\n")];
    expect(["tests/z", "tests/[", "tests/a.tmp"].map((path) => isIgnored(path, odd))).toEqual([false, true, true]);
  });

  test("is evaluated quickly for any patterns", () => {
    const slow = [parseIgnore("tests", `${"**/".repeat(40)}x\n`)];
    const evaluate = () => {
      expect(isIgnored(`tests/${"a/".repeat(40)}y`, slow)).toBe(false);
      expect(isIgnored(`tests/${"a/".repeat(40)}x`, slow)).toBe(true);
    };
    expect(cpuMs(evaluate)).toBeLessThan(5_000);
  });

  test("leaves files of the tests out, and a missing test.sh is refused", async () => {
    const { stages } = await readTask(writeTask({ "tests/notes.md": "x", "tests/.harborignore": "*.md\n" }));
    expect(stages[0]?.verifier.tests.map(({ path }) => path)).toEqual(["test.sh"]);
    await expect(readTask(writeTask({ "tests/.harborignore": "*\n" }))).rejects.toThrow("tests/test.sh");
  });
});

test("a step has the tests of the task, overridden by its own", async () => {
  const { stages } = await readTask(
    writeTask({
      "task.toml": '[[steps]]\nname = "one"\nmin_reward = 0.5\n[[steps]]\nname = "two"\n',
      "steps/one/instruction.md": "One.",
      "steps/two/instruction.md": "Two.",
      "steps/two/tests/test.sh": "two",
      "steps/two/workdir/setup.sh": "true",
      "tests/shared.py": "x",
    }),
  );
  expect(stages.map(({ name, minReward }) => [name, minReward])).toEqual([
    ["one", 0.5],
    ["two", undefined],
  ]);
  const sizes = stages.map(({ verifier }) => Object.fromEntries(verifier.tests.map(({ path, size }) => [path, size])));
  expect(sizes).toEqual([
    { "test.sh": plainFiles["tests/test.sh"].length, "shared.py": 1 },
    { "test.sh": 3, "shared.py": 1 },
  ]);
  expect(stages[1]?.workdirFiles.map(({ path }) => path)).toEqual(["setup.sh"]);
});

test("the folders of declared artifacts are writable, and a system folder among them needs an image", async () => {
  const declared = (paths: string) =>
    toml(`artifacts = ${paths}\n${plainFiles["task.toml"].replace(/^schema.*\n/, "")}`);
  const { machine } = await readTask(writeTask(declared('["/out/answer.txt", "x", "/logs/artifacts/y", "/tmp/z"]')));
  expect(specOf(machine, role).writable).toEqual(["/app", "/out", "/logs", "/tests", "/solution"]);
  const { machine: other } = await readTask(writeTask(declared('["/etc/motd"]')));
  expect(other.needsImage).toContain("it works in /etc");
});
