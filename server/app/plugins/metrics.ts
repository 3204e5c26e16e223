import type { FastifyInstance } from "fastify";
import type { Gym } from "../../episodes/gym.js";
import type { GymObserver } from "../../episodes/gym-options.js";
import type { GymUse } from "../../episodes/quotas/account.js";
import type { GymError } from "../../errors.js";
import type { SandboxCount } from "../../hosts/permits.js";
import { DurationHistogram } from "./metrics/duration-histogram.js";
import { type Family, Reading, type Sample, Tally } from "./metrics/family.js";
import type { Scrape } from "./metrics/scrape.js";

const stepBucketsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 10_000];

/**
 * Prometheus metrics. Labels contain only environments, error classes, error codes and kinds of limits. Episodes,
 * tokens, groups and tasks are never in labels, since the number of label values would be unlimited.
 */
export class Metrics implements GymObserver {
  private readonly known: Family[] = [];
  private readonly steps = this.with(
    new DurationHistogram({
      name: "palestra_step_duration_seconds",
      help: "Time from the arrival of a step until it is in the log.",
      label: "environment",
      bucketsMs: stepBucketsMs,
    }),
  );
  private readonly created = this.counter(
    "palestra_episodes_created_total",
    "Episodes created, including forks.",
    "labelled",
  );
  private readonly failures = this.counter(
    "palestra_episode_failures_total",
    "Episodes that failed, by cause.",
    "labelled",
  );
  private readonly errors = this.counter("palestra_errors_total", "Requests answered with an error.", "labelled");
  private readonly quotas = this.counter(
    "palestra_quota_refusals_total",
    "Steps, episodes and waiting calls refused by a limit, by the kind of limit and of its holder: token, group, local or gym.",
    "labelled",
  );
  private readonly lapses = this.counter(
    "palestra_leases_lapsed_total",
    "Episodes parked because their lease lapsed.",
    "labelled",
  );
  private readonly yielded = this.counter(
    "palestra_places_yielded_total",
    "Episodes without a client that were parked because another one needed their place.",
    "labelled",
  );
  private readonly hostsLost = this.counter(
    "palestra_hosts_lost_total",
    "Worker threads and processes that ended and were replaced.",
  );
  private readonly instancesLost = this.counter(
    "palestra_instances_lost_total",
    "Instances of async environments that were lost to a failure beneath them, by cause.",
    "labelled",
  );
  private readonly strays = this.counter(
    "palestra_stray_errors_total",
    "Errors that environments threw outside of any call.",
  );
  private readonly scored = this.counter(
    "palestra_answers_scored_total",
    "Answers scored without an episode, by environment.",
    "labelled",
  );
  private isRefusing = false;
  private readonly removed = this.counter(
    "palestra_episodes_removed_total",
    "Episodes removed from the log because of their age or to make room.",
  );
  private openSockets = 0;

  constructor() {
    const refusing = "1 while new episodes are refused because the log or its disk has no room, and 0 otherwise.";
    this.gauge("palestra_new_episodes_refused", refusing, () => Number(this.isRefusing));
    this.gauge("palestra_sockets", "Open WebSocket connections.", () => this.openSockets);
  }

  /** All metrics. */
  get families(): readonly Family[] {
    return this.known;
  }

  /** Adds gauges whose values are read from the gym at every scrape. */
  watch(gym: Gym): void {
    const { storage } = gym;
    this.gauge("palestra_live_episodes", "Episodes with an instance.", () => gym.status.liveEpisodes);
    this.gauge("palestra_leases", "Episodes in memory under a lease.", () => gym.status.episodesInMemory);
    this.gauge("palestra_steps_in_flight", "Steps waiting for their reply.", () => gym.status.inFlightSteps);
    this.gauge("palestra_seat_waits", "Calls that wait for a seat's turn.", () => gym.seats.waits.count);
    this.gauge("palestra_hosts_ready", "Worker threads that take work.", () => gym.status.readyHosts);
    this.gauge("palestra_log_bytes", "Bytes of the log's files.", () => storage.space.fileBytes);
    this.gauge("palestra_log_used_bytes", "Bytes of the log's file that hold data.", () => storage.space.usedBytes);
    const free = () => storage.space.disk?.freeBytes ?? NaN;
    this.gauge("palestra_log_disk_free_bytes", "Free bytes of the log's disk.", free);
    const written = () => storage.space.writtenBytes;
    this.total("palestra_log_written_bytes_total", "Bytes of steps written to the log.", written);
    const sandboxes = (count: keyof SandboxCount) => () =>
      Object.entries(gym.sandboxCounts).map(([kind, { [count]: value }]) => ({ labels: { kind }, value }));
    this.gauge("palestra_sandboxes", "Sandboxes that run, including those kept for later use.", sandboxes("held"));
    const waiting = "Sandboxes that cannot start until another one has ended.";
    this.gauge("palestra_sandboxes_waiting", waiting, sandboxes("waiting"));
  }

  onStep(environment: string, durationMs: number): void {
    this.steps.observe(environment, durationMs);
  }

  onCreate(environment: string): void {
    this.created.add({ environment });
  }

  onScored(environment: string, count: number): void {
    this.scored.add({ environment }, count);
  }

  onFailure(environment: string, { code, failureClass }: GymError): void {
    this.failures.add({ environment, class: failureClass, code });
  }

  /** `onError` counts the error when it is answered. */
  onThrown(): void {}

  onError(error: GymError): void {
    this.errors.add({ class: error.failureClass, code: error.code });
  }

  onQuota(...[quota, holder]: Parameters<GymUse["onRefusal"]>): void {
    this.quotas.add({ quota, holder });
  }

  onLapse(environment: string): void {
    this.lapses.add({ environment });
  }

  onYield(environment: string): void {
    this.yielded.add({ environment });
  }

  onHostLost(_cause: string): void {
    this.hostsLost.add({});
  }

  onStray(_detail: string): void {
    this.strays.add({});
  }

  onInstanceLost(environment: string, { code }: GymError): void {
    this.instancesLost.add({ environment, code });
  }

  onRoom(refusal: GymError | null): void {
    this.isRefusing = refusal !== null;
  }

  onLogFailure(_cause: string | null): void {}

  onFleetTrouble(_cause: string | null): void {}

  onUseUnshared(_cause: string | null): void {}

  onRemoved(episodes: number): void {
    this.removed.add({}, episodes);
  }

  onSockets(change: 1 | -1): void {
    this.openSockets += change;
  }

  private with<F extends Family>(family: F): F {
    this.known.push(family);
    return family;
  }

  private counter(name: string, help: string, labels?: "labelled"): Tally {
    return this.with(new Tally(name, help, labels === "labelled"));
  }

  /** Adds a gauge whose value is read at every scrape. */
  gauge(name: string, help: string, read: () => number | Sample[]): void {
    this.with(new Reading("gauge", name, help, read));
  }

  /** Adds a counter whose total is read at every scrape. */
  total(name: string, help: string, read: () => number): void {
    this.with(new Reading("counter", name, help, read));
  }
}

export function registerMetrics(app: FastifyInstance, metrics: Metrics): void {
  let loading: Promise<Scrape> | undefined;
  app.get("/metrics", { schema: { hide: true } }, async (_request, reply) => {
    loading ??= import("./metrics/scrape.js").then(({ Scrape }) => new Scrape(metrics.families));
    const scrape = await loading;
    return reply.type(scrape.contentType).send(await scrape.text());
  });
}
