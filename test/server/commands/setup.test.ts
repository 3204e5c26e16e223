/** `palestra setup`: what environments need, put where they look for it. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchDir } from "../../support/gym.js";
import { root } from "../../support/server-process.js";

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function setup(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const program = [join(root, "dist/server/cli.js"), "setup", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, program, { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

test("without a name it says what there is", async () => {
  expect(await setup([])).toEqual({ code: 0, stdout: "sciworld-jvm\nimages\n", stderr: "" });
});

test("a name that is unknown is refused", async () => {
  expect(await setup(["docker"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'palestra: expected one of sciworld-jvm, images, but received "docker"\n',
  });
});

test("a jar of one's own takes the place of what was there, with the type numbers beside it", async () => {
  const XDG_CACHE_HOME = scratchDir();
  const folder = join(XDG_CACHE_HOME, "palestra", "scienceworld");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "old"), "");
  const own = scratchDir();
  writeFileSync(join(own, "mine.jar"), "a jar");
  writeFileSync(join(own, "object_type_ids.tsv"), "a\t0\n");
  const { code, stdout } = await setup(["sciworld-jvm", "--jar", join(own, "mine.jar")], { XDG_CACHE_HOME });
  expect(code).toBe(0);
  expect(stdout).toMatch(/mine\.jar is now .+\/palestra\/scienceworld\/scienceworld\.jar \(sha256 [0-9a-f]{64}\)\n$/);
  expect(readdirSync(join(XDG_CACHE_HOME, "palestra"))).toEqual(["scienceworld"]);
  expect(readdirSync(folder).sort()).toEqual(["object_type_ids.tsv", "scienceworld.jar"]);
  expect(readFileSync(join(folder, "scienceworld.jar"), "utf8")).toBe("a jar");
});

test("what fails leaves what was there, and says what else can be done", async () => {
  const XDG_CACHE_HOME = scratchDir();
  const folder = join(XDG_CACHE_HOME, "palestra", "scienceworld");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "scienceworld.jar"), "before");
  const missing = await setup(["sciworld-jvm", "--jar", "/nowhere.jar"], { XDG_CACHE_HOME });
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^palestra: expected sciworld-jvm to be set up, but received ENOENT.+nowhere\.jar/),
  });
  const withoutPip = await setup(["sciworld-jvm"], { XDG_CACHE_HOME, PATH: scratchDir() });
  expect(withoutPip).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/received no pip: none of .+ name it with --jar\n$/),
  });
  expect(readdirSync(join(XDG_CACHE_HOME, "palestra"))).toEqual(["scienceworld"]);
  expect(readFileSync(join(folder, "scienceworld.jar"), "utf8")).toBe("before");
});
