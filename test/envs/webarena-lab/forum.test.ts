/** The forum's pages and records. */
import { beforeEach, describe, expect, test } from "vitest";
import { type Submission, scoreOf } from "#palestra/envs/webarena-lab/sites/forum/rows.js";
import { openWorld, type World } from "#palestra/envs/webarena-lab/world.js";
import { me, Visits } from "./forum-visits.js";

let world: World;
let visits: Visits;

beforeEach(() => {
  world = openWorld();
  visits = new Visits(world);
});

const get: Visits["get"] = (...request) => visits.get(...request);
const post: Visits["post"] = (...request) => visits.post(...request);

describe("seeded records", () => {
  test("there are at least forty forums, with thousands of comments by hundreds of users", () => {
    const { forums, submissions, comments, users } = world.forum;
    expect([...forums].length).toBeGreaterThanOrEqual(40);
    expect([...submissions].length).toBeGreaterThan(1500);
    expect([...comments].length).toBeGreaterThan(8000);
    expect([...users].length).toBeGreaterThanOrEqual(400);
  });

  test("counts agree with the records, and no pattern is left unfilled", () => {
    const { forums, submissions, comments } = world.forum;
    const perThread = new Map<number, number>();
    for (const { submission } of comments) perThread.set(submission, (perThread.get(submission) ?? 0) + 1);
    for (const one of submissions) expect(one.comments).toBe(perThread.get(one.id) ?? 0);
    for (const one of forums)
      expect(one.submissions).toBe(submissions.filter((submission) => submission.forum === one.id).length);
    const texts = [...submissions]
      .flatMap(({ title, body }) => [title, body])
      .concat([...comments].map(({ body }) => body));
    expect(texts.filter((text) => /[{}|]|undefined/.test(text))).toEqual([]);
  });

  test("answers are later than their parents", () => {
    for (const comment of world.forum.comments) {
      const before =
        comment.parent === null
          ? world.forum.submissions.need(comment.submission)
          : world.forum.comments.need(comment.parent);
      expect(comment.created).toBeGreaterThanOrEqual(before.created);
    }
  });
});

describe("lists", () => {
  test("the front page shows featured submissions and the visitor's forums first in the sidebar", async () => {
    const { status, text } = await get("/");
    expect(status).toBe(200);
    expect(text.match(/<article class="submission"/g)).toHaveLength(25);
    expect(text).toMatch(/<aside id="sidebar"[^>]*><section><h2>Subscribed forums<\/h2>.*?boardgames/s);
  });

  test.each(["hot", "new", "active", "top", "controversial", "most_commented"])(
    "a forum can be read by %s",
    async (sort) => {
      const { status, text } = await get(`/f/books/${sort}`);
      expect(status).toBe(200);
      expect(text).toContain('class="submission__inner"');
    },
  );

  test("the top of a time range omits older submissions", async () => {
    const books = world.forum.forums.find(({ name }) => name === "books");
    const posts = world.forum.submissions.filter((one) => one.forum === books?.id);
    const [best] = [...posts].sort((one, other) => scoreOf(other) - scoreOf(one)) as [Submission];
    expect((await get("/f/books/top?t=all")).text).toContain(`id="submission_${best.id}"`);
    const { text } = await get("/f/books/top?t=day");
    const shown = [...text.matchAll(/id="submission_(\d+)"/g)].map(([, id]) =>
      world.forum.submissions.need(Number(id)),
    );
    for (const { created } of shown) expect(created).toBeGreaterThanOrEqual(Date.UTC(2024, 2, 14, 12));
  });

  test("pages follow each other without a gap", async () => {
    const ids = async (path: string) =>
      [...(await get(path)).text.matchAll(/id="submission_(\d+)"/g)].map(([, id]) => Number(id));
    const [first, second] = [await ids("/f/books/new"), await ids("/f/books/new?page=2")];
    expect(first).toHaveLength(25);
    expect(Math.min(...first)).toBeGreaterThan(Math.max(...second));
    expect(await ids("/f/books/new?page=99")).toEqual([]);
    expect(await ids("/f/books/new?page=x")).toEqual(first);
  });

  test("forums are sorted by their subscribers", async () => {
    const { text } = await get("/forums/by_subscribers");
    const counts = [...text.matchAll(/class="subscribe__count">\(([\d,]+)\)/g)].map(([, n]) =>
      Number(n?.replace(",", "")),
    );
    expect(counts.length).toBe(25);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  });

  test("a search finds titles, or reports that it found none", async () => {
    const { title } = visits.foreign();
    expect((await get(`/search?q=${encodeURIComponent(title)}`)).text).toContain('class="submission__link"');
    expect((await get("/search?q=zzyzx")).text).toContain("0 results for");
    expect((await get("/search")).status).toBe(200);
  });
});

describe("worlds", () => {
  test("one world does not see changes of another", async () => {
    const before = (await new Visits(openWorld()).get("/f/books/new")).text;
    await post("/submit", { title: "Only here", body: "", url: "", forum: "books" });
    expect((await get("/f/books/new")).text).toContain("Only here");
    expect((await new Visits(openWorld()).get("/f/books/new")).text).toBe(before);
  });

  test("rows are found by a field, including the episode's changes", () => {
    const { comments } = world.forum;
    const [first, second] = [...comments];
    const thread = comments.where("submission", first?.submission as number);
    expect(thread).toEqual(comments.filter(({ submission }) => submission === first?.submission));
    comments.remove(first?.id as number);
    comments.update(second?.id as number, { submission: 1, body: "Moved" });
    const added = comments.insert({ ...(second as NonNullable<typeof second>), submission: 1 });
    expect(comments.where("submission", first?.submission as number)).not.toContain(first);
    expect(comments.where("submission", 1)).toEqual([comments.get(second?.id as number), added]);
  });

  test("pages are served quickly", async () => {
    await get("/");
    const paths = [
      "/",
      "/all/top",
      "/f/books/most_commented",
      visits.pathOf(visits.foreign()),
      `/user/${me}`,
      "/search?q=lighthouse",
    ];
    for (const path of paths) await get(path);
    const start = process.cpuUsage();
    for (let round = 0; round < 4; round++) for (const path of paths) await get(path);
    const { user, system } = process.cpuUsage(start);
    // Milliseconds of processor time. Pages take 2 to 5 on an idle machine, and more on a busy one.
    expect((user + system) / 1000 / (4 * paths.length)).toBeLessThan(25);
  });
});
