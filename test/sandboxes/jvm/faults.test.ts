/** Faults of Java, of a program and of a process: each gives a typed error with a remedy and leaves nothing behind. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import type { JvmRequest, SandboxError } from "#palestra/sandboxes/sandbox.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { gatewayRequest, isRunning, nothingLeft, pidOf, sandboxFolders, testJvm } from "../../support/jvm.js";
import { startNode } from "../../support/server-process.js";

function provider(options?: ConstructorParameters<typeof JvmProvider>[0]): JvmProvider {
  const made = new JvmProvider(options);
  onTestFinished(() => made.close());
  return made;
}

/** Returns the error of a refused request, and expects that the request leaves nothing behind. */
async function refusalOf(request: JvmRequest, options?: ConstructorParameters<typeof JvmProvider>[0]) {
  const jvm = provider(options);
  const error = await jvm.open(request).then(
    () => expect.fail("it was opened"),
    (error: SandboxError) => error,
  );
  await jvm.close();
  await nothingLeft();
  const { name, code, expected, received, advice } = error;
  expect(name).toBe("SandboxError");
  return { code, expected, received, advice };
}

/** Makes a JAVA_HOME whose `java` reports the given version. */
function folderWithJava(version: string): string {
  const folder = scratchDir();
  mkdirSync(join(folder, "bin"));
  const path = join(folder, "bin", "java");
  writeFileSync(path, `#!/bin/sh\necho 'openjdk version "${version}"' >&2\n`);
  chmodSync(path, 0o755);
  return folder;
}

describe("Java", () => {
  const whatToInstall = expect.stringMatching(/^Install a Java runtime of version 8 or newer.+or set JAVA_HOME/);

  test("a missing Java is reported as MISSING with a remedy", async () => {
    const refusal = await refusalOf(gatewayRequest, { environment: { PATH: ["", scratchDir()].join(delimiter) } });
    expect(refusal).toEqual({
      code: "MISSING",
      expected: "Java 8 or newer",
      received: "none: JAVA_HOME is not set, and no folder of PATH has java",
      advice: whatToInstall,
    });
  });

  test.each(["1.7.0_80", "7.0.1"])("Java %s is refused as too old", async (version) => {
    const JAVA_HOME = folderWithJava(version);
    const refusal = await refusalOf(gatewayRequest, { environment: { JAVA_HOME } });
    const received = `openjdk version "${version}" at ${JAVA_HOME}/bin/java`;
    expect(refusal).toMatchObject({ code: "MISSING", received, advice: whatToInstall });
  });

  test("a JAVA_HOME without Java is an error, even if the PATH has one", async () => {
    const refusal = await refusalOf(gatewayRequest, { environment: { ...process.env, JAVA_HOME: "/nowhere" } });
    expect(refusal).toMatchObject({ code: "MISSING", received: expect.stringContaining("/nowhere/bin/java") });
  });
});

describe("a program", () => {
  const advice = "Get another jar";
  const request = { ...gatewayRequest, advice };

  testJvm("a missing jar is reported with its path", async () => {
    const refusal = await refusalOf({ ...request, classPath: ["/nowhere/a.jar"] });
    expect(refusal).toMatchObject({ code: "MISSING", expected: "a jar or a folder at /nowhere/a.jar", advice });
  });

  testJvm("an empty jar fails the start", async () => {
    const empty = join(scratchDir(), "empty.jar");
    writeFileSync(empty, "");
    const refusal = await refusalOf({ ...request, classPath: [empty] });
    expect(refusal).toMatchObject({ code: "START", expected: "py4j.GatewayServer to start", advice });
    expect(refusal.received).toMatch(/exit code 1: .*Could not find or load main class py4j.GatewayServer/);
  });

  testJvm("a missing main class fails the start", async () => {
    const refusal = await refusalOf({ ...request, mainClass: "no.such.Main" });
    expect(refusal.received).toMatch(/Could not find or load main class no.such.Main/);
  });

  testJvm("a heap that is too small fails the start", async () => {
    const refusal = await refusalOf({ ...gatewayRequest, heapMb: 1 });
    expect(refusal).toMatchObject({ code: "START", advice: "Give it more heap than 1 MiB" });
    expect(refusal.received).toMatch(/Too small maximum heap/);
  });

  testJvm("a program that never prints its ready line times out", async () => {
    const refusal = await refusalOf({ ...request, ready: /^never$/ }, { startMs: 1_500 });
    expect(refusal).toMatchObject({ code: "TIMEOUT", received: "no error output", advice });
  });

  testJvm("a program that also listens beyond loopback is refused", async () => {
    const elsewhere = ["port=0", "authenticate=false", "ssl=false"];
    const vmOptions = elsewhere.map((property) => `-Dcom.sun.management.jmxremote.${property}`);
    const refusal = await refusalOf({ ...gatewayRequest, vmOptions });
    expect(refusal).toMatchObject({ code: "REFUSED", expected: "a program that listens only on loopback addresses" });
    expect(refusal.received).toMatch(/^a program that listens on port [0-9]+ of (0\.0\.0\.0|0:0:0:0:0:0:0:0)$/);
  });

  testJvm("a program that fails its check is not lent", async () => {
    const check = async () => {
      throw new Error("expected another");
    };
    const refusal = await refusalOf({ ...request, check });
    expect(refusal).toEqual({
      code: "START",
      expected: "py4j.GatewayServer that serves",
      received: "expected another",
      advice,
    });
  });
});

testJvm("the error of a killed process names the signal, and its folder is removed", async () => {
  const sandbox = await provider().open(gatewayRequest);
  expect(sandboxFolders()).toHaveLength(1);
  process.kill(pidOf(sandbox), "SIGKILL");
  await eventually(() => sandbox.lost.aborted);
  expect((sandbox.lost.reason as SandboxError).received).toBe("its end by SIGKILL");
  await nothingLeft();
});

testJvm("an ended process is not killed again, since its pid may belong to another process", async () => {
  const sandbox = await provider().open(gatewayRequest);
  process.kill(pidOf(sandbox), "SIGKILL");
  await eventually(() => sandbox.lost.aborted);
  const kill = vi.spyOn(process, "kill");
  onTestFinished(() => kill.mockRestore());
  await sandbox.close();
  expect(kill).not.toHaveBeenCalled();
});

testJvm("an aborted start leaves nothing behind", async () => {
  const reason = new Error("given up");
  for (const afterMs of [0, 20, 60, 120, 200]) {
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), afterMs);
    await expect(provider().open({ ...gatewayRequest, ready: /^never$/ }, controller.signal)).rejects.toBe(reason);
    await nothingLeft();
  }
});

describe("a killed holder", () => {
  const holder = `
    import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
    const sandbox = await new JvmProvider().open(${JSON.stringify({ ...gatewayRequest, ready: undefined }).slice(0, -1)}, ready: /^([0-9]+)$/ });
    console.log("http://0.0.0.0:" + sandbox.id.slice("jvm-".length));
    setInterval(() => {}, 1000);
  `;

  async function killedWith(beforehand: (pid: number) => void): Promise<void> {
    const process = startNode(["--input-type=module", "--eval", holder]);
    const pid = Number((await process.listeningUrl()).split(":").at(-1));
    expect(isRunning(pid)).toBe(true);
    beforehand(pid);
    await process.kill();
    await nothingLeft();
    // An ending process loses its command line first.
    await eventually(() => !isRunning(pid));
  }

  testJvm("the Java process of a killed holder ends", () => killedWith(() => {}));

  testJvm("a stopped Java process of a killed holder ends", () => killedWith((pid) => process.kill(pid, "SIGSTOP")));
});
