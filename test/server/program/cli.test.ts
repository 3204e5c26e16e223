/** Errors of the program at a terminal: one line, and an exit code that names the kind of cause. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fixture, scratchDir } from "../../support/gym.js";
import { palestra } from "../../support/palestra.js";
import { serve } from "../../support/serving.js";

/** Exit code for a cause outside the command line. */
const failed = 1;
const misused = 2;

async function expectRefusal(args: string[], code: number, message: RegExp): Promise<void> {
  const outcome = await palestra(args);
  expect(outcome).toEqual({ code, stdout: "", stderr: expect.stringMatching(/^palestra: [^\n]+\n$/) });
  expect(outcome.stderr).toMatch(message);
}

/** Writes a file with this text to a new folder. */
function file(name: string, text: string): string {
  const path = join(scratchDir(), name);
  writeFileSync(path, text);
  return path;
}

function folderWith(name: string, text: string): string {
  return join(file(name, text), "..");
}

describe("an invalid value is refused with the expected and the received value", () => {
  test.each([
    [["play", "textcraft", "--max-steps", "0"], /--max-steps.+ of at least 1, but received "0"/],
    [["play", "textcraft", "--max-steps", "1.5"], /--max-steps.+ integer .+ received "1.5"/],
    [["play", "textcraft", "--seed", "-1"], /--seed.+ integer of at least 0, but received "-1"/],
    [["play", "textcraft", "--seed", "99999999999999999999"], /--seed.+ received "99999999999999999999"/],
    [["play", "textcraft", "--task", "test"], /--task.+expected split:index, as in test:3, but received "test"/],
    [["play", "textcraft", "--task", "exam:0"], /expected one of textcraft's splits all, .+ received "exam"/],
    [["play", "textcraft", "--task", "test:100"], /expected an index from 0 to 99 .+ received 100/],
    [["play", "textcraft", "--option", "voice"], /--option.+expected name=value, but received "voice"/],
    [
      ["play", "textcraft", "--option", "voice=loud"],
      /expected one of the options of textcraft: none; .+ received "voice"/,
    ],
    [["play", "maze"], /expected one of the environments .*textcraft.*, but received "maze"/],
    [["check", "maze"], /expected one of the environments .*textcraft.*, but received "maze"/],
    [["play", "textcrft"], /received "textcrft" \(Did you mean textcraft\?\)$/m],
    [["play", "textcraft", "--task", "tets:0"], /received "tets" \(Did you mean test\?\)$/m],
    [["play", "babyai", "--option", "endss=task"], /received "endss" \(Did you mean ends\?\)$/m],
    [["play", "babyai", "--option", "ends=tsak"], /received "tsak" \(Did you mean task\?\)$/m],
    [["check", "babyia"], /received "babyia" \(Did you mean babyai\?\)$/m],
    [["setup", "sciworld-jmv"], /received "sciworld-jmv" \(Did you mean sciworld-jvm\?\)$/m],
    [["check"], /expected an environment, --all or --sandbox, but received no argument/],
    [["check", "textcraft", "--episodes", "0"], /--episodes.+ integer from 1 to 1000, but received "0"/],
    [["serve", "--port", "65536"], /--port.+expected an integer from 0 to 65535, but received "65536"/],
    [["serve", "--port", "NaN"], /--port.+ integer .+ received "NaN"/],
    [["serve", "--hosts", "0"], /--hosts.+ integer from 1 .+ received "0"/],
    [["serve", "--hosts", "1000000"], /--hosts.+expected an integer from 1 to 1024, but received "1000000"/],
    [["serve", "--host", ""], /expected a string that is not empty as the setting host, but received ""/],
    [["serve", "--auth", "maybe"], /expected one of auto, required, off, but received "maybe"/],
    [["token", "create", "--name", ""], /--name.+expected a name of 1 to 100 characters.+ received ""/],
    [["token", "create", "--name", " \t"], /--name.+expected a name of 1 to 100 characters/],
    [["token", "create", "--name", "a\nb"], /--name.+without control characters and without spaces.+ received "a\\nb"/],
    [["token", "create", "--name", "ada", "--max-episodes", "0"], /--max-episodes.+ of at least 1, but received "0"/],
    [["token", "create", "--name", "ada", "--max-log-mb", "0"], /--max-log-mb.+ of at least 1, but received "0"/],
    [["token", "revoke", "nobody"], /expected the id or name of an existing token, but received "nobody"/],
    [["serv"], /unknown command 'serv' \(Did you mean serve\?\)/],
    [["serve", "--auth", "requird"], /received "requird" \(Did you mean required\?\)/],
    [["serve", "--prot", "1"], /unknown option '--prot' \(Did you mean --port\?\)/],
    [
      ["token", "create", "--nmae", "ada"],
      /'--name <name>' not specified, but received --nmae \(Did you mean --name\?\)/,
    ],
    [["help", "tokn"], /received "tokn" \(Did you mean token\?\)/],
    [["completion", "bsh"], /expected bash, zsh or fish, but received "bsh" \(Did you mean one of bash, zsh\?\)/],
  ])("%j", async (args, message) => {
    await expectRefusal(["--data-dir", scratchDir(), ...args], misused, message);
  });
});

test("the list of tokens shows a token's limit on bytes", async () => {
  const dataDir = scratchDir();
  const token = (...args: string[]) => palestra(["--data-dir", dataDir, "token", ...args]);
  await token("create", "--name", "ada", "--max-log-mb", "7");
  await token("create", "--name", "bob");
  const { stdout } = await token("list");
  expect(stdout).toMatch(/^id +name .+ log MiB +created$/m);
  expect(stdout).toMatch(/ ada .+ 7 +[0-9-]+T/);
  const { tokens } = JSON.parse((await token("list", "--json")).stdout);
  expect(tokens.map(({ maxLogMb }: { maxLogMb?: number }) => maxLogMb)).toEqual([7, undefined]);
});

test("a token's name can be any readable text", async () => {
  for (const name of ["a", "Ada Lovelace (ops) 😀", "é".repeat(100)]) {
    expect(await palestra(["--data-dir", scratchDir(), "token", "create", "--name", name])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^pal_/),
    });
  }
});

