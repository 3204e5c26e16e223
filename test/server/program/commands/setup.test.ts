/** `palestra setup` installs requirements where environments look for them. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { scratchDir } from "../../../support/gym.js";
import { root } from "../../../support/server-process.js";

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function setup(args: string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  const program = [join(root, "dist/server/program/cli.js"), "setup", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, program, { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}

test("setup without a name lists all names", async () => {
  expect(await setup([])).toEqual({
    code: 0,
    stdout: "browser\nsciworld-jvm\nmath\nquestions\nsql\nwebarena\nminiwob\ntasks\nimages\ndesktop\n",
    stderr: "",
  });
});

test("an unknown name is refused", async () => {
  expect(await setup(["docker"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      'palestra: expected one of browser, sciworld-jvm, math, questions, sql, webarena, miniwob, tasks, images, desktop, but received "docker"\n',
  });
});

test("the user's own jar and its type numbers replace the installed ones", async () => {
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

test("a failed setup keeps the installed files and prints a remedy", async () => {
  const XDG_CACHE_HOME = scratchDir();
  const folder = join(XDG_CACHE_HOME, "palestra", "scienceworld");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "scienceworld.jar"), "before");
  const missing = await setup(["sciworld-jvm", "--jar", "/nowhere.jar"], { XDG_CACHE_HOME });
  expect(missing).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^palestra: expected the setup of sciworld-jvm to succeed, but received ENOENT.+nowhere\.jar/,
    ),
  });
  const withoutPip = await setup(["sciworld-jvm"], { XDG_CACHE_HOME, PATH: scratchDir() });
  expect(withoutPip).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/received pip is not installed: none of .+ name it with --jar\n$/),
  });
  expect(readdirSync(join(XDG_CACHE_HOME, "palestra"))).toEqual(["scienceworld"]);
  expect(readFileSync(join(folder, "scienceworld.jar"), "utf8")).toBe("before");
});

describe("the sites of WebArena", () => {
  test("are described in a new file, in the folder where the gym looks for them", async () => {
    const XDG_DATA_HOME = scratchDir();
    const folder = join(XDG_DATA_HOME, "palestra", "webarena");
    const env = { XDG_DATA_HOME, PALESTRA_WEBARENA_SITES: undefined };
    const first = await setup(["webarena", "--sites", "--family", "verified"], env);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toContain(`docker compose --file ${join(folder, "compose.yaml")} up --detach`);
    expect(first.stdout).not.toContain("export ");
    expect(readdirSync(folder).sort()).toEqual(["compose.yaml", "sites.json", "wikipedia"]);
    expect(await setup(["webarena", "--sites"], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/sites\.json, but found both\. Name another folder, or add --force/),
    });
  });

  test("can be in another folder, which a variable names", async () => {
    const folder = join(scratchDir(), "my sites");
    const { stdout } = await setup(["webarena", folder, "--sites", "--host", "10.0.0.5"], {
      XDG_DATA_HOME: scratchDir(),
    });
    expect(stdout).toContain(`export PALESTRA_WEBARENA_SITES='${join(folder, "sites.json")}'\n`);
    expect(readFileSync(join(folder, "sites.json"), "utf8")).toContain("http://10.0.0.5:7770");
  });

  test.each([
    [["--host", "10.0.0.5"], "expected --sites with --host, --family and --force, but received no --sites"],
    [["--sites", "--family", "slim"], 'expected one of webarena, verified, but received "slim"'],
  ])("with %j are refused", async (args, message) => {
    const refused = await setup(["webarena", ...args]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(message);
  });
});

describe("a browser", () => {
  /** Writes a program that only prints a version. */
  function fakeChromium(folder: string): string {
    const path = join(folder, "chromium");
    writeFileSync(path, "#!/bin/sh\necho Chromium 1.2.3\n");
    chmodSync(path, 0o755);
    return path;
  }

  test("that is installed is found through PATH or the setting", async () => {
    const path = fakeChromium(scratchDir());
    const told = {
      code: 0,
      stdout: `Getting browser ...\nGetting browser: Chromium 1.2.3 is there: ${path}\n`,
      stderr: "",
    };
    expect(await setup(["browser"], { PATH: dirname(path) })).toEqual(told);
    expect(await setup(["browser"], { PATH: "", PALESTRA_SANDBOXES_BROWSER: path })).toEqual(told);
  });

  test("with a wrong path in the setting is refused, even if another browser exists", async () => {
    expect(await setup(["browser"], { PALESTRA_SANDBOXES_BROWSER: "/nowhere/chromium" })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/setting `sandboxes.browser`, but received \/nowhere\/chromium/),
    });
  });

  test("that cannot be downloaded is reported with a remedy", async () => {
    const nowhere = {
      PLAYWRIGHT_BROWSERS_PATH: scratchDir(),
      PLAYWRIGHT_DOWNLOAD_HOST: "http://127.0.0.1:1",
      PATH: "",
    };
    expect(await setup(["browser"], nowhere)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /Playwright's installer to install Chromium, but received .+Install Chromium yourself/s,
      ),
    });
  });

  test("is installed in Playwright's own folder", async () => {
    const script = `
      const { chromium } = await import("playwright");
      const { setUpBrowser } = await import("#palestra/sandboxes/browser/install.js");
      const path = chromium.executablePath();
      const lines = 'mkdir -p "$(dirname "$0")"; cp "$1" "$0"';
      const installer = ["/bin/sh", "-c", lines, path, process.env.FAKE];
      console.log(await setUpBrowser({ environment: { PATH: "" }, installer: ["/usr/bin/env", "PATH=/usr/bin:/bin", ...installer] }));
    `;
    const FAKE = fakeChromium(scratchDir());
    const env = { ...process.env, FAKE, PLAYWRIGHT_BROWSERS_PATH: scratchDir() };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script], {
      env,
      cwd: root,
    });
    expect(stdout).toMatch(/^Chromium 1\.2\.3 was installed by Playwright: .+\n$/);
  });
});
