/** Two programs play the seats of one episode, each by the URL of its seat, while gyms are killed. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { Fleet, type Node } from "../support/fleet.js";
import { freePort } from "../support/free-port.js";
import { eventually } from "../support/gym.js";
import { postgresFolder } from "../support/postgres.js";
import type { RunningServer } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";
import { SeatPlayer, type SeatPlayerOptions } from "./seat-player.js";

/** Number of turns in which each seat talks, before `right` proposes and `left` accepts. */
const talk = 6;
const bargain = { environment: "bargain", task: { split: "test", index: 1 }, maxSteps: 100 };

const actions = {
  left: (turn: number) => (turn < talk ? `say left ${turn}` : "accept"),
  right: (turn: number) => (turn < talk - 1 ? `say right ${turn}` : "keep 1 book, 2 balls"),
};
const played = Array.from({ length: 2 * talk + 1 }, (_, step) => actions[step % 2 === 0 ? "left" : "right"](step >> 1));
const heard = (other: string, count: number, from = 0) =>
  Array.from({ length: count - from }, (_, i) => `The other player says: ${other} ${from + i}`);
const end = "Deal: left gets 8, right gets 8.";
/** What each seat reads, in each of its turns and at the end. */
const read = {
  left: [
    "Goods: 1 book, 1 hat, 4 balls. Worth to you: book 0, hat 6, ball 1.\nYou begin.",
    ...heard("right", talk - 1),
    "The other player proposes to keep 1 book, 2 balls. You would get 1 hat, 2 balls.",
    end,
  ],
  right: [
    "Goods: 1 book, 1 hat, 4 balls. Worth to you: book 6, hat 0, ball 1.\nThe other player says: left 0",
    ...heard("left", talk, 1),
    end,
  ],
};

interface Transcript {
  steps: { index: number; action: string }[];
}

/** Plays the bargain by two players, and compares their replies and the log with an undisturbed play. */
async function expectPlay(players: SeatPlayer[], readTranscript: () => Promise<Transcript>): Promise<void> {
  const [left, right] = players as [SeatPlayer, SeatPlayer];
  const views = await Promise.all(players.map((player) => player.play()));
  expect({ left: left.read, right: right.read }).toEqual(read);
  for (const view of views)
    expect(view).toMatchObject({ terminated: true, turn: null, return: 0.8, index: played.length });
  const { steps } = await readTranscript();
  expect(steps.map(({ action }) => action)).toEqual(played);
  expect(steps.map(({ index }) => index)).toEqual([...played.keys()]);
}

function playersOf(
  options: Pick<SeatPlayerOptions, "gym" | "episodeId">,
  own: Record<string, Partial<SeatPlayerOptions>>,
) {
  return (["left", "right"] as const).map(
    (seat) => new SeatPlayer({ ...options, seat, actionAt: actions[seat], ...own[seat] }),
  );
}

test("a server that is killed between, during and after steps loses and doubles nothing", async () => {
  const dataDir = scratch();
  const port = await freePort();
  const start = () => serve({ dataDir, port });
  let server: RunningServer = await start();
  const { url } = server;
  const asked = async (path: string, body?: object) => {
    const headers = { "content-type": "application/json" };
    const request = body && { method: "POST", body: JSON.stringify(body), headers };
    return (await fetch(`${url}/v1${path}`, request)).json();
  };
  const { episodeId } = (await asked("/episodes", bargain)) as { episodeId: string };
  let crashes = 0;
  const crash = async () => {
    crashes += 1;
    await server.process.kill();
    server = await start();
  };
  let crashed = Promise.resolve();
  const players = playersOf(
    { gym: () => url, episodeId },
    {
      left: {
        // Between steps: the other seat waits for its turn.
        onStep: (turn) => (turn === 1 ? crash() : undefined),
        // During a step: it may be in the log or not.
        onSent: (turn) => {
          if (turn === 3) crashed = sleep(3).then(crash);
        },
      },
      // After a step: the seat that took it waits for its next turn.
      right: { onStep: (turn) => (turn === 4 ? crash() : undefined) },
    },
  );
  await expectPlay(players, () => asked(`/episodes/${episodeId}/transcript`) as Promise<Transcript>);
  await crashed;
  expect(crashes).toBe(3);
  for (const { repeated } of players) {
    expect(repeated.length).toBeGreaterThan(0);
    for (const { status } of repeated) expect(status).toBe(0);
  }
});

