/** Changes by visitors of the code forge, and refusals. */

import { describe, expect, test } from "vitest";
import { app } from "#palestra/envs/webarena-lab/sites/forge/app.js";
import { forgeBase } from "#palestra/envs/webarena-lab/sites/forge/tables.js";
import { forge } from "#palestra/envs/webarena-lab/sites/index.js";
import { openWorld, takeChanges, type World } from "#palestra/envs/webarena-lab/world.js";

const cookie = `${forge.login?.name}=${forge.login?.value}`;
const project = "/byteblaze/dotstow";
const base = forgeBase();
const branch = [...base.projects.values()][0]?.branch as string;
const stranger = [...base.users.values()].find(
  ({ id }) => ![...base.members.values()].some((one) => one.project === 1 && one.user === id),
);

async function get(world: World, path: string) {
  const response = await app.request(path, { headers: { cookie } }, world);
  return response.text();
}

async function post(world: World, path: string, fields: Record<string, string> = {}) {
  const response = await app.request(
    path,
    { method: "POST", body: new URLSearchParams(fields), headers: { cookie } },
    world,
  );
  return { status: response.status, text: await response.text(), to: response.headers.get("location") ?? "" };
}

describe("issues", () => {
  const label = [...base.labels.values()].find((one) => one.project === 1);

  test("an issue is created with assignee, label and due date", async () => {
    const world = openWorld();
    const { to } = await post(world, `${project}/-/issues`, {
      "issue[title]": "A <b> title",
      "issue[description]": "**Bold** `code`",
      "issue[assignee_ids][]": "1",
      "issue[label_ids][]": `${label?.id}`,
      "issue[due_date]": "12/31/2030",
    });
    const text = await get(world, to);
    expect(text).toContain("A &lt;b&gt; title");
    expect(text).toContain("<strong>Bold</strong> <code>code</code>");
    expect(text).toContain("Dec 31, 2030");
    expect(text).toMatch(/class="block assignee"[\s\S]*@byteblaze/);
    expect(takeChanges(world).map(({ table }) => table)).toEqual(["forge.issues"]);
  });

  test.each([
    [{ "issue[title]": " " }, "Title can&#39;t be blank"],
    [{ "issue[title]": "x", "issue[due_date]": "2024-02-30" }, "Due date must look like"],
    [{ "issue[title]": "x".repeat(300) }, "Title is too long"],
  ])("%j is refused", async (fields, message) => {
    const world = openWorld();
    const { status, text } = await post(world, `${project}/-/issues`, fields as Record<string, string>);
    expect(status).toBe(422);
    expect(text).toContain(message);
    expect(takeChanges(world)).toEqual([]);
  });

  test("an issue is commented on, closed and reopened", async () => {
    const world = openWorld();
    await post(world, `${project}/-/issues/1/notes`, { "note[note]": "Hello\r\nthere" });
    expect(await get(world, `${project}/-/issues/1`)).toContain("Hello\nthere");
    const before = await get(world, `${project}/-/issues/1`);
    await post(world, `${project}/-/issues/1/turn`);
    await post(world, `${project}/-/issues/1/turn`);
    const after = await get(world, `${project}/-/issues/1`);
    expect(after.match(/status-box (\w+)/)?.[1]).toBe(before.match(/status-box (\w+)/)?.[1]);
    expect((await post(world, `${project}/-/issues/999/notes`, { "note[note]": "x" })).status).toBe(404);
  });

  test("a user without a role can change only their own issues", async () => {
    const world = openWorld();
    const path = "/tidewater/tidemark/-/issues";
    const issue = [...base.issues.values()].find((one) => one.project === 21 && one.author !== 1);
    expect((await post(world, `${path}/${issue?.iid}/turn`)).status).toBe(403);
    const { to } = await post(world, path, { "issue[title]": "Mine", "issue[assignee_ids][]": "2" });
    expect(await get(world, to)).not.toContain("@noraive");
    expect((await post(world, `${to}/turn`)).status).toBe(302);
  });
});

