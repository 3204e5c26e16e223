/**
 * A discrete-event simulation of a fleet: clients think, gyms work and commit, PostgreSQL commits, and gyms fail. The
 * same plan gives the same result. Times are in milliseconds.
 */
import { EpisodesModel } from "./episodes-model.js";
import { EventHeap } from "./event-heap.js";
import { FailureModel, type Fleet } from "./failure-model.js";
import { GymModel, type Work } from "./gym-model.js";
import { Histogram } from "./histogram.js";
import { Machine } from "./machine.js";
import { Outcome } from "./outcome.js";
import type { Plan } from "./plan.js";
import { Random } from "./random.js";
import { ThinkWheel } from "./think-wheel.js";

type Event =
  | { kind: "arrive"; gym: GymModel; life: number; episode: number }
  | { kind: "ready"; gym: GymModel; life: number; work: Work }
  | { kind: "commit"; gym: GymModel; life: number }
  | { kind: "committed"; gym: GymModel; life: number; works: readonly Work[] }
  | { kind: "run"; run: () => void };

const secondMs = 1_000;

/** Milliseconds within which each process that waits for a core runs on Linux: the default latency of the scheduler. */
const turnMs = 6;

export function simulate(plan: Plan): Outcome {
  return new Simulation(plan).run();
}

class Simulation implements Fleet {
  now = 0;
  readonly random: Random;
  readonly episodes: EpisodesModel;
  readonly gyms: GymModel[];
  readonly outcome = new Outcome();
  postgresDownUntil = 0;
  private readonly postgres: Machine;
  private readonly events = new EventHeap<Event>();
  private readonly wheel: ThinkWheel;
  private readonly failures: FailureModel;
  private readonly second = new Histogram();

  constructor(readonly plan: Plan) {
    this.random = new Random(plan.seed);
    this.episodes = new EpisodesModel(plan.episodes);
    this.wheel = new ThinkWheel(plan.episodes);
    const shared = plan.sharedCores === null ? null : new Machine(plan.sharedCores);
    this.gyms = Array.from({ length: plan.gyms }, (_, i) => new GymModel(i, shared ?? new Machine(plan.gymCores)));
    this.postgres = shared ?? new Machine(plan.postgresCores);
    this.failures = new FailureModel(this);
  }

  run(): Outcome {
    const endsAt = this.plan.seconds * secondMs;
    this.begin();
    for (;;) {
      const eventAt = Math.min(this.events.nextAt, endsAt);
      const thinkAt = this.wheel.nextAt(eventAt);
      const at = Math.min(thinkAt, eventAt);
      while (this.outcome.p99OfSecond.length < Math.floor(at / secondMs)) this.endSecond();
      if (at >= endsAt) break;
      this.now = at;
      if (thinkAt < eventAt) this.ask(this.wheel.take());
      else this.handle(this.events.take());
    }
    return this.finished();
  }

  /** Runs a function later. */
  at(ms: number, run: () => void): void {
    this.events.add(ms, { kind: "run", run });
  }

  /** Sends the step of a client to the gym that owns its episode, or waits until a gym owns it. */
  deliver(episode: number): void {
    const { plan, episodes, random } = this;
    if (episodes.hasEnded[episode] && !this.gyms[episodes.owner[episode] as number]?.isServing) this.place(episode);
    const gym = this.gyms[episodes.owner[episode] as number] as GymModel;
    if (!gym.isServing) return this.failures.wait(gym, episode);
    const entry = plan.isForwarding ? (this.gyms[random.below(this.gyms.length)] as GymModel) : gym;
    // A new episode belongs to the gym that received the request.
    if (entry === gym || !entry.isServing || episodes.hasEnded[episode]) return this.arrive(gym, gym.life, episode);
    const halfMs = plan.costs.gym.forwardUs / 2_000;
    const at = entry.machine.run(this.now, halfMs, entry.mainThread);
    this.events.add(at, { kind: "arrive", gym, life: gym.life, episode });
  }

