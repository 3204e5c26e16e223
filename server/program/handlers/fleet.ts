/** The command `palestra fleet` shows the gyms that share a database, and moves episodes between them. */
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidArgumentError } from "commander";
import { OperatorError } from "../../config/operator-error.js";
import { ConfigError } from "../../config/settings.js";
import { shown } from "../../errors.js";
import { FleetAdmin, type FleetGym, type FleetStatus } from "../../log/postgres/fleet/fleet-admin.js";
import { keyOf } from "../../log/records/episode-id.js";
import { rangesOf, shardCount, shardOf } from "../../log/records/shards.js";
import { ProgressLine } from "../terminal/progress-line.js";
import { tableOf } from "../terminal/table.js";

/** Milliseconds between two looks at a fleet. */
const lookMs = 1_000;

/** Milliseconds without progress after which a drain or a move is given up. */
const giveUpMs = 60_000;

interface Flags {
  json: boolean;
}

/** Prints the gyms, and with `watch` again every second until the process is stopped. */
export async function status(url: string | undefined, { json, watch }: Flags & { watch: boolean }): Promise<void> {
  await asAdmin(url, async (admin) => {
    for (;;) {
      const found = await admin.status();
      if (watch && !json && process.stdout.isTTY) process.stdout.write("\x1b[2J\x1b[H");
      console.log(json ? JSON.stringify(found, null, watch ? 0 : 2) : describe(found));
      if (!watch) return;
      await sleep(lookMs);
    }
  });
}

/** Lets a gym give its shards to the others, and waits until it has none. */
export async function drain(url: string | undefined, address: string, flags: Flags & { undo: boolean }): Promise<void> {
  await asAdmin(url, async (admin) => {
    const { incarnation } = await gymAt(admin, address);
    await admin.drain(incarnation, !flags.undo);
    const left = (status: FleetStatus) => gymIn(status, incarnation, address).shards.length;
    if (!flags.undo) await untilNone(admin, `drain ${address}`, left);
    const said = flags.undo ? `${address} takes episodes again.` : `${address} has no episodes. It can be stopped.`;
    console.log(flags.json ? JSON.stringify({ address, isDraining: !flags.undo }, null, 2) : said);
  });
}

/** Moves shards to a gym, and waits until it has them. @param what id of an episode, a shard, or a range of shards */
export async function move(url: string | undefined, what: string, address: string, { json }: Flags): Promise<void> {
  const shards = shardsIn(what);
  await asAdmin(url, async (admin) => {
    const { incarnation, isDraining } = await gymAt(admin, address);
    if (isDraining) throw new OperatorError("a gym that takes episodes", `${address}, which starts or drains`);
    await admin.pin(shards, incarnation);
    const missing = (status: FleetStatus) => {
      const owned = new Set(gymIn(status, incarnation, address).shards);
      return shards.filter((shard) => !owned.has(shard)).length;
    };
    await untilNone(admin, `move to ${address}`, missing);
    const said = `${address} has ${shards.length === 1 ? `shard ${shards[0]}` : `${shards.length} shards`}, and keeps ${shards.length === 1 ? "it" : "them"}.`;
    console.log(json ? JSON.stringify({ address, shards: rangesOf(shards) }, null, 2) : said);
  });
}

async function asAdmin(url: string | undefined, work: (admin: FleetAdmin) => Promise<void>): Promise<void> {
  if (url === undefined) {
    const remedy = "Pass --log, or set log.url in the config file or PALESTRA_LOG_URL";
    throw new ConfigError(`expected the URL of the database that the gyms share, but received no log.url. ${remedy}`);
  }
  let admin: FleetAdmin;
  try {
    admin = await FleetAdmin.open(url);
  } catch (error) {
    throw OperatorError.of("the database of a fleet", error);
  }
  try {
    await work(admin);
  } catch (error) {
    const isTold = error instanceof OperatorError || error instanceof InvalidArgumentError;
    throw isTold ? error : OperatorError.of("the database of a fleet", error);
  } finally {
    await admin.close();
  }
}

/**
 * Returns the gym at an address. After a restart, the fleet may for some seconds have the gym before it, too.
 *
 * @throws {InvalidArgumentError} no gym of the fleet has the address
 */
async function gymAt(admin: FleetAdmin, address: string): Promise<FleetGym> {
  const { gyms } = await admin.status();
  const gym = gyms.findLast((each) => sameAddress(each.address, address));
  if (gym) return gym;
  const known = gyms.map((each) => each.address).join(", ") || "none is live";
  throw new InvalidArgumentError(`expected the address of a live gym (${known}), but received ${shown(address)}`);
}

/** @throws {OperatorError} the gym has ended */
function gymIn({ gyms }: FleetStatus, incarnation: number, address: string): FleetGym {
  const gym = gyms.find((each) => each.incarnation === incarnation);
  if (gym) return gym;
  throw new OperatorError(
    `that the gym at ${address} goes on`,
    "its end. A gym that has started there since is another",
  );
}

function sameAddress(a: string, b: string): boolean {
  return a.replace(/\/$/, "") === b.replace(/\/$/, "");
}

/** Waits until `left` returns 0. @throws {OperatorError} the number has not changed for a minute */
async function untilNone(admin: FleetAdmin, title: string, left: (status: FleetStatus) => number): Promise<void> {
  const line = new ProgressLine(title);
  try {
    let [most, newest, changedAt] = [1, Number.POSITIVE_INFINITY, performance.now()];
    for (;;) {
      const count = left(await admin.status());
      if (count === 0) return;
      if (count !== newest) [newest, changedAt] = [count, performance.now()];
      most = Math.max(most, count);
      line.show(1 - count / most, `${count} shards left`);
      if (performance.now() - changedAt > giveUpMs) throw stuck(count);
      await sleep(lookMs / 4);
    }
  } finally {
    line.end();
  }
}

function stuck(count: number): OperatorError {
  const cause = "Their episodes need an environment that no other gym has, or cannot be replayed, or are never idle";
  return new OperatorError(
    "all shards to move",
    `${count} shards that stay. ${cause}. They move when that has changed`,
  );
}

/** @throws {InvalidArgumentError} */
function shardsIn(what: string): number[] {
  const key = keyOf(what);
  if (key !== null) return [shardOf(key)];
  const [, first, last = first] = /^([0-9]{1,4})(?:-([0-9]{1,4}))?$/.exec(what) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (first === undefined || from > to || to >= shardCount)
    throw new InvalidArgumentError(
      `expected the id of an episode, or shards such as 17 or 0-${shardCount - 1}, but received ${shown(what)}`,
    );
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function describe({ gyms, unowned, pinned }: FleetStatus): string {
  const heads = ["gym", "start", "state", "version", "shards", "episodes", "steps/s", "free sandboxes", "seen"];
  const rows = tableOf(heads, gyms, ({ address, incarnation, isStarting, isDraining, facts, shards, ageMs }) => [
    address,
    `${incarnation}`,
    isStarting ? "starting" : isDraining ? "draining" : "live",
    facts?.version ?? "-",
    `${shards.length}`,
    `${facts?.episodes ?? "-"}`,
    `${facts?.stepsPerSecond ?? "-"}`,
    `${facts?.freeSandboxes ?? "-"}`,
    `${(ageMs / 1_000).toFixed(1)} s ago`,
  ]);
  const notes = [
    gyms.length === 0 ? "No gym is live." : "",
    unowned > 0 ? `${unowned} of ${shardCount} shards have no gym at the moment.` : "",
    pinned > 0 ? `${pinned} shards stay where they were moved to.` : "",
  ];
  return [rows, ...notes].filter((part) => part !== "").join("\n");
}
