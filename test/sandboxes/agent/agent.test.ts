/** The agent of every sandbox, run as a process of this machine over its pipes. */
import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { AgentClient, type AgentCommand } from "#palestra/sandboxes/agent/agent-client.js";
import { agentProgram } from "#palestra/sandboxes/agent/program.js";
import { eventually } from "../../support/gym.js";
import { processesWith } from "../../support/processes.js";

const folder = mkdtempSync(join(tmpdir(), "palestra-agent-"));
const program = await agentProgram().catch((error: Error) => error);
beforeEach((context) => {
  if (program instanceof Error) context.skip(program.message);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type AgentProcess = ChildProcessByStdio<Writable, Readable, null>;

interface RunningAgent {
  agent: AgentClient;
  process: AgentProcess;
}

async function startAgent(): Promise<RunningAgent> {
  const child = spawn(program as string, { cwd: folder, stdio: ["pipe", "pipe", "inherit"], detached: true });
  onTestFinished(() => void child.kill("SIGKILL"));
  const agent = new AgentClient({ input: child.stdin, output: child.stdout }, "agent");
  await agent.ready;
  return { agent, process: child };
}

const ordinary: AgentCommand = {
  argv: [],
  environment: ["PATH=/usr/bin:/bin"],
  folder: "",
  user: "",
  timeoutMs: 20_000,
  maxOutputBytes: 2 ** 20,
  hasInput: false,
};

function run({ agent }: RunningAgent, line: string, change: Partial<AgentCommand> = {}) {
  return agent.start({ ...ordinary, argv: ["sh", "-c", line], ...change }).end;
}

describe("a command", () => {
  test("a request larger than the agent accepts is refused, and the agent keeps running", async () => {
    const agent = await startAgent();
    for (const change of [{ argv: ["true", "x".repeat(2 ** 23)] }, { environment: [`A=${"x".repeat(2 ** 23)}`] }])
      await expect(agent.agent.start({ ...ordinary, argv: ["true"], ...change }).end).rejects.toMatchObject({
        code: "REFUSED",
        message: expect.stringMatching(/at most 8388603 bytes.*Pass it as a file/),
      });
    await expect(agent.agent.readFile("x".repeat(2 ** 23), "", 1)).rejects.toMatchObject({ code: "REFUSED" });
    expect((await run(agent, "echo on")).stdout.toString()).toBe("on\n");
  });

  test("a request of the largest accepted size reaches the kernel, which refuses it", async () => {
    const agent = await startAgent();
    // Together with the rest of the request, these bytes reach the largest accepted size.
    const argument = "x".repeat(2 ** 23 - 5 - 13 - 8 - 8 - 4 - "PATH=/usr/bin:/bin".length - 4 - 4);
    await expect(agent.agent.start({ ...ordinary, argv: [argument] }).end).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringMatching(/a program that can be run/),
    });
    expect((await run(agent, "echo on")).stdout.toString()).toBe("on\n");
  });

  test("a command returns its exit code and both outputs", async () => {
    const agent = await startAgent();
    const end = await run(agent, "echo out; echo err >&2; exit 3");
    expect({ ...end, stdout: `${end.stdout}`, stderr: `${end.stderr}` }).toEqual({
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
      isCut: false,
      isTimedOut: false,
    });
  });

  test("a command ended by a signal returns 128 plus the signal's number", async () => {
    expect((await run(await startAgent(), "kill -KILL $$")).exitCode).toBe(137);
  });

  test("a command gets exactly its arguments, environment and folder", async () => {
    const agent = await startAgent();
    const argv = ["/usr/bin/env", "sh", "-c", 'printf "%s|" "$@" "$A" "$PWD"; env | sort', "x", "a b", "", "ü\n'"];
    const { stdout } = await agent.agent.start({
      ...ordinary,
      argv,
      environment: ["PATH=/bin", "A= b "],
      folder: "/usr",
    }).end;
    expect(`${stdout}`).toMatch(/^a b\|\|ü\n'\| b \|\/usr\|A= b \n/);
    expect(`${stdout}`).not.toMatch(/VITEST/);
  });

  test("a command reads all of its input, or none if none is given", async () => {
    const agent = await startAgent();
    expect(`${(await run(agent, "cat; echo done")).stdout}`).toBe("done\n");
    const command = agent.agent.start({ ...ordinary, argv: ["sh", "-c", "sha256sum"], hasInput: true });
    const bytes = Buffer.alloc(5_000_000, "palestra ");
    await command.give(bytes);
    await command.give(new Uint8Array(0));
    const sum = execFileSync("sha256sum", { input: bytes, encoding: "utf8" });
    expect(`${(await command.end).stdout}`).toBe(sum);
  });

  test("a command that does not read its input ends", async () => {
    const command = (await startAgent()).agent.start({ ...ordinary, argv: ["true"], hasInput: true });
    await command.give(Buffer.alloc(3_000_000));
    expect((await command.end).exitCode).toBe(0);
  });

  test.each([
    ["a missing program", { argv: ["nowhere"] }, /program.+ENOENT for nowhere/],
    ["a file that is not executable", { argv: ["/etc/passwd"] }, /program.+EACCES/],
    ["a missing folder", { argv: ["true"], folder: "/nowhere" }, /folder.+ENOENT/],
    ["an unknown user", { argv: ["true"], user: "nobody-of-that-name" }, /user.+ENOENT/],
    ["no program", { argv: [] }, /EPROTO/],
  ])("a command with %s is refused", async (_, change, words) => {
    const { agent } = await startAgent();
    await expect(agent.start({ ...ordinary, ...change }).end).rejects.toMatchObject({
      code: "REFUSED",
      message: expect.stringMatching(words),
    });
    expect((await run({ agent } as RunningAgent, "echo on")).exitCode).toBe(0);
  });

  test("a command runs as the given user with the user's groups and home", async () => {
    if (process.getuid?.() !== 0) return;
    const agent = await startAgent();
    const { stdout } = await run(agent, "id -u; id -g; echo $HOME", { user: "daemon" });
    expect(`${stdout}`).toBe("1\n1\n/usr/sbin\n");
    expect(`${(await run(agent, "id -u; id -g", { user: "1234:77" })).stdout}`).toBe("1234\n77\n");
  });

  test("a command with much output ends, and the output is cut at its limit", async () => {
    const end = await run(await startAgent(), "head -c 1000000000 /dev/zero; echo x >&2", { maxOutputBytes: 1000 });
    expect([end.stdout.length, `${end.stderr}`, end.isCut, end.exitCode]).toEqual([1000, "x\n", true, 0]);
  });

  test("a hundred commands run at the same time", async () => {
    const agent = await startAgent();
    const ends = await Promise.all(Array.from({ length: 100 }, (_, i) => run(agent, `sleep 0.2; echo ${i}`)));
    expect(ends.map(({ stdout }) => `${stdout}`)).toEqual(ends.map((_, i) => `${i}\n`));
  });
});

describe("a timeout", () => {
  test.each([
    ["a command", "sleep 1000.MARK"],
    ["its children", "sleep 1000.MARK & sleep 1000.MARK; wait"],
    ["processes that ignore SIGTERM", 'trap "" TERM; sleep 1000.MARK & while :; do sleep 1000.MARK; done'],
    ["processes in a session of their own", "setsid sleep 1000.MARK & setsid -f sleep 1000.MARK; sleep 1000"],
    ["processes that have forked away twice", "(setsid sh -c 'sleep 1000.MARK & exec sleep 1000.MARK' &) ; sleep 1000"],
  ])("a timeout ends %s", async (_, line) => {
    const agent = await startAgent();
    const mark = `${Math.floor(Math.random() * 1e9)}`;
    const end = await run(agent, line.replaceAll("MARK", mark), { timeoutMs: 300 });
    expect(end.isTimedOut).toBe(true);
    await eventually(() => processesWith(`1000.${mark}`).length === 0);
    expect(`${(await run(agent, "echo on")).stdout}`).toBe("on\n");
  });

  test("a timeout ends no other command and no background process of an earlier one", async () => {
    const agent = await startAgent();
    const mark = `${Math.floor(Math.random() * 1e9)}`;
    const left = await run(agent, `sleep 5.${mark} & echo left`);
    expect(`${left.stdout}`).toBe("left\n");
    const other = run(agent, "sleep 1; echo other");
    expect((await run(agent, "sleep 1000", { timeoutMs: 200 })).isTimedOut).toBe(true);
    expect(`${(await other).stdout}`).toBe("other\n");
    expect(processesWith(`5.${mark}`)).toHaveLength(1);
  });

  test("a kill ends the same processes, and the exit code shows it", async () => {
    const { agent } = await startAgent();
    const command = agent.start({ ...ordinary, argv: ["sleep", "1000"], timeoutMs: 0 });
    command.kill();
    expect(await command.end).toMatchObject({ exitCode: 143, isTimedOut: false });
  });
});

describe("the agent", () => {
  test("an agent whose host disconnects ends all processes", async () => {
    const agent = await startAgent();
    const mark = `${Math.floor(Math.random() * 1e9)}`;
    await run(agent, `setsid -f sleep 1000.${mark}`);
    expect(processesWith(`1000.${mark}`)).toHaveLength(1);
    agent.process.stdin.end();
    await eventually(() => processesWith(`1000.${mark}`).length === 0 && agent.process.exitCode === 0);
  });

  test("requests to a killed agent fail as LOST", async () => {
    const agent = await startAgent();
    const end = run(agent, "sleep 1000");
    agent.process.kill("SIGKILL");
    await expect(end).rejects.toMatchObject({ code: "LOST" });
    await expect(run(agent, "true")).rejects.toMatchObject({ code: "LOST" });
  });

  test("the agent ends the remaining processes of a command that has killed its supervisor", async () => {
    const agent = await startAgent();
    const mark = `${Math.floor(Math.random() * 1e9)}`;
    const end = await run(agent, `setsid -f sleep 1000.${mark}; kill -KILL $PPID; sleep 1000.${mark}`);
    expect(end.exitCode).toBe(137);
    await eventually(() => processesWith(`1000.${mark}`).length === 0);
    expect(`${(await run(agent, "echo on")).stdout}`).toBe("on\n");
  });
});

describe("files", () => {
  test("small and large files are read back as written", async () => {
    const { agent } = await startAgent();
    for (const size of [0, 1, 65_536, 3_000_001]) {
      const data = Buffer.from(Array.from({ length: size }, (_, i) => (i * i) % 256));
      const path = join(folder, `deep/er/${size}`);
      await agent.writeFile(path, "", data);
      expect((await agent.readFile(path, "", 4_000_000)).bytes.equals(data)).toBe(true);
      const { bytes } = await agent.stat(path, "");
      expect(`${bytes}`).toMatch(new RegExp(`^f ${size} 644 [0-9]+ \0$`));
    }
    const listed = `${(await agent.list(join(folder, "deep/er"), "", 10)).bytes}`.split("\0").filter(Boolean);
    expect(listed.map((line) => line.split(" ")[4]).sort()).toEqual(["0", "1", "3000001", "65536"]);
  });

  test("files and lists are cut at the requested length", async () => {
    const { agent } = await startAgent();
    const { bytes, isCut } = await agent.readFile("/dev/../proc/self/status", "", 10);
    expect([bytes.length, isCut]).toEqual([10, true]);
    await agent.writeFile(join(folder, "ten"), "", Buffer.alloc(10));
    expect(await agent.readFile(join(folder, "ten"), "", 10)).toMatchObject({ isCut: false });
    expect(await agent.list("/proc", "", 3)).toMatchObject({ isCut: true });
  });

  test.each([
    ["read", "/nowhere", "NO_FILE"],
    ["read", "/etc/passwd/x", "NO_FILE"],
    ["read", "/etc", "REFUSED"],
    ["read", "/dev/zero", "REFUSED"],
    ["write", "/proc/nowhere/file", "NO_FILE"],
    ["write", "/etc", "REFUSED"],
    ["list", "/nowhere", "NO_FILE"],
    ["stat", "/nowhere", "NO_FILE"],
  ])("%s of %s is refused with %s", async (call, path, code) => {
    const { agent } = await startAgent();
    const calls = {
      read: () => agent.readFile(path, "", 100),
      write: () => agent.writeFile(path, "", Buffer.alloc(200_000)),
      list: () => agent.list(path, "", 100),
      stat: () => agent.stat(path, ""),
    };
    await expect(calls[call as keyof typeof calls]()).rejects.toMatchObject({ code });
    expect(existsSync(folder)).toBe(true);
  });

  test("files are read and written with the rights of the user", async () => {
    if (process.getuid?.() !== 0) return;
    const { agent } = await startAgent();
    await expect(agent.readFile("/etc/shadow", "daemon", 100)).rejects.toMatchObject({ code: "REFUSED" });
    await expect(agent.writeFile("/etc/palestra-test", "daemon", Buffer.alloc(1))).rejects.toMatchObject({
      code: "REFUSED",
    });
    expect((await agent.readFile("/etc/shadow", "", 100)).bytes.length).toBeGreaterThan(0);
  });
});
