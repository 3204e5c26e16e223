/**
 * The thread that writes the log to PostgreSQL. While one transaction runs, all arriving messages become the next one,
 * so under load a commit contains hundreds of steps. A transaction with many steps is sent ahead, before the reply to
 * the previous one. Reports are passed on to the main thread after the commit. Reads have their own connections, and
 * begin when the earlier writes are done.
 */
import { parentPort, workerData } from "node:worker_threads";
import { usualTimes } from "../../config/times.js";
import { Mailbox } from "../mailbox.js";
import { monotonicMs } from "../monotonic.js";
import { isDamage, LogLost } from "../records/damage.js";
import type {
  EpisodeRow,
  FleetState,
  FromLog,
  LogAnswer,
  LogCall,
  LogCallName,
  LogDurability,
  PostgresLogData,
} from "../records/protocol.js";
import type { Turn } from "../records/turn.js";
import { Renewals } from "./fleet/renewals.js";
import { type Committed, PostgresStore } from "./store.js";

if (!parentPort) throw new Error("expected to run in a worker thread, but received the main thread");
const port = parentPort;

/** Milliseconds between checks for synchronous standbys. */
const durabilityMs = 1_000;

const twinCreated = "another gym has created an episode with the same idempotency key";

/**
 * Largest number of unanswered transactions, and number of characters of steps from which on a transaction is sent
 * ahead.
 */
const [mostSent, charactersAhead] = [2, 65_536];

const changesFleet: ReadonlySet<LogCallName> = new Set(["serveGym", "drainGym", "pinShard"]);

let isSending = false;
/** Number of transactions whose result the main thread has not received yet. */
let sent = 0;
/** Settles when the main thread has received the results of all transactions. */
let told: Promise<void> = Promise.resolve();
let isClosed = false;
/** Settles when the last call that removes rows, and all calls before it, are answered. */
let barrier: Promise<unknown> = Promise.resolve();
const running = new Set<Promise<unknown>>();

const openedAt = monotonicMs();
const {
  node,
  durability: needed,
  pulse: pulses = new Int32Array(1),
  times = usualTimes.fleet,
} = workerData as PostgresLogData;
/** Whether the gym has announced that it serves requests. */
let isServing = false;
/** Newest heartbeat of the main thread. */
let pulse = { value: 0, sinceMs: openedAt };
const store = await PostgresStore.open(workerData as PostgresLogData).catch(fail);
let toldDurability: LogDurability | null = null;
let durabilityCheck: NodeJS.Timeout | undefined;
await tellDurability();
const warning = await store.warning().catch(() => null);
if (warning !== null) tellMain({ reports: [], answers: [], warning });
const mailbox = new Mailbox(port, wake);
const renewals = new Renewals(renew, end, times.renewalMs);
store.onNews = () => renewals.hasten();
store.onTrouble = (trouble) => tellMain({ reports: [], answers: [], trouble });
tellFleet(null);
// A gym joins its fleet with a renewal. If this took long, the next renewal follows at once.
tellMain({ reports: [], answers: [], renewedAt: openedAt });
renewals.hasten();
wake();

async function renew(): Promise<void> {
  if (isFrozen()) return;
  const before = store.fleet;
  const startedAt = monotonicMs();
  const isRenewed = await store.renew();
  tellFleet(before);
  if (isRenewed) tellMain({ reports: [], answers: [], renewedAt: startedAt });
}

/**
 * Returns whether the main thread of a gym that serves its fleet has stopped. Such a gym does not renew its membership,
 * so that another gym takes over its episodes.
 */
function isFrozen(): boolean {
  const { value, sinceMs } = pulse;
  const now = monotonicMs();
  const newest = Atomics.load(pulses, 0);
  if (newest !== value) pulse = { value: newest, sinceMs: now };
  return isServing && newest === value && now - sinceMs > times.frozenMs;
}

