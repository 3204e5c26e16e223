/**
 * A caller's objects are invisible to all other callers, in every operation of the OpenAPI document. Another caller
 * gets the reply for an object that does not exist, and the object does not change.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { eventually } from "../support/gym.js";
import { GymSocket } from "../support/gym-socket.js";
import {
  type Ask,
  ada,
  episode,
  fresh,
  gym,
  json,
  marks,
  openCallers,
  others,
  pair,
  post,
  send,
  url,
  watch,
} from "./owned-things.js";
import { type ById, type Lists, type Right, type Row, rows } from "./owner-rows.js";

beforeAll(openCallers);

type Reply = Awaited<ReturnType<typeof send>>;

/** Makes two replies comparable: replaces the ids of the objects, and new ids in the reply, with equal ones. */
function comparable({ status, text }: Reply, ...ids: string[]): [number, string] {
  const parts = ids.flatMap((id) => id.split(","));
  const known = parts.reduce((rest, id) => rest.replaceAll(new RegExp(`\\b${id}\\b`, "g"), "ID"), text);
  return [status, known.replace(/ep-\w+(-\w+)*/g, "NEW").replace(/"[\d-]+T[\d:.]+Z"/g, '"TIME"')];
}

function expectNoMark({ text }: Pick<Reply, "text">, asked: string[] = []): void {
  const told = marks.filter((mark) => !asked.join().includes(mark) && text.includes(mark));
  expect(told).toEqual([]);
}

const kindOf = (wanted: (row: Exclude<Row, string>) => boolean) =>
  Object.entries(rows).filter(([, row]) => typeof row !== "string" && wanted(row));

test("every operation of the OpenAPI document has a row", async () => {
  const document = (await gym.app.inject("/openapi.json")).json() as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const named = Object.values(document.paths).flatMap((path) => Object.values(path).map((each) => each.operationId));
  expect(Object.keys(rows).sort()).toEqual(named.sort());
});

describe("another caller gets the same reply for an object as for an absent one", () => {
  test.each(kindOf((row) => "of" in row) as [string, ById][])(
    "%s",
    async (_, { of, asks, mayBeSameForOwner }) => {
      for (const ask of asks) {
        const { id, absent, look } = await of();
        const before = await Promise.all(look.map((one) => send(one, ada)));
        const told: [number, string][] = [];
        for (const [who, token] of Object.entries(others)) {
          const [foreign, missing] = [await send(ask(id), token), await send(ask(absent), token)];
          expectNoMark(foreign, [id]);
          expect(comparable(foreign, id, absent), who).toEqual(comparable(missing, id, absent));
          told.push(comparable(foreign, id, absent));
        }
        const after = await Promise.all(look.map((one) => send(one, ada)));
        expect(after.map(({ status, text }) => [status, text])).toEqual(
          before.map(({ status, text }) => [status, text]),
        );
        expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
        const own = comparable(await send(ask(id), ada), id, absent);
        const later = await Promise.all(look.map((one) => send(one, ada)));
        const hasEffect = later.some(({ text }, at) => text !== before[at]?.text);
        const isOther = told.every(([status, text]) => status !== own[0] || text !== own[1]);
        if (mayBeSameForOwner === undefined) expect(hasEffect || isOther, "the owner's request succeeds").toBe(true);
      }
    },
    120_000,
  );
});

describe("a caller's list contains no object of another caller", () => {
  test.each(kindOf((row) => "lists" in row) as [string, Lists][])(
    "%s",
    async (_, { lists }) => {
      const [left, right] = (await pair()).id.split(",");
      await json(post("/v1/judgments", { left, right, choice: "left", rater: "eve", note: "a secret note" }));
      marks.push("a secret note");
      for (const ask of lists) {
        const own = await send(ask, ada);
        const unused = await send(ask, fresh);
        expect([unused.status, own.status]).toEqual([200, 200]);
        expect(comparable(own)).not.toEqual(comparable(unused));
        for (const token of Object.values(others)) expectNoMark(await send(ask, token));
        expectNoMark(unused);
      }
    },
    120_000,
  );

  test("an export without named episodes", async () => {
    const { id } = await episode()();
    for (const format of ["json", "steps"]) {
      const own = await send(post("/v1/export", { format }), ada);
      expect([format, own.status]).toEqual([format, 200]);
      // A ZIP archive names its files in plain text.
      if (format === "json") expect(own.text).toContain(id);
      for (const token of [fresh, ...Object.values(others)])
        expectNoMark(await send(post("/v1/export", { format }), token));
    }
  });

  test("the stream of the gym's events", async () => {
    const streams = await Promise.all([ada, fresh, ...Object.values(others)].map(watch));
    const { id } = await episode()();
    await eventually(() => streams[0]?.told().includes(id) ?? false);
    // By then, the other callers' streams have received their next status.
    await sleep(2_000);
    for (const { told, stop } of streams.slice(1)) {
      expect(told()).toContain("event: status");
      expectNoMark({ text: told() });
      stop();
    }
    streams[0]?.stop();
  });
});

