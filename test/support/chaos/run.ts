/** Plays episodes on a fleet of three gyms while gyms, connections and the database fail, and checks all replies. */
import { setTimeout as sleep } from "node:timers/promises";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { GymSocket } from "../gym-socket.js";
import { scratchDir, startGym } from "../server-process.js";
import { playAgentgym } from "./agentgym-player.js";
import { Balancer } from "./balancer.js";
import { Database } from "./database.js";
import { type FaultCounts, Faults } from "./faults.js";
import { Gyms } from "./gyms.js";
import { Ledger } from "./ledger.js";
import { Pace } from "./pace.js";
import { type Played, playAlone, playBatch, playTogether, readAlong, type Stage, type Window } from "./players.js";
import { playScripts, type Script } from "./scripts.js";
import { HttpTransport, SocketTransport, type Transport, untilAnswered } from "./transport.js";

export interface ChaosOptions extends FaultCounts {
  episodes: number;
  /** Number of these episodes that are played over AgentGym's protocol. */
  agentgym: number;
  seed: number;
  onFault?: (text: string) => void;
}

export interface ChaosResult {
  episodes: number;
  steps: number;
  acknowledged: number;
  unanswered: number;
  refused: number;
  seconds: number;
  /** Wrong replies, contradictions in the histories, and gyms that ended without a fault. */
  faults: readonly string[];
  /** Milliseconds without service for each episode, by kind of fault. */
  services: ReadonlyMap<string, readonly number[]>;
}

const gymCount = 3;
/** A tenth of the episodes is played by several clients at once, and a third of the others in batches. */
const [tenth, batchSize, rivals, readers] = [10, 10, 3, 4];
const togetherLength = 60;

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const reference = scratchDir();
  const undisturbed = await startGym({ dataDir: reference.path });
  const socket = await GymSocket.connect(undisturbed.url);
  const database = await Database.start(gymCount);
  const gyms = await Gyms.start(database);
  const urls = Array.from({ length: gymCount }, (_, gym) => gyms.url(gym));
  const balancer = new Balancer(urls, new MersenneTwister(options.seed));
  try {
    const together = Math.floor(options.episodes / tenth);
    const scripts = await playScripts(socket, options.episodes - together - options.agentgym, options.seed);
    return await play(options, { gyms, database, balancer, socket, scripts, together });
  } finally {
    balancer.stop();
    socket.terminate();
    await Promise.all([gyms.stop(), undisturbed.process.stop()]);
    await database.remove();
    reference.remove();
  }
}

interface Setting {
  gyms: Gyms;
  database: Database;
  balancer: Balancer;
  /** Number of episodes that several clients play at once. */
  together: number;
  /** Socket of the gym without faults. */
  socket: GymSocket;
  scripts: readonly Script[];
}

async function play(options: ChaosOptions, setting: Setting): Promise<ChaosResult> {
  const { gyms, database } = setting;
  const random = new MersenneTwister(options.seed);
  const ledger = new Ledger();
  const faults = new Faults(gyms, database, ledger, random, options, options.onFault ?? (() => {}));
  const pace = new Pace(() => faults.progress);
  const stage = { ledger, pace };
  const startedAt = performance.now();
  let isOver = false;
  const reading = Array.from({ length: readers }, (_, i) =>
    readAlong(stage, transportOf(setting, i), `reader ${i}`, options.seed + i, () => isOver),
  );
  const startFaults = async () => {
    // Episodes must be running at the first faults too.
    await eventually(() => ledger.liveEpisodes.length > options.episodes / 5);
    await faults.run();
  };
  const agentgym = Array.from({ length: options.agentgym }, (_, i) =>
    playAgentgym(stage, setting.balancer, `AgentGym ${i}`, { from: 0, to: 1 }),
  );
  const [played] = await Promise.all([playAll(stage, setting, random), startFaults(), ...agentgym]);
  isOver = true;
  await Promise.all(reading);
  pace.stop();
  const steps = await checkAll(ledger, setting, played);
  return {
    ...{
      episodes: played.length + agentgym.length,
      steps,
      services: faults.services,
      seconds: (performance.now() - startedAt) / 1_000,
    },
    ...{ acknowledged: ledger.acknowledged, unanswered: ledger.unanswered, refused: ledger.refused },
    faults: [...ledger.faults, ...unexpectedExits(gyms)],
  };
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(50);
}