/** Looks again every second, beside the renewals, since an operator may change the standbys of the database. */
async function tellDurability(): Promise<void> {
  try {
    const durability = await store.durability();
    if (durability !== toldDurability) tellMain({ reports: [], answers: [], durability });
    toldDurability = durability;
    if (node && needed === "replicated" && durability === "local")
      tellMain({ reports: [], answers: [], trouble: "the database has no synchronous standby" });
  } catch (error) {
    if (error instanceof LogLost) return end(error);
    // The database cannot be reached, or refuses the query. Writes report the same problem.
  }
  durabilityCheck = setTimeout(tellDurability, durabilityMs).unref();
}

function tellFleet(before: FleetState | null): void {
  const { fleet } = store;
  if (fleet && fleet !== before) tellMain({ reports: [], answers: [], fleet });
}

function wake(): void {
  if (!isSending) send().catch(end);
}

async function send(): Promise<void> {
  isSending = true;
  while (sent === 0 || (sent < mostSent && mailbox.characters >= charactersAhead)) {
    const turn = mailbox.gather();
    const reads = mailbox.reads.splice(0);
    if (turn.isEmpty && reads.length === 0) break;
    if (!turn.isEmpty) await begin(turn);
    for (const call of reads) read(call, told);
  }
  isSending = false;
  if (mailbox.closing && sent === 0 && !isClosed) await close();
}

/** Resolves when the next transaction can be sent. */
async function begin(turn: Turn): Promise<void> {
  const { pages, writes, endings } = turn;
  const isEmpty = writes.length === 0 && pages.every(({ places }) => places.length === 0);
  const commit = isEmpty ? null : store.commit({ pages, writes, endings });
  sent += 1;
  told = Promise.all([outcomeOf(turn, commit?.done), told]).then(([message]) => {
    for (const { host } of turn.detached) mailbox.detach(host);
    tellMain(message);
    sent -= 1;
    // Messages that arrive together with the reply to this transaction are in the next one.
    setImmediate(wake);
  });
  told.catch(end);
  await commit?.sent;
}

async function outcomeOf(turn: Turn, done?: Promise<Committed>): Promise<FromLog> {
  if (!done) return turn.told([], 0);
  try {
    const { twins, atMs } = await done;
    const answers = turn.writes.map(({ id, method, args }): LogAnswer => {
      const isTwin = method === "createEpisode" && twins.has((args[0] as EpisodeRow).key);
      return isTwin ? { to: id, error: twinCreated } : { to: id, value: null };
    });
    return turn.told(answers, atMs);
  } catch (error) {
    if (error instanceof LogLost) throw error;
    const answers = turn.refuse(messageOf(error));
    mailbox.refuseLater();
    return turn.told(answers, 0);
  }
}

/**
 * Starts a read, after the transactions that were sent before it. A call that removes rows runs after all earlier calls,
 * and before all later ones.
 */
function read(call: LogCall, written: Promise<void>): void {
  const isAlone = call.method === "prune";
  const before = [written, barrier, ...(isAlone ? running : [])];
  const done = Promise.all(before).then(() => answer(call));
  running.add(done);
  void done.finally(() => running.delete(done)).catch(() => {});
  if (isAlone) barrier = done;
}

async function answer(call: LogCall): Promise<void> {
  let outcome: LogAnswer;
  const before = store.fleet;
  try {
    outcome = { to: call.id, value: (await store.answer(call)) ?? null };
    isServing ||= node !== undefined && call.method === "serveGym";
    if (changesFleet.has(call.method)) renewals.hasten();
  } catch (error) {
    if (error instanceof LogLost) return end(error);
    outcome = { to: call.id, error: messageOf(error), isDamage: isDamage(error) };
  }
  // The main thread gets the news of shards that were given away before the news that this gym has claimed them again.
  if (call.method === "giveShards") tellFleet(before);
  tellMain({ reports: [], answers: [outcome] });
}

function tellMain(message: FromLog): void {
  port.postMessage(message);
}

async function close(): Promise<void> {
  isClosed = true;
  await renewals.stop();
  clearTimeout(durabilityCheck);
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
