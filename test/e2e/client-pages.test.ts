/**
 * Runs the Python programs on the clients' pages as printed, except for the address of the gym. Each program needs a
 * Python with its packages, which .ci/run installs. A new program on a page needs a row here.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningServer, root, scratchDir, startGym } from "../support/server-process.js";
import { type ReadmeStep, readmeSteps } from "./readme-steps.js";

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "palestra");
const pages = [
  ...["openapi/openenv.md", "openapi/openreward.md", "openapi/mcp.md", "openapi/agentgym.md"],
  ...[
    "openapi/clients/trl.md",
    "openapi/clients/verifiers.md",
    "openapi/clients/desktops.md",
    "openapi/python/README.md",
  ],
];
const programs = readmeSteps(pages.map((page) => ({ page, text: readFileSync(join(root, page), "utf8") }))).filter(
  ({ kind }) => kind === "python",
);

interface Row {
  page: string;
  matches: RegExp;
  /** Folder of the virtual environment, below the cache. */
  environment?: string;
  prints?: RegExp;
  /** Reason why this test does not run the program. */
  skipped?: string;
}

const gymnasium = "gymnasium-1.4.0";
const rows: Row[] = [
  {
    page: "openapi/openenv.md",
    matches: /GenericEnvClient/,
    environment: "openenv-0.10.0",
    prints: /Goal: craft[\s\S]*Inventory: You/,
  },
  {
    page: "openapi/openreward.md",
    matches: /OpenReward\(/,
    environment: "openreward-0.1.167",
    prints: /crafting recipes[\s\S]*Inventory: You/,
  },
  {
    page: "openapi/mcp.md",
    matches: /^import requests/,
    environment: "openreward-0.1.167",
    prints: /\/mcp\/textcraft\/\w+/,
  },
  {
    page: "openapi/agentgym.md",
    matches: /TextCraftEnvClient/,
    skipped: "needs a checkout of AgentGym: test/peers/agentgym-client.py",
  },
  {
    page: "openapi/clients/trl.md",
    matches: /palestra\.trl/,
    skipped: "needs TRL and torch; test/openapi/python/test_trl.py uses the class as TRL does",
  },
  { page: "openapi/clients/trl.md", matches: /OpenRewardSpec/, skipped: "needs TRL: test/peers/trl-openreward.py" },
  {
    page: "openapi/python/README.md",
    matches: /import Gym$/m,
    environment: gymnasium,
    prints: /Goal: craft[\s\S]*Got 6 blackstone/,
  },
  { page: "openapi/python/README.md", matches: /retrying/, environment: gymnasium },
  { page: "openapi/python/README.md", matches: /PalestraEnv\(/, environment: gymnasium },
  { page: "openapi/python/README.md", matches: /palestra\.trl/, environment: gymnasium },
];

const rowsOf = ({ page, text }: ReadmeStep) => rows.filter((row) => row.page === page && row.matches.test(text));

let gym: RunningServer;
const { path: dataDir, remove } = scratchDir();

beforeAll(async () => {
  gym = await startGym({ dataDir });
});
afterAll(async () => {
  await gym?.process.kill();
  remove();
});

test("each program on the pages has one row, and each row has a program", () => {
  expect(programs.map((program) => rowsOf(program).length)).toEqual(programs.map(() => 1));
  expect(rows.filter((row) => !programs.some((program) => rowsOf(program).includes(row)))).toEqual([]);
});

test.for(programs.map((program) => [program.page, program.text.split("\n")[0], program] as const))(
  "%s: %s",
  { timeout: 240_000 },
  async ([, , program], context) => {
    const [{ environment = "", prints, skipped } = {} as Row] = rowsOf(program);
    if (skipped !== undefined) return context.skip(skipped);
    const python = join(cache, environment, "bin/python");
    if (!existsSync(python)) return context.skip(`expected ${environment} in ${cache}: run .ci/run`);
    const text = program.text.replaceAll("http://127.0.0.1:8700", gym.url);
    const env = {
      ...process.env,
      PYTHONPATH: join(root, "openapi/python"),
      OPENREWARD_API_URL: gym.url,
      OPENREWARD_SESSION_URL: gym.url,
    };
    const { stdout } = await promisify(execFile)(python, ["-c", text], { env });
    if (prints) expect(stdout).toMatch(prints);
  },
);
