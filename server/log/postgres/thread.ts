/**
 * The thread that writes the log to PostgreSQL. While one transaction is carried out, all messages that arrive become the
 * next one, so under load a commit contains hundreds of steps. Reports are passed on to the main thread after the
 * commit. Reads have connections of their own, and begin when the writes that were sent before them are done.
 */
import { parentPort, workerData } from "node:worker_threads";
import { isDamage, LogLost } from "../damage.js";
import { Mailbox } from "../mailbox.js";
import type { EpisodeRow, FleetState, FromLog, LogAnswer, LogCall, PostgresLogData } from "../protocol.js";
import type { Turn } from "../turn.js";
import { Renewals } from "./renewals.js";
import { PostgresStore } from "./store.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;

const twinCreated = "another gym has created an episode with the same idempotency key";

let isWorking = false;
/** Settles when the last call that removes rows, and all calls before it, are answered. */
let barrier: Promise<unknown> = Promise.resolve();
const running = new Set<Promise<unknown>>();

const store = await PostgresStore.open(workerData as PostgresLogData).catch(fail);
const mailbox = new Mailbox(port, wake);
const renewals = new Renewals(async () => {
  const before = store.fleet;
  const isRenewed = await store.renew();
  tellFleet(before);
  if (isRenewed) tellMain({ reports: [], answers: [], isRenewed });
}, end);
store.onNews = () => renewals.hasten();
tellFleet(null);
wake();

function tellFleet(before: FleetState | null): void {
  const { fleet } = store;
  if (fleet && fleet !== before) tellMain({ reports: [], answers: [], fleet });
}

function wake(): void {
  if (isWorking) return;
  isWorking = true;
  work().catch(end);
}

async function work(): Promise<void> {
  for (;;) {
    const turn = mailbox.gather();
    const reads = mailbox.reads.splice(0);
    if (turn.isEmpty && reads.length === 0) break;
    if (!turn.isEmpty) tellMain(await commit(turn));
    for (const call of reads) read(call);
  }
  isWorking = false;
  if (mailbox.closing) await close();
}

async function commit(turn: Turn): Promise<FromLog> {
  const answers = await write(turn);
  for (const { host } of turn.detached) mailbox.detach(host);
  return turn.told(answers, store.newestAtMs);
}

async function write(turn: Turn): Promise<LogAnswer[]> {
  try {
    const { pages, writes } = turn;
    if (writes.length === 0 && pages.every(({ places }) => places.length === 0)) return [];
    const twins = await store.commit(pages, writes);
    return writes.map(({ id, method, args }) => {
      const isTwin = method === "createEpisode" && twins.has((args[0] as EpisodeRow).key);
      return isTwin ? { to: id, error: twinCreated } : { to: id, value: null };
    });
  } catch (error) {
    if (error instanceof LogLost) throw error;
    return turn.refuse(messageOf(error));
  }
}

/** Starts a read. A call that removes rows runs after all earlier calls, and before all later ones. */
function read(call: LogCall): void {
  const isAlone = call.method === "prune" || call.method === "pruneAliases";
  const done = (isAlone ? Promise.all([barrier, ...running]) : barrier).then(() => answer(call));
  running.add(done);
  void done.finally(() => running.delete(done));
  if (isAlone) barrier = done;
}

async function answer(call: LogCall): Promise<void> {
  let outcome: LogAnswer;
  try {
    const before = store.fleet;
    outcome = { to: call.id, value: (await store.answer(call)) ?? null };
    // The main thread hears of shards that were given before it hears that this gym has claimed them again.
    if (call.method === "giveShards") tellFleet(before);
    if (call.method === "drainGym" || call.method === "pinShard") renewals.hasten();
  } catch (error) {
    if (error instanceof LogLost) return end(error);
    outcome = { to: call.id, error: messageOf(error), isDamage: isDamage(error) };
  }
  tellMain({ reports: [], answers: [outcome] });
}

function tellMain(message: FromLog): void {
  port.postMessage(message);
}

async function close(): Promise<void> {
  await renewals.stop();
  await Promise.all(running);
  await store.close();
  mailbox.close();
}

/** Ends this thread with an error. The main thread then refuses all calls. */
function end(error: unknown): void {
  setImmediate(() => fail(error));
}

/** The error of a database has properties that cannot be passed to another thread. */
function fail(error: unknown): never {
  throw Object.assign(new Error(messageOf(error)), { isDamage: isDamage(error) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
