/** Episodes with containers whose engine or gym ends. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect } from "vitest";
import { type Outcome, openBoxed } from "../support/boxed-episodes.js";
import { missing as noBrowser } from "../support/browsers.js";
import { containersAt, isOwnEngine, startEngine, testDocker } from "../support/docker.js";
import { stopEngine } from "../support/docker-folder.js";
import { eventually, fixture } from "../support/gym.js";
import { processesWith } from "../support/processes.js";
import { connect, serve } from "../support/serving.js";

const environmentModules = [fixture("boxed"), fixture("distant")];
/** Far above the printed times, to tell slow from stopped even on a busy machine. */
const delayedMs = 30_000;

testDocker(
  "an engine that stops during an episode is an infrastructure failure, and the episode continues after its return",
  async (address, context) => {
    if (!isOwnEngine(address)) return context.skip("expected an engine that the tests may stop, but found another's");
    const env = { PALESTRA_SANDBOXES_PROVIDER: "docker", DOCKER_HOST: address };
    const { url } = await serve({ env, environmentModules });
    const socket = await connect(url);
    const boxed = await openBoxed(socket, 4);
    for (const episode of boxed)
      expect(await episode.step("echo kept > file; cat file")).toMatchObject({ observation: "kept\n" });
    await stopEngine();
    const failed = await Promise.all(boxed.map((episode) => episode.step("cat file")));
    for (const outcome of failed) expect(outcome).toMatchObject({ class: "infrastructure" });
    await startEngine();
    const begun = performance.now();
    for (const episode of boxed) {
      let outcome: Outcome = await episode.step("cat file");
      await eventually(async () => {
        if ("code" in outcome) {
          expect(outcome.class).toBe("infrastructure");
          outcome = await episode.step("cat file");
        }
        return "observation" in outcome;
      }, delayedMs);
      expect(outcome).toMatchObject({ observation: "kept\n", reward: 0 });
    }
    console.info(`4 episodes go on ${((performance.now() - begun) / 1_000).toFixed(1)} s after the engine's return`);
  },
);

testDocker("a killed gym with forty sandboxes and ten browsers leaves nothing behind", async (address, context) => {
  if (noBrowser) return context.skip(noBrowser);
  const env = {
    PALESTRA_SANDBOXES_PROVIDER: "docker",
    PALESTRA_SANDBOXES_MACHINES: "64",
    PALESTRA_SANDBOXES_BROWSERS: "10",
    PALESTRA_SANDBOXES_CONTEXTS_PER_BROWSER: "1",
    PALESTRA_SANDBOXES_WARM_CONTEXTS: "0",
    DOCKER_HOST: address,
  };
  const agentsBefore = processesWith("/.palestra/agent").length;
  const { url, process: server } = await serve({ env, environmentModules });
  const socket = await connect(url);
  const boxed = [...(await openBoxed(socket, 30)), ...(await openBoxed(socket, 10, "pages"))];
  const pid = await boxed[0]?.processId();
  const browsers = () => processesWith(`palestra-browsers-${pid}-`);
  expect(containersAt(address).length).toBeGreaterThanOrEqual(40);
  const profiles = new Set(browsers().map(profileOf).filter(Boolean));
  expect(profiles.size).toBe(10);
  await server.kill();
  const begun = performance.now();
  await serve({ env, environmentModules });
  const left = () => [containersAt(address).length, browsers().length, existsSync(`/proc/${pid}`)];
  await eventually(() => JSON.stringify(left()) === "[0,0,false]");
  console.info(`nothing is left ${((performance.now() - begun) / 1_000).toFixed(1)} s after the kill`);
  await eventually(() => processesWith("/.palestra/agent").length <= agentsBefore);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("palestra-") && name.includes(`-${pid}-`))).toEqual([]);
});

/** Returns the profile folder of a browser's main process, or undefined for its child processes. */
function profileOf(pid: number): string | undefined {
  return /--user-data-dir=([^\0 ]*palestra-browsers-[^\0 ]+)/.exec(readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.[1];
}
