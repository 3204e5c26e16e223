/** The pages on this machine: their setup and their server. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { pageFolder } from "#palestra/envs/miniwob/folder.js";
import { miniwobPages } from "#palestra/envs/miniwob/requirement.js";
import { fileOf, serverAddress } from "#palestra/envs/miniwob/server.js";
import { setUpPages } from "#palestra/envs/miniwob/setup.js";
import { scratchDir } from "../../support/gym.js";

const before = process.env.XDG_DATA_HOME;
afterEach(() => {
  if (before === undefined) delete process.env.XDG_DATA_HOME;
  else process.env.XDG_DATA_HOME = before;
});

function ownPages(title: string): string {
  const folder = scratchDir();
  mkdirSync(join(folder, "core"));
  mkdirSync(join(folder, "miniwob"));
  writeFileSync(join(folder, "core/core.js"), "var core = {};");
  writeFileSync(join(folder, "miniwob/click-test.html"), `<title>${title}</title>`);
  return folder;
}

describe("palestra setup miniwob", () => {
  test("a user's folder is saved and replaces the previous one completely", async () => {
    process.env.XDG_DATA_HOME = scratchDir();
    expect((await miniwobPages.probe()).available).toBe(false);
    const first = ownPages("first");
    writeFileSync(join(first, "old.html"), "old");
    expect(await setUpPages({ from: first })).toContain("1 pages");
    expect(await miniwobPages.probe()).toEqual({ available: true, detail: pageFolder() });
    await setUpPages({ from: ownPages("second") });
    expect(readdirSync(pageFolder()).sort()).toEqual(["core", "miniwob"]);
    expect(readFileSync(join(pageFolder(), "miniwob/click-test.html"), "utf8")).toContain("second");
    expect(readdirSync(join(pageFolder(), ".."))).toEqual(["miniwob"]);
  });

  test("a folder without the pages is refused, and the previous one stays", async () => {
    process.env.XDG_DATA_HOME = scratchDir();
    await setUpPages({ from: ownPages("first") });
    await expect(setUpPages({ from: scratchDir() })).rejects.toThrow("core/core.js");
    expect((await miniwobPages.probe()).available).toBe(true);
  });
});

describe("the server", () => {
  test.each(["/../secret.html", "/%2e%2e/secret.html", "/..%2fsecret.html", "/%00.html", "/%zz", "/"])(
    "%s names no file below the folder, or none at all",
    (url) => expect(fileOf(url, "/pages") ?? "/pages/none").toMatch(/^\/pages\//),
  );

  test("it serves pages with their types and nothing else", async () => {
    process.env.XDG_DATA_HOME = scratchDir();
    await setUpPages({ from: ownPages("served") });
    writeFileSync(join(pageFolder(), "notes.txt"), "not a page");
    const ask = async (path: string, method = "GET") => {
      const reply = await fetch(`http://${await serverAddress()}${path}`, { method });
      return [reply.status, reply.headers.get("content-type"), (await reply.text()).includes("served")];
    };
    expect(await ask("/miniwob/click-test.html?mode=test")).toEqual([200, "text/html; charset=utf-8", true]);
    expect(await ask("/core/core.js")).toEqual([200, "text/javascript; charset=utf-8", false]);
    for (const path of ["/notes.txt", "/miniwob/none.html", "/miniwob", "/"]) expect((await ask(path))[0]).toBe(404);
    expect((await ask("/miniwob/click-test.html", "POST"))[0]).toBe(404);
  });
});
