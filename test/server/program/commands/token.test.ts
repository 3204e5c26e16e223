/** `palestra token` at a terminal: tokens with expiry and limits, and groups of tokens. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { scratchDir } from "../../../support/gym.js";
import { palestra } from "../../../support/palestra.js";

/** Runs the program on a new data directory. */
function program() {
  const dataDir = scratchDir();
  const token = (...args: string[]) => palestra(["--data-dir", dataDir, "token", ...args]);
  const refusal = async (...args: string[]) => {
    const { code, stdout, stderr } = await token(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^palestra: [^\n]+\n$/);
    return stderr;
  };
  const output = async (...args: string[]) => {
    const { code, stdout, stderr } = await token(...args);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  return { dataDir, store: new TokenStore(dataDir), output, refusal };
}

test("a token has its expiry, its limits and its group", async () => {
  const { store, output } = program();
  expect(await output("group", "lab-a", "--max-steps-per-day", "100")).toBe(
    "lab-a: at most 100 steps per UTC day; tokens: 0\n",
  );
  const limits = ["--max-episodes", "5", "--max-sandbox-episodes", "2", "--max-steps-per-day", "50"];
  const text = await output("create", "--name", "ada", "--group", "lab-a", "--expires", "30d", ...limits, "--json");
  const { id, token: secret, expiresAt } = JSON.parse(text);
  const expected = { id, name: "ada", group: "lab-a", maxEpisodes: 5, maxSandboxEpisodes: 2, maxStepsPerDay: 50 };
  expect(store.find(secret)).toMatchObject({ ...expected, expiresAt });
  expect(Math.abs(Date.parse(expiresAt) - Date.now() - 30 * 86_400_000)).toBeLessThan(60_000);
});

test("a change of a group keeps the limits that it does not name, and `none` removes a limit", async () => {
  const { store, output } = program();
  await output("group", "lab-a", "--max-episodes", "5", "--max-steps-per-day", "100");
  await output("group", "lab-a", "--max-episodes", "none", "--max-sandbox-episodes", "3");
  expect(store.groups()).toEqual([{ name: "lab-a", maxSandboxEpisodes: 3, maxStepsPerDay: 100 }]);
  await output("group", "lab-a", "--remove");
  expect(store.groups()).toEqual([]);
});

describe("the list", () => {
  test("shows expiries, groups, limits and the steps of the day", async () => {
    const { dataDir, store, output } = program();
    expect(await output("list")).toBe("");
    store.setGroup({ name: "lab-a", maxStepsPerDay: 1_000 });
    const ada = store.create({ name: "ada", rights: ["expert"], maxEpisodes: 9, group: "lab-a", maxStepsPerDay: 70 });
    store.create({ name: "bob", rights: [], maxEpisodes: 8, expiresAt: "2020-01-31T18:00:00.000Z" });
    const usage = {
      day: new Date().toISOString().slice(0, 10),
      callers: { [ada.token.id]: 12 },
      groups: { "lab-a": 34 },
    };
    writeFileSync(join(dataDir, "usage.json"), JSON.stringify(usage));
    const created = `${ada.token.createdAt.slice(0, 16)}Z`;
    const rows = (await output("list"))
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ {2,}/));
    expect(rows).toEqual([
      [
        "id",
        "name",
        "rights",
        "group",
        "expires",
        "episodes",
        "in sandboxes",
        "steps per day",
        "steps today",
        "log MiB",
        "created",
      ],
      [ada.token.id, "ada", "expert", "lab-a", "never", "9", "-", "70", "12", "-", created],
      [expect.any(String), "bob", "-", "-", "2020-01-31T18:00Z (expired)", "8", "-", "-", "0", "-", expect.any(String)],
      [""],
      ["group", "tokens", "episodes", "in sandboxes", "steps per day", "steps today"],
      ["lab-a", "1", "-", "-", "1000", "34"],
    ]);
    const { tokens, groups } = JSON.parse(await output("list", "--json"));
    expect(tokens).toMatchObject([
      { name: "ada", maxStepsPerDay: 70, stepsToday: 12 },
      { name: "bob", stepsToday: 0 },
    ]);
    expect(groups).toEqual([{ name: "lab-a", maxStepsPerDay: 1_000, tokens: 1, stepsToday: 34 }]);
    expect(await output("list", "--json")).not.toMatch(/sha256|pal_/);
  });

  test("ignores the stored steps of another day, and a file that it cannot read", async () => {
    const { dataDir, store, output } = program();
    const { token } = store.create({ name: "ada", rights: [], maxEpisodes: 9 });
    for (const text of [JSON.stringify({ day: "2020-01-01", callers: { [token.id]: 5 }, groups: {} }), "{"]) {
      writeFileSync(join(dataDir, "usage.json"), text);
      expect(JSON.parse(await output("list", "--json")).tokens).toMatchObject([{ stepsToday: 0 }]);
    }
  });
});