describe("an address that cannot be used is reported in one line", () => {
  const listen = (address: string[]) => ["--data-dir", scratchDir(), "serve", "--port", "0", ...address];

  test("a port in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void other.close());
    await new Promise((resolve) => other.once("listening", resolve));
    const { port } = other.address() as { port: number };
    await expectRefusal(
      listen(["--port", `${port}`]),
      failed,
      /expected an address to listen on at host .+ received listen EADDRINUSE: .+ --port/,
    );
  });

  test("an address of another machine", async () => {
    // An address reserved for documentation, which no machine has.
    await expectRefusal(listen(["--host", "192.0.2.1"]), failed, /host 192\.0\.2\.1 .+ received .*EADDRNOTAVAIL/);
  });

  test("a name that does not resolve", async () => {
    await expectRefusal(listen(["--host", "gym.invalid"]), failed, /host gym\.invalid .+ received getaddrinfo E/);
  });
});

describe("a data directory that cannot be used is reported in one line", () => {
  const serve = (dataDir: string) => ["--data-dir", dataDir, "serve", "--port", "0"];
  const notFolder = /expected a readable and writable data directory at .+, but received ENOTDIR/;
  const notTokens = /expected a valid token file .+tokens\.json, but received /;

  test("a file", async () => {
    const path = file("data", "");
    await expectRefusal(serve(path), failed, notFolder);
    await expectRefusal(serve(join(path, "sub")), failed, notFolder);
    for (const call of [["list"], ["create", "--name", "ada"], ["revoke", "ada"]]) {
      await expectRefusal(["--data-dir", path, "token", ...call], failed, notTokens);
    }
  });

  test("a file that is not a log", async () => {
    const dataDir = folderWith("episodes.db", "not a database, but long enough to be looked at ".repeat(100));
    await expectRefusal(
      serve(dataDir),
      failed,
      /LOG_CORRUPT: .+ file is not a database.+ repair it with `palestra log repair`/,
    );
  });

  test.each([
    ["text", "not json\n", /received .+ is not valid JSON/],
    ["other JSON", `{"tokens":[{"id":5}]}`, /received tokens\.0\.id: /],
  ])("a file without tokens: %s", async (_, text, received) => {
    const dataDir = folderWith("tokens.json", text);
    for (const args of [serve(dataDir), ["--data-dir", dataDir, "token", "list"]]) {
      await expectRefusal(args, failed, notTokens);
      await expectRefusal(args, failed, received);
    }
  });

  test("a folder in place of the token file", async () => {
    const dataDir = scratchDir();
    mkdirSync(join(dataDir, "tokens.json"));
    await expectRefusal(["--data-dir", dataDir, "token", "list"], failed, /a valid token file .+, but received EISDIR/);
  });
});

