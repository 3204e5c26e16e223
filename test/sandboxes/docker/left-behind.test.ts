/** The removal of containers whose owner was killed, by the gym that outlives it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { Engine } from "#palestra/sandboxes/docker/engine.js";
import { removeContainersOf } from "#palestra/sandboxes/docker/left-behind.js";
import { containersAt, testDocker } from "../../support/docker.js";
import { root } from "../../support/server-process.js";

/** A program that opens three containers, reports this, and stays. */
const owner = (address: string) => `
  import { DockerProvider } from "${root}/dist/.modules/sandboxes/docker/docker-provider.js";
  const provider = new DockerProvider({ engines: ["${address}"] });
  await Promise.all([1, 2, 3].map(() => provider.open({})));
  console.log("open");
  setInterval(() => {}, 1_000);
`;

testDocker("the containers of a killed process are removed, and those of a living one stay", async (address) => {
  const own = new DockerProvider({ engines: [address] });
  onTestFinished(() => own.close());
  const kept = await own.open({});
  const before = containersAt(address);
  const child = spawn(process.execPath, ["--input-type=module", "-e", owner(address)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  const opened = containersAt(address).filter((id) => !before.includes(id));
  expect(opened).toHaveLength(3);
  // A paused container cannot end on its own after the death of its owner.
  const { docker } = new Engine(address);
  for (const id of opened) await docker.getContainer(id).pause();
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(containersAt(address).filter((id) => opened.includes(id))).toHaveLength(3);
  await removeContainersOf(child.pid as number, [address, "unix:///nowhere/docker.sock"]);
  expect(containersAt(address).sort()).toEqual([...before].sort());
  expect((await kept.exec("echo on")).stdout).toBe("on\n");
});
