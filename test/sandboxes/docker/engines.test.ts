/** Requests to several engines, slow engines, and containers that cannot start. */
import { expect, onTestFinished } from "vitest";
import { DockerProvider, type DockerProviderOptions } from "#palestra/sandboxes/docker/docker-provider.js";
import { containersOf, testDocker } from "../../support/docker.js";
import { openEngineRelay } from "../../support/engine-relay.js";
import { eventually } from "../../support/gym.js";

function provider(options: DockerProviderOptions): DockerProvider {
  const made = new DockerProvider(options);
  onTestFinished(() => made.close());
  return made;
}

const isCreation = (line: string) => line.startsWith("POST /containers/create?") && line.includes("palestra-docker-");

testDocker("a container that is created after the deadline is removed at the next request", async (address) => {
  const relay = await openEngineRelay(address);
  const docker = provider({ engines: [relay.address], startMs: 3_000 });
  const sandbox = await docker.open({});
  const before = containersOf(address);
  let isMade = false;
  relay.onRequest = async (line) => {
    if (!isCreation(line)) return false;
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    isMade = true;
    return false;
  };
  await expect(docker.open({ environment: { OTHER: "one" } })).rejects.toMatchObject({ code: "TIMEOUT" });
  await eventually(() => isMade && containersOf(address).length === before.length + 1);
  relay.onRequest = () => false;
  const next = await docker.open({});
  await eventually(() => containersOf(address).length === before.length + 1);
  // Containers in use are not removed.
  expect((await sandbox.exec("echo on")).stdout + (await next.exec("echo on")).stdout).toBe("on\non\n");
});

testDocker("many requests at once are spread over the engines", async (address) => {
  const relays = await Promise.all([openEngineRelay(address), openEngineRelay(address), openEngineRelay(address)]);
  const docker = provider({ engines: relays.map((relay) => relay.address) });
  const sandboxes = await Promise.all(Array.from({ length: 6 }, () => docker.open({})));
  expect(relays.map(({ asked }) => asked.filter(isCreation).length)).toEqual([2, 2, 2]);
  for (const sandbox of sandboxes.slice(0, 2)) await sandbox.close();
  await Promise.all([docker.open({}), docker.open({})]);
  expect(relays.map(({ asked }) => asked.filter(isCreation).length).sort()).not.toContain(4);
});

testDocker("containers of a broken image or spec do not stop other containers from starting", async (address) => {
  const relay = await openEngineRelay(address);
  const docker = provider({ engines: [relay.address] });
  // No engine reports this fault as an error of the spec.
  const broken = { folder: "/etc/passwd/inside" };
  const codes = await Promise.all(
    Array.from({ length: 8 }, () =>
      docker.open(broken).then(
        () => "open",
        (error) => error.code,
      ),
    ),
  );
  expect(new Set(codes)).toEqual(new Set(["START"]));
  await expect(docker.open(broken)).rejects.toMatchObject({ message: expect.stringContaining("of this kind") });
  expect((await (await docker.open({})).exec("echo on")).stdout).toBe("on\n");
});