test("a data directory that another gym uses is refused and left unchanged", async () => {
  const dataDir = scratchDir();
  const { process } = await serve({ dataDir });
  const before = readFileSync(join(dataDir, "local-gym.json"), "utf8");
  const refusal = /the file is locked, because another gym uses it\. Stop that gym, or choose another .+ --data-dir/;
  await expectRefusal(["--data-dir", dataDir, "serve", "--port", "0"], failed, refusal);
  expect(readFileSync(join(dataDir, "local-gym.json"), "utf8")).toBe(before);
  expect(process.running).toBe(true);
});

test("a gym whose worker threads cannot load an environment does not start", async () => {
  const config = file("threads.json", JSON.stringify({ hosts: { isolation: "thread" } }));
  const args = ["--data-dir", scratchDir(), "--config", config, "--environment-module", fixture("hostless")];
  const { code, stderr } = await palestra([...args, "serve", "--port", "0", "--log-level", "silent"]);
  expect(code).toBe(failed);
  expect(stderr).toMatch(/^palestra: expected a worker thread to load the environments, but received .+as written/);
});

test("a module in TypeScript is refused with a remedy if Node cannot load it", async () => {
  const typed = file("maze.ts", "export enum Wall { north }\nexport default {};\n");
  const refusal = /expected a module that Node v.+ can load, .+maze\.ts: .+ Compile it, .+`npx tsc`, and name maze\.js/;
  await expectRefusal(["--environment-module", typed, "envs"], misused, refusal);
});

test("an invalid config file is reported in one line", async () => {
  await expectRefusal(
    ["--config", file("gym.json", '{\n"port": a\n}'), "serve"],
    misused,
    /expected a JSON object in /,
  );
  await expectRefusal(
    ["--config", file("gym.json", '{"port":null}'), "envs"],
    misused,
    /as the setting port of .+ null$/m,
  );
});

test.each([
  ["throws", `throw new TypeError("odd\\nmessage");`, /received TypeError: odd message \(\/.+\/maze\.mjs:1:7\)/],
  ["is no JavaScript", "export default {\n", /received SyntaxError: .+ \(\/.+\/maze\.mjs:2\)/],
  ["exports something else", "export default 5;", /as its default, but received number/],
  [
    "exports a part of one",
    `export default { id: "x", create() {} };`,
    /received a spec whose version has the type undefined/,
  ],
])("an environment module that %s is reported in one line", async (_, text, message) => {
  await expectRefusal(["--environment-module", file("maze.mjs", text), "envs"], misused, message);
});

test("a folder that cannot be created is refused at once", { skip: !existsSync("/proc") }, async () => {
  await expectRefusal(["--data-dir", "/proc/gym", "serve", "--port", "0"], failed, /at \/proc\/gym, but received E/);
});

test("a missing or repeated environment module is reported in one line", async () => {
  const twice = ["--environment-module", fixture("plain"), "--environment-module", fixture("plain")];
  await expectRefusal([...twice, "envs"], misused, /expected each environment once, but received plain@3 twice/);
  await expectRefusal(
    ["--environment-module", "none.mjs", "envs"],
    misused,
    /but received no file at \/.+\/none\.mjs$/m,
  );
});

test("a repeated task file, or one named like another environment, is reported in one line", async () => {
  const tasks = file("math.jsonl", '{"prompt": "2?", "answer": 2}');
  await expectRefusal(["--tasks", tasks, "envs"], misused, /math twice\. Change the id of one of them/);
  await expectRefusal(
    ["--tasks", "a.jsonl", "--tasks", tasks, "envs"],
    misused,
    /a single --tasks, but received "a\.jsonl" and/,
  );
});