test.each(kindOf((row) => "right" in row) as [string, Right][])(
  "a token without the right `runs` sees no run by %s",
  async (_, { asks }) => {
    for (const ask of asks) {
      for (const token of [ada, fresh, others["a token of the same group"]]) {
        const { status, text } = await send(ask, token);
        expect([status, JSON.parse(text).error?.code]).toEqual([403, "RIGHT_MISSING"]);
      }
      expect((await send(ask, others["a token with all rights"])).text).not.toContain("RIGHT_MISSING");
    }
  },
);

test("a page of episodes after another caller's episode is refused like a page after an absent episode", async () => {
  const { id, absent } = await episode()();
  for (const token of Object.values(others)) {
    const [foreign, missing] = [id, absent].map((before) => ({ path: `/v1/episodes?before=${before}` })) as [Ask, Ask];
    const replies = [await send(foreign, token), await send(missing, token)] as const;
    expect(comparable(replies[0], id, absent)).toEqual(comparable(replies[1], id, absent));
  }
});

test("a caller cannot judge another caller's episode against one of their own", async () => {
  const [own] = (await pair()).id.split(",");
  const body = { environment: "painter", task: { index: 0 } };
  for (const token of Object.values(others)) {
    const created = JSON.parse((await send(post("/v1/episodes", body), token)).text) as { episodeId: string };
    for (const sides of [
      { left: own, right: created.episodeId },
      { left: created.episodeId, right: own },
    ]) {
      const { status, text } = await send(post("/v1/judgments", { ...sides, choice: "tie", rater: "eve" }), token);
      expect([status, JSON.parse(text).error.code]).toEqual([404, "EPISODE_UNKNOWN"]);
    }
  }
});

test("an idempotency key of one caller finds no episode of another", async () => {
  const headers = { "idempotency-key": "the same" };
  const body = { environment: "faulty", task: { index: 0 } };
  const made = async (token: string | undefined) => {
    const one = JSON.parse((await send(post("/v1/episodes", body, headers), token)).text) as { episodeId: string };
    const many = await send(post("/v1/createMany", { episodes: [body] }, headers), token);
    return [one.episodeId, JSON.parse(many.text).results[0].episodeId as string];
  };
  const own = await made(ada);
  expect(await made(ada)).toEqual(own);
  const all = [...own];
  for (const token of [fresh, ...Object.values(others)]) all.push(...(await made(token)));
  expect(new Set(all).size).toBe(all.length);
});

test("a socket of one caller refuses every operation on another caller's episode", async () => {
  const { id, absent, look } = await episode()();
  const before = await Promise.all(look.map((one) => json(one)));
  const operations: Record<string, object> = {
    get: {},
    opening: {},
    transcript: {},
    step: { index: 1, action: "more" },
    stepMany: {},
    fork: {},
    expert: {},
    render: {},
    query: { query: "heard" },
    close: {},
  };
  for (const token of Object.values(others)) {
    const socket = await GymSocket.connect(url, token === undefined ? {} : { token });
    try {
      for (const [op, more] of Object.entries(operations)) {
        const told = async (episodeId: string) => {
          const params = op === "stepMany" ? { steps: [{ episodeId, index: 1, action: "x" }] } : { episodeId, ...more };
          const text = await socket.requestText(op, params).catch((error: Error) => error.message);
          return text.replaceAll(episodeId, "ID");
        };
        expect([op, await told(id)]).toEqual([op, await told(absent)]);
      }
    } finally {
      socket.raw.terminate();
    }
  }
  expect(await Promise.all(look.map((one) => json(one)))).toEqual(before);
});