describe("repositories", () => {
  test("a file is edited with a commit", async () => {
    const world = openWorld();
    const fields = { file_name: "README.md", content: "# New\n", commit_message: "Say less" };
    const { to } = await post(world, `${project}/-/update/${branch}/README.md`, fields);
    expect(to).toBe(`${project}/-/blob/${branch}/README.md`);
    expect(await get(world, `${project}/-/raw/${branch}/README.md`)).toBe("# New\n");
    expect(await get(world, `${project}/-/commits/${branch}`)).toContain("Say less");
    expect(await get(openWorld(), `${project}/-/raw/${branch}/README.md`)).toContain("# dotstow");
  });

  test.each(["", "../up", "a//b", "<b>"])("the file name %j is refused", async (name) => {
    const { status } = await post(openWorld(), `${project}/-/create/${branch}`, { file_name: name, content: "x" });
    expect(status).toBe(422);
  });

  test("a merge request is opened, approved and merged", async () => {
    const world = openWorld();
    const sources = [...base.branches.values()].filter((one) => one.project === 1 && one.name !== branch);
    const open = [...base.merges.values()].filter((one) => one.project === 1 && one.state === "opened");
    const source = sources.find(({ name }) => open.every((one) => one.source !== name))?.name as string;
    const fields = { "merge_request[source_branch]": source, "merge_request[target_branch]": branch };
    const { to } = await post(world, `${project}/-/merge_requests`, { ...fields, "merge_request[title]": "Take it" });
    const text = await get(world, to);
    expect([...text.matchAll(/gl-font-monospace"[^>]*>([^<]+)</g)].map(([, name]) => name)).toEqual([source, branch]);
    expect(await get(world, `${to}/diffs`)).toContain("line added");
    await post(world, `${to}/approve`);
    await post(world, `${to}/merge`);
    expect(await get(world, to)).toContain("Approved by Byte Blaze");
    expect(await get(world, `${project}/-/commits/${branch}`)).toContain(`Merge branch &#39;${source}&#39;`);
    expect((await post(world, `${to}/merge`)).status).toBe(403);
    const again = await post(world, `${project}/-/merge_requests`, {
      ...fields,
      "merge_request[target_branch]": source,
    });
    expect(again.text).toContain("You must select different branches");
  });

  test("a fork has the files and commits of its source", async () => {
    const world = openWorld();
    const fields = { name: "my-moss", namespace: "byteblaze", visibility: "public", description: "" };
    const source = [...base.projects.values()].find(({ path }) => path === "moss");
    const { to } = await post(world, `/${source?.namespace}/moss/-/forks`, fields);
    expect(to).toBe("/byteblaze/my-moss");
    expect(await get(world, to)).toContain("Forked from");
    const commits = (text: string) => text.match(/(\d+) commits/)?.[1];
    const [copy, original] = [
      await get(world, `${to}/-/commits`),
      await get(world, `/${source?.namespace}/moss/-/commits`),
    ];
    expect(commits(copy)).toBe(commits(original));
    expect((await post(world, `/${source?.namespace}/moss/-/forks`, fields)).text).toContain("has already been taken");
  });
});

describe("projects and people", () => {
  test("a project is created with a README, and invites a member", async () => {
    const world = openWorld();
    const { to } = await post(world, "/projects", {
      "project[name]": "Tide Tables",
      "project[visibility]": "private",
      "project[initialize_with_readme]": "1",
    });
    expect(to).toBe("/byteblaze/tide-tables");
    expect(await get(world, to)).toContain("Private - Project access");
    await post(world, `${to}/-/project_members`, { user: `@${stranger?.username}`, role: "Developer" });
    expect(await get(world, `${to}/-/project_members`)).toContain(`@${stranger?.username}</span>`);
    expect((await post(world, "/projects", { "project[name]": "tide tables" })).text).toContain(
      "has already been taken",
    );
    expect((await post(world, "/projects", { "project[name]": " " })).text).toContain("can&#39;t be blank");
    expect(
      (await post(world, "/projects", { "project[name]": "x", "project[namespace]": "tidewater" })).text,
    ).toContain("Namespace is not valid");
  });

  test("an unknown person and a member cannot be invited", async () => {
    const world = openWorld();
    const place = `${project}/-/project_members`;
    expect((await post(world, place, { user: "nobody at all" })).text).toContain("No user was found");
    expect((await post(world, place, { user: "byteblaze" })).text).toContain("is already a member");
    expect(
      (await post(world, "/tidewater/tidemark/-/project_members", { user: stranger?.username ?? "" })).status,
    ).toBe(403);
    expect(takeChanges(world)).toEqual([]);
  });

  test("a star and a follow are added and removed", async () => {
    const world = openWorld();
    const before = await get(world, "/tidewater/tidemark");
    await post(world, "/tidewater/tidemark/-/toggle_star");
    expect(await get(world, "/tidewater/tidemark/-/starrers")).toMatch(/class="starrers"[\s\S]*@byteblaze/);
    expect(await get(world, "/users/byteblaze/starred")).toContain("Tidewater / tidemark<");
    await post(world, "/tidewater/tidemark/-/toggle_star");
    expect(await get(world, "/tidewater/tidemark")).toBe(before);
    const someone = [...base.users.values()].find(
      ({ id }) => id > 1 && ![...base.follows.values()].some((one) => one.follower === 1 && one.followed === id),
    );
    await post(world, `/users/${someone?.username}/follow`);
    expect(await get(world, "/users/byteblaze/following")).toContain(`@${someone?.username}`);
    await post(world, `/users/${someone?.username}/unfollow`);
    expect(await get(world, "/users/byteblaze/following")).not.toContain(`@${someone?.username}<`);
  });

  test("a profile is saved, and an invalid address is refused", async () => {
    const world = openWorld();
    const fields = { "user[name]": "Byte Blaze", "user[status][message]": "Busy", "user[website_url]": "egg.example" };
    await post(world, "/-/profile", fields);
    const text = await get(world, "/byteblaze");
    expect(text).toMatch(/class="cover-status"><span[^>]*>[^<]*<\/span><span>Busy<\/span><\/div>/);
    expect(text).toMatch(/itemprop="url"[^>]*>egg\.example</);
    expect((await post(world, "/-/profile", { ...fields, "user[website_url]": "javascript:alert(1)" })).status).toBe(
      422,
    );
  });

  test("a milestone needs a title and ordered days", async () => {
    const world = openWorld();
    const place = `${project}/-/milestones`;
    const fields = {
      "milestone[title]": "Launch",
      "milestone[start_date]": "2030-01-16",
      "milestone[due_date]": "2030-01-30",
    };
    const { to } = await post(world, place, fields);
    expect(await get(world, to)).toMatch(/class="block due_date"[\s\S]*Jan 30, 2030/);
    expect((await post(world, place, fields)).text).toContain("Title already being used");
    expect((await post(world, place, { ...fields, "milestone[title]": "" })).text).toContain("can&#39;t be blank");
    expect(
      (await post(world, place, { ...fields, "milestone[title]": "B", "milestone[due_date]": "2030-01-01" })).text,
    ).toContain("greater than start");
  });

  test("to-dos are done, and settings change the project", async () => {
    const world = openWorld();
    await post(world, "/dashboard/todos/1");
    expect(await get(world, "/dashboard/todos?state=done")).toContain("Add a to do");
    const fields = { "project[name]": "dotstow", "project[description]": "Shorter", "project[visibility]": "private" };
    await post(world, `${project}/edit`, fields);
    expect(await get(world, project)).toContain('home-panel-description-markdown">Shorter<');
    expect((await post(world, "/tidewater/tidemark/edit", fields)).status).toBe(403);
  });
});
