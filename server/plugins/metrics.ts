import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import type { GymUse } from "../episodes/account.js";
import type { Gym } from "../episodes/gym.js";
import type { GymObserver } from "../episodes/gym-options.js";
import { type ErrorCode, errorTable, type GymError } from "../errors.js";
import { DurationHistogram } from "./duration-histogram.js";

const stepBucketsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000];

/**
 * Prometheus metrics. Labels contain only environments, error classes, error codes and kinds of limits. Episodes,
 * tokens, groups and tasks are never in labels, since the number of label values would be unlimited.
 */
export class Metrics implements GymObserver {
  readonly registry = new Registry();
  private readonly registers = [this.registry];
  private readonly steps = new DurationHistogram({
    name: "palestra_step_duration_seconds",
    help: "Time from the arrival of a step until it is in the log.",
    label: "environment",
    bucketsMs: stepBucketsMs,
    registry: this.registry,
  });
  private readonly created = new Counter({
    name: "palestra_episodes_created_total",
    help: "Episodes created, including forks.",
    labelNames: ["environment"],
    registers: this.registers,
  });
  private readonly failures = new Counter({
    name: "palestra_episode_failures_total",
    help: "Episodes that failed, by cause.",
    labelNames: ["environment", "class", "code"],
    registers: this.registers,
  });
  private readonly errors = new Counter({
    name: "palestra_errors_total",
    help: "Requests answered with an error.",
    labelNames: ["class", "code"],
    registers: this.registers,
  });
  private readonly quotas = new Counter({
    name: "palestra_quota_refusals_total",
    help: "Steps and episodes refused by a limit, by the kind of limit and of its holder: token, group, local or gym.",
    labelNames: ["quota", "holder"],
    registers: this.registers,
  });
  private readonly lapses = new Counter({
    name: "palestra_leases_lapsed_total",
    help: "Episodes parked because their lease lapsed.",
    labelNames: ["environment"],
    registers: this.registers,
  });
  private readonly hostsLost = new Counter({
    name: "palestra_hosts_lost_total",
    help: "Worker threads and processes that ended and were replaced.",
    registers: this.registers,
  });
  private readonly instancesLost = new Counter({
    name: "palestra_instances_lost_total",
    help: "Instances of async environments that were lost to a failure beneath them, by cause.",
    labelNames: ["environment", "code"],
    registers: this.registers,
  });
  private readonly strays = new Counter({
    name: "palestra_stray_errors_total",
    help: "Errors that environments threw outside of any call.",
    registers: this.registers,
  });
  private readonly scored = new Counter({
    name: "palestra_answers_scored_total",
    help: "Answers scored without an episode, by environment.",
    labelNames: ["environment"],
    registers: this.registers,
  });
  private readonly refusing = new Gauge({
    name: "palestra_new_episodes_refused",
    help: "1 while new episodes are refused because the log or its disk has no room, and 0 otherwise.",
    registers: this.registers,
  });
  private readonly removed = new Counter({
    name: "palestra_episodes_removed_total",
    help: "Episodes removed from the log because of their age or to make room.",
    registers: this.registers,
  });
  private readonly sockets = new Gauge({
    name: "palestra_sockets",
    help: "Open WebSocket connections.",
    registers: this.registers,
  });
  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  /** Adds gauges whose values are read from the gym at every scrape. */
  watch(gym: Gym): void {
    const { storage } = gym;
    const gauge = gaugesIn(this.registers);
    gauge("palestra_live_episodes", "Episodes with an instance.", () => gym.status.liveEpisodes);
    gauge("palestra_leases", "Episodes in memory under a lease.", () => gym.status.episodesInMemory);
    gauge("palestra_steps_in_flight", "Steps waiting for their reply.", () => gym.status.inFlightSteps);
    gauge("palestra_hosts_ready", "Worker threads that take work.", () => gym.status.readyHosts);
    gauge("palestra_log_bytes", "Bytes of the log's files.", () => storage.space.fileBytes);
    gauge("palestra_log_used_bytes", "Bytes of the log's file that hold data.", () => storage.space.usedBytes);
    gauge("palestra_log_disk_free_bytes", "Free bytes of the log's disk.", () => storage.space.disk?.freeBytes ?? NaN);
    const counter = countersIn(this.registers);
    counter("palestra_log_written_bytes_total", "Bytes of steps written to the log.", () => storage.space.writtenBytes);
    this.watchFleet(gym);
  }

  /** Adds the metrics of a gym that belongs to a fleet. */
  private watchFleet({ log, ownership, activity }: Gym): void {
    if (!log.fleet) return;
    const [gauge, counter] = [gaugesIn(this.registers), countersIn(this.registers)];
    gauge("palestra_fleet_gyms", "Gyms of the fleet that are live.", () => log.fleet?.nodes.length ?? 0);
    gauge("palestra_fleet_shards", "Shards of this gym.", () => ownership.shards.length);
    const forwarded = "Operations that this gym has forwarded to other gyms of the fleet.";
    counter("palestra_fleet_forwarded_total", forwarded, () => activity.forwarded);
    const moved = "Shards that this gym has given to other gyms of the fleet.";
    counter("palestra_fleet_moved_shards_total", moved, () => activity.movedShards);
  }

  onStep(environment: string, durationMs: number): void {
    this.steps.observe(environment, durationMs);
  }

  onCreate(environment: string): void {
    this.created.inc({ environment });
  }

  onScored(environment: string, count: number): void {
    this.scored.inc({ environment }, count);
  }

  onFailure(environment: string, code: ErrorCode): void {
    this.failures.inc({ environment, class: errorTable[code].class, code });
  }

  onError(error: GymError): void {
    this.errors.inc({ class: error.failureClass, code: error.code });
  }

  onQuota(...[quota, holder]: Parameters<GymUse["onRefusal"]>): void {
    this.quotas.inc({ quota, holder });
  }

  onLapse(environment: string): void {
    this.lapses.inc({ environment });
  }

  onHostLost(_cause: string): void {
    this.hostsLost.inc();
  }

  onStray(_detail: string): void {
    this.strays.inc();
  }

  onInstanceLost(environment: string, { code }: GymError): void {
    this.instancesLost.inc({ environment, code });
  }

  onRoom(refusal: GymError | null): void {
    this.refusing.set(refusal ? 1 : 0);
  }

  onLogFailure(_cause: string | null): void {}

  onFleetTrouble(_cause: string | null): void {}

  onUseUnshared(_cause: string | null): void {}

  onRemoved(episodes: number): void {
    this.removed.inc(episodes);
  }

  onSockets(change: 1 | -1): void {
    this.sockets.inc(change);
  }
}

type Registers = Registry[];

/** Returns a function that adds a gauge whose value is read at every scrape. */
function gaugesIn(registers: Registers) {
  return (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
}

/** Returns a function that adds a counter whose total is read at every scrape. */
function countersIn(registers: Registers) {
  return (name: string, help: string, read: () => number) => {
    let counted = 0;
    return new Counter({
      name,
      help,
      registers,
      collect() {
        const total = read();
        this.inc(total - counted);
        counted = total;
      },
    });
  };
}

export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}
