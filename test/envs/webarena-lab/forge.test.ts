/** The pages of the code forge, without a browser. */

import { describe, expect, test } from "vitest";
import { app } from "#palestra/envs/webarena-lab/sites/forge/app.js";
import { forgeBase } from "#palestra/envs/webarena-lab/sites/forge/tables.js";
import { forge } from "#palestra/envs/webarena-lab/sites/index.js";
import { openWorld, takeChanges, type World } from "#palestra/envs/webarena-lab/world.js";

const cookie = `${forge.login?.name}=${forge.login?.value}`;
const hostile = `<script>alert("1")</script>'"&`;

async function get(world: World, path: string, headers: Record<string, string> = { cookie }) {
  const response = await app.request(path, { headers }, world);
  return { status: response.status, text: await response.text(), to: response.headers.get("location") };
}

async function post(
  world: World,
  path: string,
  fields: Record<string, string> = {},
  headers: Record<string, string> = { cookie },
) {
  const body = new URLSearchParams(fields);
  const response = await app.request(path, { method: "POST", body, headers }, world);
  const set = response.headers.get("set-cookie")?.split(";")[0];
  return { status: response.status, text: await response.text(), to: response.headers.get("location"), set };
}

const project = "/byteblaze/dotstow";
const branch = [...forgeBase().projects.values()][0]?.branch as string;

describe("signing in", () => {
  test("the right password opens a session, by user name or email address", async () => {
    const world = openWorld();
    const fields = { "user[login]": "byteblaze", "user[password]": "hello1234" };
    const { status, to, set } = await post(world, "/users/sign_in", fields, {});
    expect([status, to]).toEqual([302, "/"]);
    expect((await get(world, "/-/profile", { cookie: set as string })).status).toBe(200);
    const mail = { ...fields, "user[login]": "byteblaze@mail.haldane.example" };
    expect((await post(world, "/users/sign_in", mail, {})).status).toBe(302);
  });

  test("a wrong password is refused", async () => {
    const { status, text, set } = await post(
      openWorld(),
      "/users/sign_in",
      { "user[login]": "byteblaze", "user[password]": "no" },
      {},
    );
    expect([status, set]).toEqual([422, undefined]);
    expect(text).toContain("Invalid login or password.");
  });

  test("a visitor without a session is sent to the sign-in page", async () => {
    expect((await get(openWorld(), "/-/profile", {})).to).toBe("/users/sign_in");
    expect((await post(openWorld(), `${project}/-/issues`, { "issue[title]": "x" }, {})).to).toBe("/users/sign_in");
  });

  test("signing out ends the session", async () => {
    const world = openWorld();
    await post(world, "/users/sign_out");
    expect((await get(world, "/-/profile")).to).toBe("/users/sign_in");
  });
});