  /** Frees the memory of an episode that its gym has loaded. */
  unload(episode: number): void {
    const { isLoaded, owner } = this.episodes;
    if (!isLoaded[episode]) return;
    isLoaded[episode] = 0;
    (this.gyms[owner[episode] as number] as GymModel).inMemory -= 1;
  }

  /** At the start, all episodes are half played and in the memory of their gyms. */
  private begin(): void {
    const { plan, episodes, random } = this;
    for (let episode = 0; episode < plan.episodes; episode++) {
      const gym = this.gyms[episode % plan.gyms] as GymModel;
      episodes.owner[episode] = gym.index;
      episodes.steps[episode] = random.below(plan.stepsPerEpisode);
      this.load(gym, episode);
      this.think(episode);
    }
    for (const failure of plan.failures) this.at(failure.atS * secondMs, () => this.failures.begin(failure));
  }

  private think(episode: number): void {
    const thinkMs = this.random.exponential(this.plan.thinkMs);
    if (this.isCounting) {
      this.outcome.thinkMs += thinkMs;
      this.outcome.thoughts += 1;
    }
    this.wheel.add(episode, this.now + thinkMs);
  }

  private ask(episode: number): void {
    this.outcome.asked += 1;
    this.episodes.askedAt[episode] = this.now;
    if (this.episodes.hasEnded[episode]) this.place(episode);
    this.deliver(episode);
  }

  /** Chooses the gym of a new episode. */
  private place(episode: number): void {
    let chosen = this.gyms[this.random.below(this.gyms.length)] as GymModel;
    if (!chosen.isServing) {
      const serving = this.gyms.filter((gym) => gym.isServing);
      chosen = serving[this.random.below(serving.length)] ?? chosen;
    }
    this.episodes.owner[episode] = chosen.index;
  }

  private handle(event: Event): void {
    switch (event.kind) {
      case "run":
        return event.run();
      case "arrive":
        return this.arrive(event.gym, event.life, event.episode);
      case "ready":
        return this.ready(event.gym, event.life, event.work);
      case "commit":
        if (event.life === event.gym.life) this.commit(event.gym);
        return;
      case "committed":
        return this.committed(event.gym, event.life, event.works);
    }
  }

  private arrive(gym: GymModel, life: number, episode: number): void {
    if (life !== gym.life) return this.deliver(episode);
    const { plan, episodes, outcome } = this;
    const { costs, sharedCores } = plan;
    const isCreate = episodes.hasEnded[episode] === 1;
    let workUs = isCreate ? costs.gym.createUs : this.stepUs();
    let mainUs = Math.min(workUs, costs.gym.mainStepUs);
    if (plan.isForwarding && plan.gyms > 1 && !isCreate) {
      const halfUs = (costs.gym.forwardUs / 2) * (1 - 1 / plan.gyms);
      workUs += halfUs;
      mainUs += halfUs;
    }
    if (!isCreate && !episodes.isLoaded[episode]) {
      const steps = episodes.steps[episode] as number;
      workUs += costs.gym.loadUs + steps * costs.gym.replayedStepUs;
      outcome.replays += 1;
      outcome.replayedSteps += steps;
    }
    this.load(gym, episode);
    if (sharedCores !== null) workUs += costs.loadStepUs;
    const at = gym.machine.run(this.now, workUs / 1_000, gym.mainThread, mainUs / 1_000);
    this.events.add(at, { kind: "ready", gym, life, work: { episode, isCreate } });
  }

  private stepUs(): number {
    const { costs, isExponential } = this.plan;
    return isExponential ? this.random.exponential(costs.gym.stepUs) : costs.gym.stepUs;
  }

  private load(gym: GymModel, episode: number): void {
    if (this.episodes.isLoaded[episode]) return;
    this.episodes.isLoaded[episode] = 1;
    gym.inMemory += 1;
    gym.mostInMemory = Math.max(gym.mostInMemory, gym.inMemory);
  }

