/**
 * The times after which a gym takes something for gone, and the intervals at which its parts give signs of life. All are in
 * milliseconds. The caller that opens a gym gives the table, and each part gets it from the part that starts it: threads
 * and processes with their first message.
 *
 * The times belong together: a gym must renew its membership several times before another gym takes it for gone.
 * `timesScaledBy` keeps these proportions, and is the only source of another table than `usualTimes`.
 */
export interface Times {
  readonly fleet: FleetTimes;
  readonly clients: ClientTimes;
  readonly hosts: HostTimes;
  readonly stop: StopTimes;
}

/** Limits on the stop of a gym. */
export interface StopTimes {
  /** Time for a gym of a fleet to give its episodes to the other gyms, before it drains. */
  readonly leavingMs: number;
  /** Time for requests in flight to finish. */
  readonly drainMs: number;
}

/** Times of the connections of clients. */
export interface ClientTimes {
  /** Time for a client to send one request. */
  readonly requestMs: number;
  /** Interval at which late requests are looked for. */
  readonly lookMs: number;
  /** Time after its last reply for which a connection without a request stays open. */
  readonly idleMs: number;
  /** Time for which a closing server waits for a client to send the rest of a request, or to read a reply. */
  readonly graceMs: number;
  /** Time for which an opening with an idempotency key goes on after its client has gone, because a retry may come. */
  readonly returnMs: number;
  /** Time for a client to confirm the close of a WebSocket. */
  readonly closeMs: number;
}

/** Times of the processes that run environments. */
export interface HostTimes {
  /** Time without a sign of life after which the process of async environments is killed, such as a suspended one. */
  readonly silentMs: number;
  /** Time for which a call of a synchronous environment may wait for something other than a processor. */
  readonly blockedMs: number;
  /** Time for running calls of async environments after the gym starts to drain. */
  readonly drainingMs: number;
  /**
   * Time for an instance of an async environment to close before its host closes its sandboxes; when the gym closes, time
   * for all instances, and then for their sandboxes.
   */
  readonly closingMs: number;
}

/**
 * Times of a gym whose log is in a database. The gyms of one fleet need the same ones, since one gym judges the renewals of
 * another by its own times. Gyms do not tell each other their times.
 */
export interface FleetTimes {
  /** Interval at which a gym renews its membership, and looks for gyms that are gone. */
  readonly renewalMs: number;
  /** Interval at which the main thread gives a sign of life to the log thread. */
  readonly pulseMs: number;
  /** Time without a sign of life after which the main thread counts as frozen. */
  readonly frozenMs: number;
  /**
   * Time from the start of its last renewal for which a gym is sure of its episodes. It is less than `lateMs`: a fenced gym
   * that answers from memory would refuse steps and return old transcripts.
   */
  readonly trustedMs: number;
  /** Silence after which a gym whose connection has ended is fenced. */
  readonly lateMs: number;
  /** Silence after which a gym is fenced, although its connection lasts. */
  readonly silentMs: number;
  /** Time between two looks after which the gym that looks counts as cut off meanwhile. A slow database is reached. */
  readonly interruptedMs: number;
  /** Time after which a renewal without an answer is sent to another server of the database, or over a new connection. */
  readonly answerMs: number;
  /** Time after which a transaction without an answer is sent again, over a new connection. */
  readonly writeMs: number;
  /** Time after which a host of the database that takes no connection is left for the next one. */
  readonly connectMs: number;
  /** Time for which a start waits until a gym that was killed has lost its connection, and with it the lock on the log. */
  readonly lockMs: number;
  /** Time after a change of the map of the shards in which it is read with each renewal. */
  readonly settlingMs: number;
  /** Time after which an attempt to fence a gym is not repeated before the next look at it. */
  readonly fencingMs: number;
  /** Time after which trouble that is not told again has ended. */
  readonly troubleMs: number;
  /** Interval at which the gyms of a database tell each other what they count against the limits of tokens. */
  readonly shareUseMs: number;
  /**
   * Time after episodes were moved between gyms for which their old gym may still count them: it publishes its counts, and
   * each gym reads them, every `shareUseMs`.
   */
  readonly takeOverMs: number;
  /** Time for which a request looks for the gym of its episode. Another gym takes over a silent gym's after `silentMs`. */
  readonly giveUpMs: number;
}

export const usualTimes: Times = {
  fleet: {
    renewalMs: 1_000,
    pulseMs: 1_000,
    frozenMs: 4_000,
    trustedMs: 4_000,
    lateMs: 5_000,
    silentMs: 10_000,
    interruptedMs: 6_000,
    answerMs: 5_000,
    writeMs: 10_000,
    connectMs: 3_000,
    lockMs: 3_000,
    settlingMs: 5_000,
    fencingMs: 2_000,
    troubleMs: 5_000,
    shareUseMs: 1_000,
    takeOverMs: 4_000,
    giveUpMs: 20_000,
  },
  clients: {
    requestMs: 60_000,
    lookMs: 30_000,
    idleMs: 72_000,
    graceMs: 5_000,
    returnMs: 10_000,
    closeMs: 3_000,
  },
  hosts: {
    silentMs: 10_000,
    blockedMs: 10_000,
    drainingMs: 5_000,
    closingMs: 3_000,
  },
  stop: {
    leavingMs: 15_000,
    drainMs: 10_000,
  },
};

/** Smallest factor of `timesScaledBy`. A busy machine stalls threads for some hundred milliseconds. */
const smallestFactor = 0.1;

/** Least patience of requests in milliseconds. The restore of an episode takes as long with shorter times. */
const leastGiveUpMs = 10_000;

/**
 * Returns the usual times, each multiplied by a factor from 0.1 to 1. Tests use them to wait less for failures. Limits on
 * work stay as they are, since the work is the same: those of the stop, and 10 seconds of patience.
 */
export function timesScaledBy(factor: number): Times {
  if (!(factor >= smallestFactor && factor <= 1))
    throw new Error(`expected a factor from ${smallestFactor} to 1, but received ${factor}`);
  const scaled = <Group extends object>(group: Group) =>
    Object.fromEntries(Object.entries(group).map(([name, ms]) => [name, Math.round(ms * factor)])) as Group;
  const fleet = scaled(usualTimes.fleet);
  return {
    fleet: { ...fleet, giveUpMs: Math.max(fleet.giveUpMs, leastGiveUpMs) },
    clients: scaled(usualTimes.clients),
    hosts: scaled(usualTimes.hosts),
    stop: usualTimes.stop,
  };
}