describe("reading", () => {
  test.each([
    "/nobody",
    "/nobody/nothing",
    `${project}/-/issues/99999`,
    `${project}/-/issues/x`,
    `${project}/-/issues/__proto__`,
    `${project}/-/merge_requests/0`,
    `${project}/-/commit/zz`,
    `${project}/-/blob/${branch}/constructor`,
    `${project}/-/tree/nowhere`,
    `${project}/-/milestones/-1`,
  ])("%s is not found", async (path) => {
    const { status, text } = await get(openWorld(), path);
    expect(status).toBe(404);
    expect(text).toContain("404: Page not found");
  });

  test("a private project is hidden from others", async () => {
    const hidden = [...forgeBase().projects.values()].find(({ visibility }) => visibility === "private");
    const path = `/${hidden?.namespace}/${hidden?.path}`;
    expect((await get(openWorld(), path)).status).toBe(200);
    expect((await get(openWorld(), path, {})).status).toBe(404);
  });

  test("the search finds projects, issues, merge requests and users", async () => {
    const world = openWorld();
    expect((await get(world, "/search?search=lantern-design")).text).toContain("Open Lantern / lantern-design");
    expect((await get(world, "/search?search=byteblaze&scope=users")).text).toContain("@byteblaze");
    const issues = (await get(world, "/search?search=memory&scope=issues")).text;
    expect(issues).toMatch(/\/-\/issues\/\d+">[^<]*Memory/);
    expect((await get(world, "/search?search=&scope=issues")).text).toContain("0 results");
  });

  test("lists are paged", async () => {
    const world = openWorld();
    const first = (await get(world, "/explore?sort=stars_desc")).text;
    const second = (await get(world, "/explore?sort=stars_desc&page=2")).text;
    const titles = (text: string) => [...text.matchAll(/<h3><a href="([^"]+)"/g)].map(([, path]) => path);
    expect(titles(first)).toHaveLength(20);
    expect(titles(second).some((path) => titles(first).includes(path))).toBe(false);
    expect(titles((await get(world, "/explore?sort=stars_desc&page=junk")).text)).toEqual(titles(first));
  });

  test("issues are filtered by label, state, author and words, and sorted", async () => {
    const world = openWorld();
    const base = forgeBase();
    const rows = [...base.issues.values()].filter((one) => one.project === 22);
    const label = [...base.labels.values()].find((one) => one.project === 22);
    const path = "/tidewater/tidemark-dashboard/-/issues";
    const query = new URLSearchParams({ state: "closed", sort: "created_asc", "label_name[]": label?.name ?? "" });
    const shown = [...(await get(world, `${path}?${query}`)).text.matchAll(/issues\/(\d+)">/g)].map(([, iid]) =>
      Number(iid),
    );
    const wanted = rows
      .filter(({ state, labels }) => state === "closed" && labels.includes(label?.id ?? 0))
      .map(({ iid }) => iid);
    expect(shown).toEqual(wanted.slice(0, 20));
    expect((await get(world, `${path}?search=${encodeURIComponent(hostile)}`)).text).toContain("no results");
  });

  test("visitors' text is escaped", async () => {
    const { text } = await get(openWorld(), `/search?search=${encodeURIComponent(hostile)}`);
    expect(text).not.toContain("<script>alert");
    expect(text).toContain("&lt;script&gt;");
  });

  test("branches show their own commits and those of their base branch", async () => {
    const world = openWorld();
    const own = [...forgeBase().branches.values()].find((one) => one.project === 1 && one.name !== branch);
    const { text } = await get(world, `${project}/-/commits/${own?.name}`);
    expect(text).toContain("Initial commit");
    expect((await get(world, `${project}/-/graphs/${branch}`)).text).toContain("byteblaze@mail.haldane.example");
  });
});

describe("determinism", () => {
  const actions = async (world: World) => {
    await post(world, `${project}/-/issues`, { "issue[title]": "One more", "issue[description]": hostile });
    await post(world, "/projects", { "project[name]": "planner", "project[initialize_with_readme]": "1" });
    const paths = [`${project}/-/issues`, "/byteblaze/planner", "/byteblaze/planner/-/commits", "/"];
    const pages = await Promise.all(paths.map((path) => get(world, path)));
    return { pages: pages.map(({ text }) => text).join("\n"), changes: JSON.stringify(takeChanges(world)) };
  };

  test("the same actions give the same bytes and the same changes", async () => {
    expect(await actions(openWorld())).toEqual(await actions(openWorld()));
  });

  test("a world does not see the changes of another one", async () => {
    const other = openWorld();
    const before = await get(other, `${project}/-/issues`);
    await actions(openWorld());
    expect(await get(other, `${project}/-/issues`)).toEqual(before);
    expect(takeChanges(other)).toEqual([]);
  });
});

test("a page takes a few milliseconds of processor time", async () => {
  const world = openWorld();
  const paths = [
    "/",
    project,
    `${project}/-/issues`,
    "/tidewater/tidemark-dashboard/-/commits",
    "/search?search=date&scope=issues",
  ];
  for (let round = 0; round < 10; round++) for (const path of paths) await get(world, path);
  const start = process.cpuUsage();
  for (let round = 0; round < 10; round++) for (const path of paths) await get(world, path);
  const { user } = process.cpuUsage(start);
  expect(user / 1000 / (10 * paths.length)).toBeLessThan(20);
});
