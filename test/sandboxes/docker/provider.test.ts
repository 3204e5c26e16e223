/** Behaviour of containers beyond the conformance suite: images, root, writable roots, warm containers, ends. */
import { execFileSync, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { DockerProvider, type DockerProviderOptions } from "#palestra/sandboxes/docker/docker-provider.js";
import { containersAt, containersOf, imageFolder, testDocker } from "../../support/docker.js";
import { eventually } from "../../support/gym.js";

function provider(options: DockerProviderOptions = {}): DockerProvider {
  const made = new DockerProvider(options);
  onTestFinished(() => made.close());
  return made;
}

testDocker("an image is built once from a folder and sets the working folder and variables", async () => {
  const folder = imageFolder(
    "WORKDIR /app\nENV GREETING=hello\nCOPY files/ /app/\nRUN cat /proc/sys/kernel/random/uuid > /app/built\n",
    {
      "files/deep/one.txt": "one",
    },
  );
  const docker = provider();
  const spec = { image: { folder }, root: "writable", user: "root" } as const;
  const sandbox = await docker.open(spec);
  const { stdout } = await sandbox.exec("pwd; echo $GREETING; cat deep/one.txt built; id -u");
  expect(stdout).toMatch(/^\/app\nhello\none[0-9a-f-]{36}\n0\n$/);
  const again = await docker.open(spec);
  const built = (box: typeof sandbox) => box.exec("cat built").then((result) => result.stdout);
  expect(await built(again)).toBe(await built(sandbox));
  await again.close();
});

testDocker("a failed build is refused with the engine's message", async () => {
  const docker = provider({ mayPull: false });
  await expect(docker.open({ image: { folder: imageFolder("RUN exit 3\n") } })).rejects.toMatchObject({
    code: "REFUSED",
    message: expect.stringContaining("exit 3"),
  });
  await expect(docker.open({ image: { folder: "/nowhere" } })).rejects.toMatchObject({ code: "REFUSED" });
});

testDocker("a missing image and an unknown user are refused", async () => {
  const docker = provider({ mayPull: false });
  await expect(docker.open({ image: "nobody/has-this:1" })).rejects.toMatchObject({
    code: "REFUSED",
    message: expect.stringContaining("nobody/has-this:1"),
  });
  await expect(docker.open({ user: "nobody-of-that-name" })).rejects.toMatchObject({ code: "REFUSED" });
});

testDocker("root has only the capabilities for files and users", async () => {
  const sandbox = await provider().open({ user: "root", root: "writable", writable: ["/logs"] });
  const lines = [
    "chown 1000 /etc/hostname-copy 2>/dev/null; touch /etc/own && chown 1000:1000 /etc/own && stat -c %u /etc/own",
    "mount -t tmpfs none /mnt 2>/dev/null || unshare -n true 2>/dev/null || echo contained",
    "grep -E 'NoNewPrivs|Seccomp:' /proc/self/status | tr -s '\\t\\n' '  '",
  ];
  const { stdout } = await sandbox.exec(lines.join("\n"));
  expect(stdout).toBe("1000\ncontained\nNoNewPrivs: 1 Seccomp: 2 ");
  const other = await sandbox.exec("id -u; cat /etc/shadow", { user: "1000:1000" });
  expect(other).toMatchObject({ stdout: "1000\n", stderr: expect.stringContaining("denied") });
});

testDocker("a writable root that outgrows its limit ends its sandbox", async () => {
  const sandbox = await provider().open({ root: "writable", user: "root", limits: { diskMb: 64 } });
  const one = await sandbox.exec("head -c 100000000 /dev/zero > /opt/one");
  expect(one.exitCode).not.toBe(0);
  await sandbox.exec("rm /opt/one; echo fits > /opt/two");
  await sandbox.exec("for i in 1 2 3; do head -c 30000000 /dev/zero > /opt/$i; done; sleep 20").catch(() => {});
  expect(sandbox.lost.reason).toMatchObject({
    code: "LOST",
    message: expect.stringMatching(/MiB in its root, above the limit of 64 MiB/),
  });
});

testDocker("volumes of an image become sized folders, and no volume is left behind", async (address) => {
  const volumes = () => execFileSync("docker", ["-H", address, "volume", "ls", "-q"], { encoding: "utf8" });
  const folder = imageFolder("RUN mkdir /data && echo image > /data/own\nVOLUME /data\n");
  const docker = provider();
  await (await docker.open({ image: { folder } })).close();
  const before = volumes();
  for (const root of ["read-only", "writable"] as const) {
    const sandbox = await docker.open({ image: { folder }, root, limits: { diskMb: 16 } });
    const { exitCode } = await sandbox.exec("ls -A /data; head -c 33554432 /dev/zero > /data/fill");
    expect(exitCode).not.toBe(0);
    await sandbox.close();
  }
  expect(volumes()).toBe(before);
});

testDocker("a read-only folder of the image can be the working folder", async () => {
  const folder = imageFolder("RUN mkdir /app && echo image > /app/own\n");
  const sandbox = await provider().open({ image: { folder }, folder: "/app" });
  const { stdout } = await sandbox.exec(
    "pwd; cat own; (: > mine) 2>/dev/null || echo read-only; cd /work; : > mine && echo written",
  );
  expect(stdout).toBe("/app\nimage\nread-only\nwritten\n");
});

testDocker("a snapshot has all files of the root and of /tmp, and can be removed", async (address) => {
  const docker = provider();
  const first = await docker.open({ root: "writable", user: "root" });
  await first.writeFile("/opt/kept", Buffer.from("kept"));
  await first.writeFile("/tmp/too", Buffer.from(" too"));
  const snapshot = await first.snapshot();
  await first.close();
  const second = await docker.open({ image: snapshot.image, root: "writable", user: "root" });
  expect((await second.exec("cat /opt/kept /tmp/too")).stdout).toBe("kept too");
  await second.close();
  await snapshot.remove();
  expect(execFileSync("docker", ["-H", address, "images", "-q", snapshot.image], { encoding: "utf8" })).toBe("");
  const third = await docker.open({});
  await expect(third.snapshot()).rejects.toMatchObject({ code: "REFUSED" });
});

testDocker("warm containers are lent at once, are fresh and end with their provider", async (address) => {
  const docker = provider({ warm: 2 });
  const first = await docker.open({});
  await first.writeFile("mine", Buffer.from("mine"));
  await eventually(() => containersOf(address).length >= 3);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const second = await docker.open({ environment: { NAME: "own" } });
  expect((await second.exec("ls; echo $NAME")).stdout).toBe("own\n");
  await docker.close();
  expect(containersOf(address)).toEqual([]);
});

testDocker("an engine that answers gets the sandbox, and MISSING is reported if none answers", async (address) => {
  const docker = provider({ engines: ["unix:///nowhere/docker.sock", address] });
  const [one, two] = [await docker.open({}), await docker.open({})];
  expect((await one.exec("echo on")).stdout + (await two.exec("echo on")).stdout).toBe("on\non\n");
  const none = provider({ engines: ["unix:///nowhere/docker.sock", "tcp://127.0.0.1:9"] });
  await expect(none.open({})).rejects.toMatchObject({ code: "MISSING", message: expect.stringContaining("nowhere") });
});

testDocker("the containers of a killed gym end and leave nothing behind", async (address) => {
  const program = fileURLToPath(new URL("../../fixtures/docker-holder.mjs", import.meta.url));
  const child = spawn(process.execPath, [program, "4"], { stdio: ["ignore", "pipe", "inherit"] });
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const pid = child.pid as number;
  expect(containersOf(address, pid).length).toBeGreaterThanOrEqual(4);
  child.kill("SIGKILL");
  // A long timeout for a busy machine. test/e2e/docker-ends.test.ts checks the time on a quiet one.
  await eventually(() => containersOf(address, pid).length === 0);
});

testDocker("the next gym removes a container whose gym has ended", async (address) => {
  const labels = ["palestra.sandbox=left", "palestra.owner=elsewhere/1/1", "palestra.expires=1"];
  const args = labels.flatMap((label) => ["--label", label]);
  execFileSync("docker", ["-H", address, "create", "--name", "palestra-left", ...args, "palestra-base:1", "true"]);
  await (await provider().open({})).close();
  await eventually(() => !containersAt(address).includes("palestra-left"));
});
