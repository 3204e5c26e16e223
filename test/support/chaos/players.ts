/**
 * Clients of a fleet. A client plays an episode alone, many episodes in batches, or one episode in competition with
 * others.
 */
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { Refusal } from "../gym-socket.js";
import type { Ledger, Step } from "./ledger.js";
import type { Pace } from "./pace.js";
import type { Script } from "./scripts.js";
import { isPassing, type Transport, untilAnswered } from "./transport.js";

export interface Played {
  id: string;
  name: string;
}

export interface Stage {
  ledger: Ledger;
  pace: Pace;
}

/** Shares of the faults between which an episode is played, from 0 to 1. */
export interface Window {
  from: number;
  to: number;
}

/** Share of the faults at which a step is due, from 0 to 1. */
export const partAt = ({ from, to }: Window, index: number, length: number) => from + ((to - from) * index) / length;

/** Creates an episode with an idempotency key, and creates it again with the same key. */
export async function create(
  { ledger }: Stage,
  transport: Transport,
  name: string,
  request: object,
): Promise<{ id: string; observation: string }> {
  const params = { ...request, idempotencyKey: name };
  const once = async () =>
    JSON.parse(await untilAnswered(() => transport.send("create", params))) as Record<
      "episodeId" | "observation",
      string
    >;
  const { episodeId: id, observation } = await once();
  ledger.open(id);
  ledger.expectEqual(`${name}: id of the second create`, (await once()).episodeId, id);
  return { id, observation };
}

/** Plays a script, and compares each reply. */
export async function playAlone(
  stage: Stage,
  transport: Transport,
  name: string,
  script: Script,
  window: Window,
): Promise<Played> {
  const { ledger, pace } = stage;
  const { actions, replies } = script;
  await pace.until(window.from, () => false);
  const { id, observation } = await create(stage, transport, name, script.request);
  ledger.expectEqual(`${name}: observation`, observation, script.opening);
  try {
    for (const [index, action] of actions.entries()) {
      await pace.until(partAt(window, index, actions.length), () => ledger.isHurried(id));
      const reply = await untilAnswered(() => ledger.step(name, transport, id, { index, action }));
      ledger.expectEqual(`${name}: reply ${index}`, reply, replies[index]);
    }
    ledger.finish(id);
  } catch (error) {
    ledger.fail(name, id, error);
  }
  return { id, name };
}

/** Plays scripts with `stepMany`. */
export async function playBatch(
  stage: Stage,
  transport: Transport,
  name: string,
  scripts: readonly Script[],
  window: Window,
): Promise<Played[]> {
  const { ledger, pace } = stage;
  await pace.until(window.from, () => false);
  const episodes = await Promise.all(
    scripts.map(async (script, i) => {
      const { id } = await create(stage, transport, `${name}, ${i}`, script.request);
      return { id, name: `${name}, ${i}`, script, index: 0 };
    }),
  );
  const length = Math.max(...scripts.map(({ actions }) => actions.length));
  for (let round = 0; round < length; round++) {
    const playing = episodes.filter(({ index, script }) => index < script.actions.length);
    await pace.until(partAt(window, round, length), () => playing.some(({ id }) => ledger.isHurried(id)));
    let open = playing;
    await untilAnswered(async () => {
      open = await playRound(ledger, transport, open);
      if (open.length > 0) throw new Refusal("EPISODE_ELSEWHERE", "infrastructure", "some steps are not answered");
    });
    for (const { id, index, script } of playing) if (index === script.actions.length) ledger.finish(id);
  }
  return episodes;
}

interface InBatch extends Played {
  script: Script;
  index: number;
}

/** Sends a step of each episode, and returns the episodes whose step has to be repeated. */
async function playRound(ledger: Ledger, transport: Transport, episodes: readonly InBatch[]): Promise<InBatch[]> {
  const stepOf = ({ index, script }: InBatch): Step => ({ index, action: script.actions[index] as string });
  const steps = episodes.map((episode) => ({ episodeId: episode.id, ...stepOf(episode) }));
  const from = performance.now();
  let text: string;
  try {
    text = await transport.send("stepMany", { steps });
  } catch (error) {
    for (const episode of episodes) ledger.onError(episode.name, episode.id, stepOf(episode), error, from);
    if (isPassing(error)) return [...episodes];
    throw error;
  }
  const { results } = JSON.parse(text) as { results: { error?: { code: string; class: string; message: string } }[] };
  const texts = results.map((result) => JSON.stringify(result));
  ledger.expectEqual("a reply to stepMany", text, `{"results":[${texts.join()}]}`);
  return episodes.filter((episode, i) => {
    const error = results[i]?.error;
    if (error) {
      const refusal = new Refusal(error.code, error.class, error.message);
      ledger.onError(episode.name, episode.id, stepOf(episode), refusal, from);
      if (isPassing(refusal)) return true;
      ledger.fail(episode.name, episode.id, refusal);
      episode.index = episode.script.actions.length;
      return false;
    }
    ledger.onReply(episode.name, episode.id, stepOf(episode), texts[i] as string, from);
    ledger.expectEqual(`${episode.name}: reply ${episode.index}`, texts[i], episode.script.replies[episode.index]);
    episode.index += 1;
    return false;
  });
}

/** Plays one episode from several clients at once. Each index goes to the fastest client. */
export async function playTogether(
  stage: Stage,
  transports: readonly Transport[],
  name: string,
  length: number,
  window: Window,
): Promise<Played> {
  const { ledger, pace } = stage;
  await pace.until(window.from, () => false);
  const request = { environment: "textcraft", task: { split: "all", index: 0 }, seed: 1, maxSteps: 10_000 };
  const { id } = await create(stage, transports[0] as Transport, name, request);
  await Promise.all(
    transports.map(async (transport, client) => {
      const self = `${name}, client ${client}`;
      for (let index = 0; index < length; ) {
        await pace.until(partAt(window, index, length), () => ledger.isHurried(id));
        const action = `get ${1 + client + transports.length * index} dirt`;
        try {
          await untilAnswered(() => ledger.step(self, transport, id, { index, action }));
          index += 1;
        } catch (error) {
          if (!(error instanceof Refusal) || error.code !== "STEP_CONFLICT") throw error;
          index = Math.max(index + 1, await ledger.count(self, transport, id));
        }
      }
    }),
  );
  ledger.finish(id);
  return { id, name };
}

/** Reads steps of random episodes until `isOver` returns true. */
export async function readAlong(
  { ledger, pace }: Stage,
  transport: Transport,
  name: string,
  seed: number,
  isOver: () => boolean,
): Promise<void> {
  const random = new MersenneTwister(seed);
  while (!isOver()) {
    const ids = ledger.liveEpisodes;
    if (ids.length > 0) await ledger.read(name, transport, random.choice(ids));
    let ticks = 0;
    await pace.until(2, () => ++ticks > 3);
  }
}
