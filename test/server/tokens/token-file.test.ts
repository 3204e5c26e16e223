import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { openGym, scratchDir } from "../../support/gym.js";

const options = { name: "ada", rights: [], maxEpisodes: 5 };

test("a token is found by its secret, and the list does not contain the secret", () => {
  const store = new TokenStore(scratchDir());
  const { token, secret } = store.create({ ...options, rights: ["expert"] });
  expect(store.find(secret)).toEqual(token);
  expect(store.findById(token.id)).toEqual(token);
  expect(token).toMatchObject({ name: "ada", rights: ["expert"], maxEpisodes: 5 });
  expect(JSON.stringify(store.list())).not.toContain(secret);
  expect(store.find(`${secret} `)).toBeUndefined();
});

test("tokens of one name have different secrets and ids", () => {
  const store = new TokenStore(scratchDir());
  const made = Array.from({ length: 20 }, () => store.create(options));
  expect(new Set(made.map(({ secret }) => secret)).size).toBe(20);
  expect(new Set(made.map(({ token }) => token.id)).size).toBe(20);
  expect(made[0]?.secret).toMatch(/^pal_[A-Za-z0-9_-]{43}$/);
});

test("the file holds no secret, is private to its owner, and is the only file", () => {
  const folder = scratchDir();
  const { secret } = new TokenStore(folder).create(options);
  const path = join(folder, "tokens.json");
  expect(readFileSync(path, "utf8")).not.toContain(secret.slice(4));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["tokens.json"]);
});

test("a token is valid in the next store of the folder", () => {
  const folder = scratchDir();
  const { token, secret } = new TokenStore(folder).create(options);
  expect(new TokenStore(folder).find(secret)).toEqual(token);
});

test.each(["id", "name"] as const)("a token is revoked by its %s, and the others stay", (by) => {
  const store = new TokenStore(scratchDir());
  const gone = store.create(options);
  const kept = store.create({ ...options, name: "bob" });
  expect(store.revoke(gone.token[by])).toBe(true);
  expect(store.find(gone.secret)).toBeUndefined();
  expect(store.findById(gone.token.id)).toBeUndefined();
  expect(store.find(kept.secret)).toEqual(kept.token);
});

test("revoking an unknown token changes nothing and returns false", () => {
  const store = new TokenStore(scratchDir());
  store.create(options);
  expect(store.revoke("bob")).toBe(false);
  expect(store.list()).toHaveLength(1);
});

test("two stores of one folder do not overwrite each other's changes", () => {
  const folder = scratchDir();
  const [a, b] = [new TokenStore(folder), new TokenStore(folder)];
  a.list();
  b.create({ ...options, name: "b" });
  a.create({ ...options, name: "a" });
  b.revoke("nobody");
  expect(b.list().map(({ name }) => name)).toEqual(["b", "a"]);
});

test("a token that another process creates is valid at once", () => {
  const folder = scratchDir();
  const [gym, command] = [new TokenStore(folder), new TokenStore(folder)];
  expect(gym.find("pal_nobody")).toBeUndefined();
  expect(gym.find(command.create(options).secret)).toMatchObject({ name: "ada" });
});

describe("a file from before groups, limits of steps and expiries", () => {
  const old = fileURLToPath(new URL("../../fixtures/tokens/without-groups.json", import.meta.url));
  const secretOfBob = "pal_iVtkYxR15qEE76SUKx9zGNudVVXCF74X_WdwThiMT1U";

  test("is read, and its tokens are valid", () => {
    const folder = scratchDir();
    copyFileSync(old, join(folder, "tokens.json"));
    const store = new TokenStore(folder);
    expect(store.list().map(({ name }) => name)).toEqual(["ada", "bob"]);
    expect(store.groups()).toEqual([]);
    expect(store.find(secretOfBob)).toMatchObject({ name: "bob", maxEpisodes: 7 });
  });

  test("gets no new fields while none of them is used", () => {
    const folder = scratchDir();
    copyFileSync(old, join(folder, "tokens.json"));
    const store = new TokenStore(folder);
    store.create({ name: "cyd", rights: [], maxEpisodes: 5 });
    store.revoke("cyd");
    const [before, after] = [old, join(folder, "tokens.json")].map((path) => JSON.parse(readFileSync(path, "utf8")));
    expect(after).toEqual(before);
  });
});

describe("a group", () => {
  test("is created, changed and removed, and its tokens have its limits and their own", () => {
    const folder = scratchDir();
    const store = new TokenStore(folder);
    store.setGroup({ name: "lab-a", maxEpisodes: 5 });
    const { token } = store.create({ ...options, group: "lab-a", maxStepsPerDay: 9 });
    store.setGroup({ name: "lab-a", maxStepsPerDay: 100 });
    const other = new TokenStore(folder);
    expect(other.groups()).toEqual([{ name: "lab-a", maxStepsPerDay: 100 }]);
    expect(other.quotasOf(token.id)).toMatchObject({
      own: { kind: "token", name: "ada", quota: { maxEpisodes: 5, maxStepsPerDay: 9 } },
      group: { kind: "group", name: "lab-a", quota: { maxStepsPerDay: 100 } },
    });
    store.revoke("ada");
    store.removeGroup("lab-a");
    expect(other.groups()).toEqual([]);
    expect(other.quotasOf(token.id)).toMatchObject({ own: { quota: { maxEpisodes: 0 } }, group: null });
  });

  test("of a token must be in the file", () => {
    const folder = scratchDir();
    const store = new TokenStore(folder);
    expect(() => store.create({ ...options, group: "lab-a" })).toThrow(/expected one of the file's groups/);
    store.setGroup({ name: "lab-a" });
    store.create({ ...options, group: "lab-a" });
    const path = join(folder, "tokens.json");
    writeFileSync(path, readFileSync(path, "utf8").replace(/"name": "lab-a"/, '"name": "lab-b"'));
    expect(() => new TokenStore(folder).list()).toThrow(/tokens\.0\.group: expected one of the file's groups.+"lab-a"/);
  });
});

test("a broken file does not affect callers that are already known", () => {
  const folder = scratchDir();
  const { token } = new TokenStore(folder).create(options);
  writeFileSync(join(folder, "tokens.json"), "not json");
  const store = new TokenStore(folder);
  expect(() => store.find("pal_x")).toThrow(/expected a valid token file .*tokens\.json/);
  expect(store.findById(token.id)).toBeUndefined();
});

const hasFile = process.env.TEST_POSTGRES === undefined;

test.skipIf(!hasFile)(
  "a broken token file fails every call with a token as a fault of the gym, and no other call",
  async () => {
    const gym = await openGym();
    const token = await gym.createToken();
    for (const text of ["not json", `{"tokens":[{}]}`, `{"tokens":[],"more":1}`, ""]) {
      writeFileSync(join(gym.dataDir, "tokens.json"), text);
      for (let i = 0; i < 2; i++) {
        expect(await gym.refusal("list", {}, { token }), text).toMatchObject({ code: "SERVER_FAULT" });
      }
      expect((await gym.call("list")).episodes).toEqual([]);
    }
  },
);