describe.skipIf(postgresFolder === null)("in a fleet", () => {
  const opened = async (fleet: Fleet, owner: Node) => {
    const { episodeId } = (await fleet.send("/episodes", bargain, {}, owner.url)) as { episodeId: string };
    await fleet.palestra("fleet", "move", episodeId, owner.url);
    return episodeId;
  };
  const transcript = (fleet: Fleet, id: string) => async () =>
    (await fleet.send(`/episodes/${id}/transcript`)) as unknown as Transcript;

  test("a seat that waits through another gym gets its turn when the episode moves, and when its gym is killed", async () => {
    const fleet = await Fleet.start(2);
    const [owner, other] = fleet.nodes as [Node, Node];
    const relayed = await opened(fleet, owner);
    const direct = await opened(fleet, owner);
    const move = async (target: Node) => void (await fleet.palestra("fleet", "move", relayed, target.url));
    // The kill comes when both episodes have come to their turns before it.
    let arrived = 0;
    let kill = () => {};
    const killed = new Promise<void>((resolve) => {
      kill = () => void owner.process.kill().then(() => resolve());
    });
    const atKill = () => {
      arrived += 1;
      if (arrived === 2) {
        fleet.nodes.shift();
        kill();
      }
      return killed;
    };
    const byTurn: Record<number, () => Promise<void>> = { 1: () => move(other), 2: () => move(owner), 4: atKill };
    const through = playersOf(
      { gym: () => other.url, episodeId: relayed },
      {
        left: { onStep: (turn) => byTurn[turn]?.() },
      },
    );
    const from = playersOf(
      { gym: () => (owner.process.running ? owner.url : other.url), episodeId: direct },
      {
        left: { gym: () => other.url, onStep: (turn) => (turn === 3 ? atKill() : undefined) },
      },
    );
    await Promise.all([expectPlay(through, transcript(fleet, relayed)), expectPlay(from, transcript(fleet, direct))]);
    // No call through the gym that lives had to be repeated.
    expect(through.map(({ repeated }) => repeated)).toEqual([[], []]);
    // The seat that waited at the killed gym lost its connection, and asked the other gym.
    expect(from.map(({ repeated }) => repeated)).toEqual([[], [{ status: 0 }]]);
  });

  test("a waiting client that disconnects ends its wait at the gym that has the episode", async () => {
    const fleet = await Fleet.start(2);
    const [owner, other] = fleet.nodes as [Node, Node];
    const episodeId = await opened(fleet, owner);
    const waits = async () =>
      /^palestra_seat_waits (\d+)$/m.exec(await (await fetch(`${owner.url}/metrics`)).text())?.[1];
    const url = `${other.url}/v1/episodes/${episodeId}/seats/right?waitMs=30000`;
    const kept = fetch(url);
    await eventually(async () => (await waits()) === "1");
    const gone = new AbortController();
    const calls = [0, 1, 2].map(() => fetch(url, { signal: gone.signal }).catch((error: Error) => error.name));
    await eventually(async () => (await waits()) === "4");
    gone.abort();
    expect(await Promise.all(calls)).toEqual(new Array(3).fill("AbortError"));
    await eventually(async () => (await waits()) === "1");
    // The oldest call still waits, so the others have not ended because their time was over.
    await fleet.send(`/episodes/${episodeId}/step`, { index: 0, action: "say hello" });
    expect(await (await kept).json()).toMatchObject({ turn: "right" });
  });
});