  private ready(gym: GymModel, life: number, work: Work): void {
    if (life !== gym.life) return this.deliver(work.episode);
    gym.ready.push(work);
    if (!gym.committing) this.commit(gym);
  }

  /** Commits all steps that are ready. While PostgreSQL is down, the commit waits, and later steps join it. */
  private commit(gym: GymModel): void {
    gym.committing = [];
    if (this.now < this.postgresDownUntil) {
      this.events.add(this.postgresDownUntil, { kind: "commit", gym, life: gym.life });
      return;
    }
    const works = gym.ready;
    gym.ready = [];
    gym.committing = works;
    const { gym: gymCosts, postgres } = this.plan.costs;
    const creates = works.reduce((sum, { isCreate }) => sum + (isCreate ? 1 : 0), 0);
    const steps = works.length - creates;
    const workUs = postgres.commitUs + steps * postgres.stepUs + creates * postgres.createUs;
    const isShared = this.plan.sharedCores !== null;
    const writtenAt = isShared
      ? this.postgres.runAhead(this.now, workUs / 1_000, turnMs)
      : this.postgres.run(this.now, workUs / 1_000);
    const gymAt = gym.machine.runAhead(this.now, gymCosts.commitUs / 1_000);
    const at = Math.max(writtenAt, gymAt) + this.random.of(postgres.commitLatencyMs);
    if (this.isCounting) {
      this.outcome.commits += 1;
      this.outcome.creates += creates;
      this.outcome.walBytes +=
        postgres.walBytesPerCommit + steps * postgres.walBytesPerStep + creates * postgres.walBytesPerCreate;
    }
    this.events.add(at, { kind: "committed", gym, life: gym.life, works });
  }

  private committed(gym: GymModel, life: number, works: readonly Work[]): void {
    for (const work of works) {
      if (life === gym.life) this.answer(work);
      else this.deliver(work.episode);
    }
    if (life !== gym.life) return;
    gym.committing = null;
    if (gym.ready.length > 0) this.commit(gym);
  }

  private answer({ episode, isCreate }: Work): void {
    const { episodes, outcome, plan } = this;
    const askedAt = episodes.askedAt[episode] as number;
    if (askedAt === -1) throw new Error(`expected one reply to each step, but episode ${episode} received another`);
    const latencyMs = this.now - askedAt;
    outcome.answered += 1;
    if (this.isCounting) outcome.latencies.add(latencyMs);
    this.second.add(latencyMs);
    this.failures.answered(episode, latencyMs);
    episodes.askedAt[episode] = -1;
    const steps = isCreate ? 0 : (episodes.steps[episode] as number) + 1;
    episodes.steps[episode] = steps;
    episodes.hasEnded[episode] = steps >= plan.stepsPerEpisode ? 1 : 0;
    if (episodes.hasEnded[episode]) this.unload(episode);
    this.failures.afterAnswer(episode);
    this.think(episode);
  }

  private get isCounting(): boolean {
    return this.now >= this.plan.warmUpS * secondMs;
  }

  private endSecond(): void {
    this.outcome.p99OfSecond.push(this.second.quantile(0.99));
    this.second.clear();
  }

  private finished(): Outcome {
    const { plan, outcome, gyms, postgres } = this;
    outcome.seconds = plan.seconds - plan.warmUpS;
    for (let episode = 0; episode < plan.episodes; episode++)
      if (!this.episodes.isThinking(episode)) outcome.inFlight += 1;
    const machines = new Set(gyms.map(({ machine }) => machine));
    const coresMs = (plan.sharedCores ?? plan.gymCores) * plan.seconds * secondMs;
    for (const { busyMs } of machines) outcome.gymBusy += busyMs / coresMs / machines.size;
    outcome.postgresBusy = postgres.busyMs / ((plan.sharedCores ?? plan.postgresCores) * plan.seconds * secondMs);
    outcome.mostInMemory = Math.max(...gyms.map(({ mostInMemory }) => mostInMemory));
    return outcome;
  }
}
