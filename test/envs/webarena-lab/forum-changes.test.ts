/** Changes by visitors of the forum, and refusals. */
import { beforeEach, describe, expect, test } from "vitest";
import { scoreOf } from "#palestra/envs/webarena-lab/sites/forum/rows.js";
import { openWorld, takeChanges, type World } from "#palestra/envs/webarena-lab/world.js";
import { cookie, me, Visits } from "./forum-visits.js";

let world: World;
let visits: Visits;

beforeEach(() => {
  world = openWorld();
  visits = new Visits(world);
});

const get: Visits["get"] = (...request) => visits.get(...request);
const post: Visits["post"] = (...request) => visits.post(...request);

describe("votes", () => {
  test("a vote changes the form's class and the score, and can be retracted", async () => {
    const submission = visits.foreign();
    const score = scoreOf(submission);
    const { status, location } = await post(`/sv/${submission.id}`, { choice: "1" });
    expect([status, location?.startsWith(visits.pathOf(submission))]).toEqual([302, true]);
    const { text } = await get(visits.pathOf(submission));
    expect(text).toContain('<div class="submission__vote"><form class="vote vote--user-upvoted"');
    expect(text).toContain(`<span class="vote__net-score">${score + 1}</span>`);
    await post(`/sv/${submission.id}`, { choice: "-1" });
    expect((await get(visits.pathOf(submission))).text).toContain(`<span class="vote__net-score">${score - 1}</span>`);
    await post(`/sv/${submission.id}`, { choice: "0" });
    expect((await get(visits.pathOf(submission))).text).toContain('<div class="submission__vote"><form class="vote"');
    expect(scoreOf(world.forum.submissions.need(submission.id))).toBe(score);
  });

  test("a vote in a list leads back to its position in the list", async () => {
    const { id } = visits.foreign();
    const headers = { cookie, referer: "http://forum.test/f/books/new?page=2" };
    expect((await post(`/sv/${id}`, { choice: "1" }, headers)).location).toBe(`/f/books/new?page=2#submission_${id}`);
    const elsewhere = { cookie, referer: "http://other.test/f/books" };
    expect((await post(`/sv/${id}`, { choice: "0" }, elsewhere)).location).toMatch(/^\/f\/\w+\/\d+\//);
  });

  test("invalid choices, invalid targets and guests are refused", async () => {
    const { id } = visits.foreign();
    expect((await post(`/sv/${id}`, { choice: "5" })).status).toBe(400);
    expect((await post("/sv/999999999", { choice: "1" })).status).toBe(404);
    expect((await post("/cv/abc", { choice: "1" })).status).toBe(404);
    expect((await post(`/sv/${id}`, { choice: "1" }, {})).location).toBe("/login?from=%2F");
    expect(takeChanges(world)).toEqual([]);
  });
});

describe("submissions", () => {
  test("a text is submitted, with the author's own vote", async () => {
    const { status, location } = await post("/submit", {
      title: "A <b>bold</b> title",
      body: "One.\n\n- two\n- three",
      url: "",
      forum: "books",
    });
    expect([status, location]).toEqual([302, expect.stringMatching(/^\/f\/books\/\d+\/a-b-bold-b-title$/)]);
    const { text } = await get(location as string);
    expect(text).toContain("A &lt;b&gt;bold&lt;/b&gt; title</a>");
    expect(text).toContain("<p>One.</p><ul><li>two</li><li>three</li></ul>");
    expect(text).toContain("vote vote--user-upvoted");
  });

  test("a form with errors is returned with the errors and the typed text", async () => {
    const { status, text } = await post("/submit", { title: "", body: "'\"&<", url: "ftp://x", forum: "nowhere" });
    expect(status).toBe(422);
    for (const fault of ["The title must not be empty.", "This is not a valid URL.", "Choose the forum to submit to."])
      expect(text).toContain(fault);
    expect(text).toContain("&#39;&quot;&amp;&lt;");
    expect(takeChanges(world)).toEqual([]);
  });

  test("only authors can edit and delete their posts", async () => {
    const mine = visits.own();
    const path = `${visits.pathOf(mine)}/-`;
    expect((await get(`${path}/edit`)).text).toContain('id="submission_body"');
    await post(`${path}/edit`, { title: mine.title, url: "", body: "Changed." });
    expect((await get(visits.pathOf(mine))).text).toContain('<div class="submission__body"><p>Changed.</p>');
    expect((await post(`${path}/delete`)).status).toBe(302);
    expect((await get(visits.pathOf(mine))).status).toBe(404);
    const other = `${visits.pathOf(visits.foreign())}/-`;
    expect((await get(`${other}/edit`)).status).toBe(403);
    expect((await post(`${other}/delete`)).status).toBe(403);
    expect((await post(`${other}/delete`, {}, {})).location).toMatch(/^\/login/);
  });

  test("a post is found with and without readable words at the end of its address, and a wrong address is not", async () => {
    const path = visits.pathOf(visits.foreign());
    for (const end of ["", "/", "/any-words"]) expect((await get(`${path}${end}`)).status).toBe(200);
    for (const wrong of [
      "/f/books/1",
      "/f/books/abc",
      `/f/nowhere/${visits.foreign().id}`,
      "/f/%3Cscript%3E",
      "/f/books/99999999999999999999",
    ])
      expect((await get(wrong)).status).toBe(404);
  });
});

describe("comments", () => {
  test("an answer is shown below the answered post, and the post's author gets a notification", async () => {
    const submission = visits.foreign();
    const parent = world.forum.comments.find((one) => one.submission === submission.id && one.user !== 1);
    const path = `${visits.pathOf(submission)}/-/comment/${parent?.id}`;
    expect((await post(path, { comment: "Well said & done" })).location).toBe(path);
    const { text } = await get(path);
    expect(text).toMatch(/<div class="comment__replies">.*<div class="comment__body"><p>Well said &amp; done<\/p>/s);
    expect(world.forum.submissions.need(submission.id).comments).toBe(submission.comments + 1);
    expect(world.forum.notifications.find(({ user }) => user === parent?.user)).toBeDefined();
  });

  test("an empty comment is refused", async () => {
    const { status, text } = await post(`${visits.pathOf(visits.foreign())}/-/comment`, { comment: "  " });
    expect(status).toBe(422);
    expect(text).toContain("The comment must not be empty.");
  });

  test("a deleted comment leaves a placeholder if it has answers, and otherwise disappears", async () => {
    const submission = visits.foreign();
    await post(`${visits.pathOf(submission)}/-/comment`, { comment: "First" });
    const first = [...world.forum.comments].at(-1);
    const path = `${visits.pathOf(submission)}/-/comment/${first?.id}`;
    await post(path, { comment: "Second" });
    const second = [...world.forum.comments].at(-1);
    await post(`${path}/delete`);
    expect((await get(path)).text).toContain("This comment was deleted.");
    await post(`${visits.pathOf(submission)}/-/comment/${second?.id}/delete`);
    expect((await get(`${visits.pathOf(submission)}/-/comment/${second?.id}`)).status).toBe(404);
    expect(world.forum.submissions.need(submission.id).comments).toBe(submission.comments);
  });

  test("only its author can edit a comment", async () => {
    const mine = world.forum.comments.find(({ user }) => user === 1);
    const path = `${visits.pathOf(world.forum.submissions.need(mine?.submission as number))}/-/comment/${mine?.id}`;
    await post(`${path}/edit`, { comment: "Better." });
    expect((await get(path)).text).toContain("<p>Better.</p>");
    const theirs = world.forum.comments.find(({ user }) => user !== 1);
    const other = `${visits.pathOf(world.forum.submissions.need(theirs?.submission as number))}/-/comment/${theirs?.id}`;
    expect((await post(`${other}/edit`, { comment: "x" })).status).toBe(403);
  });
});

describe("forums", () => {
  test("a forum is created, and its founder moderates it", async () => {
    const fields = {
      name: "sci_fi",
      title: "Science fiction",
      description: "Novels & films",
      sidebar: "- New\n- Classic",
    };
    expect((await post("/create_forum", fields)).location).toBe("/f/sci_fi");
    const { text } = await get("/f/sci_fi/edit");
    expect(text).toMatch(/id="forum_description"[^>]*>\s*Novels &amp; films\s*<\/textarea>/);
    expect(text).toMatch(/id="forum_sidebar"[^>]*>\s*- New\n- Classic\s*<\/textarea>/);
    expect((await get("/")).text).toContain('<a href="/f/sci_fi">sci_fi</a>');
  });

  test("used and invalid names are refused", async () => {
    const fields = { title: "T", description: "", sidebar: "" };
    expect((await post("/create_forum", { ...fields, name: "BOOKS" })).text).toContain(
      "There is a forum with the name",
    );
    expect((await post("/create_forum", { ...fields, name: "a b" })).text).toContain("The name must have");
  });

  test("moderators change their forum, others do not", async () => {
    const before = world.forum.forums.find(({ name }) => name === "coffee");
    await post("/f/coffee/edit", { ...(before as object), sidebar: "New sidebar" } as Record<string, string>);
    expect((await get("/f/coffee")).text).toContain("<p>New sidebar</p>");
    expect((await get("/f/books/edit")).status).toBe(403);
    expect((await post("/f/books/edit", { name: "x" })).status).toBe(403);
  });

  test("a subscription changes the button, its count and the front page", async () => {
    const chess = world.forum.forums.find(({ name }) => name === "chess");
    expect((await get("/")).text).not.toContain('href="/f/chess">chess</a></li><li><a href="/f/coffee"');
    await post("/f/chess/subscribe");
    await post("/f/chess/subscribe");
    expect(world.forum.forums.need(chess?.id as number).subscribers).toBe((chess?.subscribers ?? 0) + 1);
    expect((await get("/")).text).toContain('href="/f/chess">chess</a></li><li><a href="/f/coffee"');
    await post("/f/chess/unsubscribe");
    expect(world.forum.forums.need(chess?.id as number).subscribers).toBe(chess?.subscribers);
  });
});

describe("accounts", () => {
  test("a visitor logs in only with the right password, and out again", async () => {
    expect((await get("/", {})).text).toContain('href="/login?from=%2F"');
    const wrong = await post("/login", { username: me, password: "nope", from: "/" }, {});
    expect([wrong.status, wrong.cookie]).toEqual([401, null]);
    expect(wrong.text).toContain("The username or the password is wrong.");
    const right = await post("/login", { username: me, password: "test1234", from: "//evil.test" }, {});
    expect([right.status, right.location]).toEqual([302, "/"]);
    expect(right.cookie).toMatch(/; Path=\/; HttpOnly/);
    const session = { cookie: (right.cookie as string).split(";")[0] as string };
    expect((await get(`/user/${me}/account`, session)).text).toContain("Delete");
    await post("/logout", {}, session);
    expect((await get(`/user/${me}/account`, session)).location).toMatch(/^\/login/);
  });

  test("a new account is created and logged in", async () => {
    const fields = { username: "new_here", password: "password9", repeat: "password9" };
    const { cookie: given } = await post("/registration", fields, {});
    expect((await get("/", { cookie: (given as string).split(";")[0] as string })).text).toContain("new_here");
    expect((await post("/registration", { ...fields, repeat: "x" }, {})).text).toContain("This username is taken.");
  });

  test("a biography is changed and shown as text", async () => {
    await post(`/user/${me}/edit_biography`, { biography: "<script>alert(1)</script>" });
    const { text } = await get(`/user/${me}`);
    expect(text).toContain('<div class="user-bio__biography"><p>&lt;script&gt;alert(1)&lt;/script&gt;</p></div>');
    const [, other] = [...world.forum.users];
    expect((await post(`/user/${other?.name}/edit_biography`, { biography: "x" })).status).toBe(403);
  });

  test("passwords are changed and accounts deleted after a confirmation", async () => {
    const change = { current: "test1234", password: "longer-one", repeat: "longer-one" };
    expect((await post(`/user/${me}/account`, { ...change, current: "x" })).status).toBe(422);
    expect((await post(`/user/${me}/account`, change)).text).toContain("Your password was changed.");
    expect((await post(`/user/${me}/delete_account`, { confirmation: "x" })).status).toBe(422);
    expect((await post(`/user/${me}/delete_account`, { confirmation: me })).status).toBe(302);
    expect((await get(`/user/${me}`)).status).toBe(404);
    expect((await get("/all/new")).status).toBe(200);
  });

  test("messages reach their reader, except from blocked users", async () => {
    const [, other] = [...world.forum.users];
    const path = `/user/${other?.name}`;
    expect((await post(`${path}/compose_message`, { body: "Hello there" })).location).toBe("/messages");
    expect((await get("/messages")).text).toContain("<p>Hello there</p>");
    await post(`${path}/block_user`);
    expect((await get("/block_list")).text).toContain(`href="${path}"`);
    expect((await post(`${path}/compose_message`, { body: "Again" })).status).toBe(422);
    await post("/unblock/1");
    expect((await get("/block_list")).text).toContain("You have not blocked anybody.");
    expect((await post(`/user/${me}/block_user`)).status).toBe(403);
  });

  test("notifications are shown and cleared", async () => {
    expect((await get("/notifications")).text.match(/"comment comment--alone"/g)).toHaveLength(12);
    await post("/clear_notifications");
    expect((await get("/notifications")).text).toContain("There are no notifications.");
  });
});