function transportOf({ balancer }: Setting, number: number): Transport {
  return number % 2 === 0 ? new HttpTransport(balancer) : new SocketTransport(balancer);
}

/** Plays all episodes. Half of the clients use HTTP and half a socket. */
async function playAll(stage: Stage, setting: Setting, random: MersenneTwister): Promise<Played[]> {
  const { scripts, together } = setting;
  const transports: Transport[] = [];
  const transport = () => {
    transports.push(transportOf(setting, transports.length));
    return transports.at(-1) as Transport;
  };
  const playing: Promise<Played | Played[]>[] = [];
  const inBatches = Math.floor(scripts.length / 3);
  for (let i = 0; i < inBatches; i += batchSize) {
    const batch = scripts.slice(i, Math.min(i + batchSize, inBatches));
    playing.push(playBatch(stage, transport(), `batch ${i}`, batch, { from: 0, to: 1 }));
  }
  for (const [i, script] of scripts.slice(inBatches).entries())
    playing.push(playAlone(stage, transport(), `episode ${i}`, script, windowOf(script, random)));
  for (let i = 0; i < together; i++) {
    const clients = Array.from({ length: rivals }, transport);
    playing.push(playTogether(stage, clients, `rivals ${i}`, togetherLength, { from: 0, to: 1 }));
  }
  const played = (await Promise.all(playing)).flat();
  for (const each of transports) each.close();
  return played;
}

/** Short episodes are played during only a part of the faults. */
function windowOf({ actions }: Script, random: MersenneTwister): Window {
  const length = Math.min(1, actions.length / 40);
  const from = random.random() * (1 - length);
  return { from, to: from + length };
}

/** Compares the steps of all episodes at the end. Returns their number. */
async function checkAll(ledger: Ledger, setting: Setting, played: readonly Played[]): Promise<number> {
  const { socket, scripts } = setting;
  const reader = transportOf(setting, 0);
  let steps = 0;
  for (const [i, { id, name }] of played.entries()) {
    const last = await ledger.read("the last reader", reader, id);
    ledger.check(id, last);
    steps += last.length;
    // Plays the episodes of several clients again, in the order of the fleet's steps.
    const expected =
      scripts[i]?.replies ??
      (await replay(
        socket,
        last.map(({ action }) => action),
      ));
    ledger.expectEqual(`${name}: number of steps`, `${last.length}`, `${expected.length}`);
    for (const [index, { reply }] of last.entries())
      ledger.expectEqual(`${name}: step ${index} in the end`, reply, expected[index]);
  }
  return steps;
}

async function replay(socket: GymSocket, actions: readonly string[]): Promise<string[]> {
  const request = { environment: "textcraft", task: { split: "all", index: 0 }, seed: 1, maxSteps: 10_000 };
  const { episodeId } = await socket.request<{ episodeId: string }>("create", request);
  const replies: string[] = [];
  for (const [index, action] of actions.entries())
    replies.push(await untilAnswered(() => socket.requestText("step", { episodeId, index, action })));
  return replies;
}

/** A gym may end by SIGKILL, or with status 1 because it was fenced. */
function unexpectedExits(gyms: Gyms): string[] {
  return gyms.exits
    .filter(({ signal, code, output }) => signal !== "SIGKILL" && !(code === 1 && /another gym/.test(output)))
    .map(({ gym, code, signal, output }) => `gym ${gym} ended with ${code ?? signal}: ${output.slice(-1_000)}`);
}
