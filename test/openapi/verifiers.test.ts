/** The taskset `openenv` of the verifiers library plays a gym: test/peers/verifiers-openenv.py runs `vf-eval`. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environments, runProgram } from "../support/python.js";
import { root } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";

/** A Python with verifiers, which .ci/run installs. */
const python = join(process.env.VERIFIERS_VENV ?? join(environments, "verifiers-0.4.0"), "bin/python");
const faulty = join(root, "test/fixtures/environments/faulty.mjs");

test.skipIf(!existsSync(python))(
  "verifiers gives the expert's returns to its episodes, and no reward to those that the gym fails",
  async () => {
    const gym = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" }, environmentModules: [faulty] });
    const home = scratch();
    const play = async (...task: string[]) => {
      const program = join(root, "test/peers/verifiers-openenv.py");
      const output = await runProgram(python, [program, gym.url, ...task], { cwd: home, env: { HOME: home } });
      return JSON.parse(output.trim().split("\n").at(-1) as string);
    };
    expect(await play("textcraft", "test", "3")).toMatchObject({ rewards: [1, 1, 1], errors: [[], [], []] });
    const { rewards, errors } = await play("faulty", "play", "2");
    expect(rewards).toEqual([null, null]);
    for (const told of errors) expect(told[0]).toMatch(/^EnvError: .*no space left on device/);
  },
  600_000,
);