describe("a wrong argument is refused with its remedy", () => {
  test("the name of another token that has not expired", async () => {
    const { store, output, refusal } = program();
    const { token } = store.create({ name: "ada", rights: [], maxEpisodes: 9 });
    expect(await refusal("create", "--name", "ada")).toContain(
      `expected a name that no token has, but received "ada". Choose another name, or revoke that token with \`palestra token revoke ${token.id}\``,
    );
    store.create({ name: "bob", rights: [], maxEpisodes: 9, expiresAt: "2020-01-31T18:00:00.000Z" });
    expect(await output("create", "--name", "bob")).toMatch(/^pal_/);
  });

  test("an unknown group", async () => {
    const { output, refusal } = program();
    expect(await refusal("create", "--name", "ada", "--group", "lab-a")).toContain(
      'expected an existing group, but received "lab-a". Create it with `palestra token group lab-a`',
    );
    await output("group", "lab-b");
    expect(await refusal("create", "--name", "ada", "--group", "lab-a")).toContain(
      'expected one of the groups lab-b, but received "lab-a" (Did you mean lab-b?)',
    );
    expect(await refusal("group", "lab-a", "--remove")).toContain("expected one of the groups lab-b");
  });

  test("a group with tokens, which cannot be removed", async () => {
    const { store, refusal } = program();
    store.setGroup({ name: "lab-a" });
    store.create({ name: "ada", rights: [], maxEpisodes: 9, group: "lab-a" });
    expect(await refusal("group", "lab-a", "--remove")).toContain(
      "expected the group lab-a to have no tokens, but received the tokens ada. Revoke them first",
    );
  });

  test.each([
    [
      ["create", "--name", "ada", "--expires", "30days"],
      /--expires.+expected a duration such as 30d.+received "30days"/,
    ],
    [["create", "--name", "ada", "--expires", "2020-01-01"], /--expires.+expected a time after now, 2.+ "2020-01-01"/],
    [["create", "--name", "ada", "--max-steps-per-day", "0"], /--max-steps-per-day.+ of at least 1, but received "0"/],
    [["create", "--name", "ada", "--max-sandbox-episodes", "-1"], /--max-sandbox-episodes.+ received "-1"/],
    [["group", "lab a"], /expected a name of 1 to 50 letters, digits, .+ received "lab a"/],
    [["group", "lab-a", "--max-episodes", "many"], /--max-episodes.+integer from 1 to .+, or none, .+ received "many"/],
  ])("%j", async (args, message) => {
    const { dataDir, refusal } = program();
    expect(await refusal(...args)).toMatch(message);
    expect(() => readFileSync(join(dataDir, "tokens.json"))).toThrow("ENOENT");
  });

  test("a misspelt token in `revoke`", async () => {
    const { store, refusal } = program();
    store.create({ name: "ada", rights: [], maxEpisodes: 9 });
    expect(await refusal("revoke", "adda")).toContain('received "adda" (Did you mean ada?)');
  });
});
