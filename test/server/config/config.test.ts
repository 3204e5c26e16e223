import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { ConfigError, loadConfig } from "#palestra/server/config/settings.js";
import { scratchDir } from "../../support/gym.js";

const load = (options: Partial<Parameters<typeof loadConfig>[0]>) => loadConfig({ env: {}, flags: {}, ...options });

function file(text: string | object): string {
  const path = join(scratchDir(), "gym.json");
  writeFileSync(path, typeof text === "string" ? text : JSON.stringify(text));
  return path;
}

function messageOf(options: Parameters<typeof load>[0]): string {
  try {
    load(options);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("expected the settings to be refused, but they were taken");
}

test("the default settings listen on the loopback address and flush every acknowledged step", () => {
  const config = load({});
  expect(config).toMatchObject({ host: "127.0.0.1", port: 8700, auth: "auto", localExpert: false, environments: [] });
  expect(config).toMatchObject({ log: { sync: "normal", retainDays: 90, maxMb: 0 }, logLevel: "info" });
  expect(config.dataDir).toBe(resolve(".palestra"));
  expect(config.hosts.count).toBeGreaterThanOrEqual(1);
});

describe("a setting", () => {
  test("comes from the file; a variable overrides the file, and a flag overrides both", () => {
    const path = file({ port: 1, hosts: { count: 11, memoryMb: 101 }, limits: { maxEpisodes: 5 } });
    const env = { PALESTRA_PORT: "2", PALESTRA_HOSTS_COUNT: "22" };
    expect(load({ file: path })).toMatchObject({ port: 1, hosts: { count: 11, memoryMb: 101 } });
    expect(load({ file: path, env })).toMatchObject({ port: 2, hosts: { count: 22, memoryMb: 101 } });
    expect(load({ file: path, env, flags: { port: 3, hosts: { count: undefined } } })).toMatchObject({
      port: 3,
      hosts: { count: 22, memoryMb: 101 },
      limits: { maxEpisodes: 5 },
    });
  });

  test.each([
    ["PALESTRA_HOST", "::1", { host: "::1" }],
    ["PALESTRA_DATA_DIR", "/srv/gym", { dataDir: "/srv/gym" }],
    ["PALESTRA_AUTH", "required", { auth: "required" }],
    ["PALESTRA_NEMO_GYM", "babyai=9001,sciworld@jvm=0", { nemoGym: { babyai: 9_001, "sciworld@jvm": 0 } }],
    ["PALESTRA_LOCAL_EXPERT", "true", { localExpert: true }],
    ["PALESTRA_LOCAL_EXPERT", "false", { localExpert: false }],
    ["PALESTRA_LOG_LEVEL", "debug", { logLevel: "debug" }],
    ["PALESTRA_LOG_SYNC", "full", { log: { sync: "full" } }],
    // Environments read this variable.
    ["PALESTRA_JUDGE_URL", "http://127.0.0.1:8000/v1", {}],
    ["PALESTRA_OPENSEARCH_AUTH", "ada:secret", {}],
    ["PALESTRA_HOSTS_STEP_DEADLINE_MS", "50", { hosts: { stepDeadlineMs: 50 } }],
    ["PALESTRA_LIMITS_MAX_BODY_BYTES", "1000", { limits: { maxBodyBytes: 1_000 } }],
    ["PALESTRA_LEASES_DEFAULT_MS", "5", { leases: { defaultMs: 5 } }],
    ["PALESTRA_SANDBOXES_JVMS", "2", { sandboxes: { jvms: 2, machines: 32, warmMs: 300_000, waitMs: 30_000 } }],
    ["PALESTRA_SANDBOXES_BROWSERS", "1", { sandboxes: { browsers: 1, contextsPerBrowser: 16, warmContexts: 2 } }],
    ["PALESTRA_SANDBOXES_WARM_CONTEXTS", "0", { sandboxes: { warmContexts: 0, browser: "auto" } }],
    ["PALESTRA_SANDBOXES_BROWSER", "/opt/chrome", { sandboxes: { browser: "/opt/chrome" } }],
    ["PALESTRA_SANDBOXES_BROWSER_SANDBOX", "off", { sandboxes: { browserSandbox: "off", browserUser: 65_534 } }],
    ["PALESTRA_SANDBOXES_BROWSER_MEMORY_MB", "512", { sandboxes: { browserMemoryMb: 512 } }],
    ["PALESTRA_SANDBOXES_WARM_MS", "7", { sandboxes: { warmMs: 7 } }],
    ["PALESTRA_SANDBOXES_WAIT_MS", "7", { sandboxes: { waitMs: 7 } }],
    ["PALESTRA_LOG_RETAIN_DAYS", "0.5", { log: { retainDays: 0.5 } }],
    ["PALESTRA_LOG_MAX_MB", "100", { log: { maxMb: 100 } }],
    ["PALESTRA_LOG_MIN_FREE_MB", "0", { log: { minFreeMb: 0 } }],
    ["PALESTRA_LOCAL_EXPERT", "1", { localExpert: true }],
    ["PALESTRA_ENVIRONMENTS", "a.js,b.js", { environments: ["a.js", "b.js"] }],
    ["PALESTRA_ENVIRONMENTS", "", { environments: [] }],
  ])("can be the variable %s: %j", (name, value, expected) => {
    expect(load({ env: { [name]: value, PATH: "/bin", palestra_port: "x" } })).toMatchObject(expected);
  });

  test.each([
    [{ port: "80a" }, "port"],
    [{ port: 65_536 }, "port"],
    [{ port: -1 }, "port"],
    [{ port: 1.5 }, "port"],
    [{ host: "" }, "host"],
    [{ auth: "on" }, "auth"],
    [{ localExpert: "maybe" }, "localExpert"],
    [{ logLevel: "loud" }, "logLevel"],
    [{ environments: "a.js" }, "environments"],
    [{ hosts: { count: 0 } }, "hosts.count"],
    [{ hosts: { memoryMb: 31 } }, "hosts.memoryMb"],
    [{ hosts: 4 }, "hosts"],
    [{ sandboxes: { jvms: 0 } }, "sandboxes.jvms"],
    [{ sandboxes: { warmMs: -1 } }, "sandboxes.warmMs"],
    [{ sandboxes: { browsers: 0 } }, "sandboxes.browsers"],
    [{ sandboxes: { contextsPerBrowser: 0 } }, "sandboxes.contextsPerBrowser"],
    [{ sandboxes: { warmContexts: -1 } }, "sandboxes.warmContexts"],
    [{ sandboxes: { browser: "" } }, "sandboxes.browser"],
    [{ sandboxes: { browserSandbox: "on" } }, "sandboxes.browserSandbox"],
    [{ sandboxes: { browserUser: 0 } }, "sandboxes.browserUser"],
    [{ sandboxes: { browserMemoryMb: 1 } }, "sandboxes.browserMemoryMb"],
    [{ log: { sync: "off" } }, "log.sync"],
    [{ log: { retainDays: -1 } }, "log.retainDays"],
    [{ log: { maxMb: -1 } }, "log.maxMb"],
    [{ log: { minFreeMb: "auto" } }, "log.minFreeMb"],
    [{ limits: { maxEpisodes: 0 } }, "limits.maxEpisodes"],
    [{ leases: { sweepMs: 0 } }, "leases.sweepMs"],
    [{ sockets: { pingMs: 2 ** 31 } }, "sockets.pingMs"],
    [{ hosts: { count: 1e6 } }, "hosts.count"],
    [{ nemoGym: "babyai" }, "nemoGym"],
    [{ nemoGym: { babyai: "9001" } }, "nemoGym.babyai"],
    [{ nemoGym: { babyai: 70_000 } }, "nemoGym.babyai"],
  ])("that is invalid is refused with its name: %j", (flags, name) => {
    expect(messageOf({ flags })).toMatch(new RegExp(`^expected .+ as the setting ${name}, but received .+$`));
  });

  test.each([
    ["port", { port: null }, "an integer from 0 to 65535", "null"],
    ["port", { port: "8700" }, "an integer from 0 to 65535", `"8700"`],
    ["port", { port: true }, "an integer from 0 to 65535", "true"],
    ["log.retainDays", { log: { retainDays: [] } }, "a number of at least 0", "[]"],
    ["log.retainDays", { log: { retainDays: "" } }, "a number of at least 0", `""`],
    ["log.minFreeMb", { log: { minFreeMb: null } }, "a number of at least 0", "null"],
    [
      "log.url",
      { log: { url: "mysql://ada:se/cret@db" } },
      "a URL of the form postgres://user:password@host/database",
      `"mysql://...@db"`,
    ],
    ["hosts.count", { hosts: { count: true } }, "an integer from 1 to 1024", "true"],
    ["hosts.count", { hosts: { count: [4] } }, "an integer from 1 to 1024", "[4]"],
    ["hosts", { hosts: null }, "an object of settings", "null"],
    ["localExpert", { localExpert: "true" }, "true or false", `"true"`],
    ["localExpert", { localExpert: 1 }, "true or false", "1"],
    ["host", { host: 5 }, "a string that is not empty", "5"],
    ["auth", { auth: true }, "one of auto, required, off", "true"],
    ["environments", { environments: "a.js" }, "a list of strings", `"a.js"`],
    ["nemoGym", { nemoGym: [9001] }, "ports by the names of environments", "[9001]"],
    ["nemoGym.babyai", { nemoGym: { babyai: "9001" } }, "an integer from 0 to 65535", `"9001"`],
    ["environments.1", { environments: ["a.js", 5] }, "a string that is not empty", "5"],
  ])("in the file is not converted to another type: %s in %j", (name, settings, expected, received) => {
    const path = file(settings);
    const message = `expected ${expected} as the setting ${name} of ${path}, but received ${received}`;
    expect(messageOf({ file: path })).toBe(message);
    expect(messageOf({ file: path, env: { PALESTRA_PORT: "1" }, flags: { port: 2 } })).toBe(message);
  });

  test.each([
    ["PALESTRA_PORT", "", "an integer from 0 to 65535"],
    ["PALESTRA_PORT", " 80", "an integer from 0 to 65535"],
    ["PALESTRA_PORT", "0x50", "an integer from 0 to 65535"],
    ["PALESTRA_PORT", "8e1", "an integer from 0 to 65535"],
    ["PALESTRA_PORT", "65536", "an integer from 0 to 65535"],
    ["PALESTRA_PORT", "null", "an integer from 0 to 65535"],
    ["PALESTRA_LOG_RETAIN_DAYS", "-0.5", "a number of at least 0"],
    ["PALESTRA_LOG_RETAIN_DAYS", "Infinity", "a number of at least 0"],
    ["PALESTRA_LOCAL_EXPERT", "maybe", "true or false"],
    ["PALESTRA_LOG_SYNC", "off", "one of normal, full"],
    ["PALESTRA_HOST", "", "a string that is not empty"],
    ["PALESTRA_FLEET_ADDRESS", "10.0.0.3:8700", "a URL of the form http://host:port"],
    ["PALESTRA_FLEET_ADDRESS", "https://10.0.0.3:8700", "a URL of the form http://host:port"],
    ["PALESTRA_FLEET_ADDRESS", "http://10.0.0.3:8700/gym", "a URL of the form http://host:port"],
  ])("that is invalid in a variable is refused with the variable's name: %s=%s", (name, text, expected) => {
    expect(messageOf({ env: { [name]: text } })).toBe(
      `expected ${expected} in ${name}, but received ${JSON.stringify(text)}`,
    );
  });

  test("all invalid settings are listed, one per line", () => {
    expect(messageOf({ flags: { port: null, hosts: { count: 0 } } }).split("\n")).toEqual([
      "expected an integer from 0 to 65535 as the setting port, but received null",
      "expected an integer from 1 to 1024 as the setting hosts.count, but received 0",
    ]);
  });
});

describe("an unknown setting is refused with its name", () => {
  test.each([
    [{ prot: 80 }, "prot"],
    [{ hosts: { counts: 2 } }, "counts"],
    [{ __proto__x: 1 }, "__proto__x"],
  ])("in the file: %j", (settings, name) => {
    expect(messageOf({ file: file(settings) })).toContain(name);
    expect(messageOf({ flags: settings })).toContain(name);
  });

  test.each(["PALESTRA_PROT", "PALESTRA_HOSTS", "PALESTRA_HOSTS_COUNTS", "PALESTRA_", "PALESTRA_hosts_count"])(
    "in the environment: %s, and the error lists the known names",
    (name) => {
      const message = messageOf({ env: { [name]: "1" } });
      expect(message).toMatch(new RegExp(`but received ${name}( \\(Did you mean .+\\?\\))?$`));
      for (const known of ["PALESTRA_PORT", "PALESTRA_HOSTS_MEMORY_MB", "PALESTRA_LIMITS_MAX_EPISODES_PER_CALLER"]) {
        expect(message).toContain(known);
      }
    },
  );
});

describe("a file that cannot be read is refused with its path", () => {
  test.each(["{", "", "[1]", "5", "null", `"text"`, '{\n  "port": a\n}'])("that contains %j", (text) => {
    const path = file(text);
    const message = messageOf({ file: path });
    expect(message).toContain(path);
    expect(message.split("\n")).toHaveLength(1);
  });

  test("that is missing or a folder", () => {
    const folder = scratchDir();
    expect(messageOf({ file: join(folder, "none.json") })).toContain("none.json");
    mkdirSync(join(folder, "sub"));
    expect(messageOf({ file: join(folder, "sub") })).toContain("sub");
  });
});

test("a file cannot change the prototype of an object", () => {
  expect(messageOf({ file: file(`{"__proto__": {"port": 1}}`) })).toContain("__proto__");
  expect(({} as { port?: number }).port).toBeUndefined();
});
