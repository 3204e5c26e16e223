/** Failures of gyms and of PostgreSQL, and the recovery of the fleet. */
import type { EpisodesModel } from "./episodes-model.js";
import type { GymModel } from "./gym-model.js";
import { Histogram } from "./histogram.js";
import type { FailureOutcome, Outcome } from "./outcome.js";
import { type Failure, fleetTimes, type Plan } from "./plan.js";
import type { Random } from "./random.js";

/** The parts of a simulation that failures change. */
export interface Fleet {
  readonly now: number;
  readonly plan: Plan;
  readonly random: Random;
  readonly episodes: EpisodesModel;
  readonly gyms: readonly GymModel[];
  readonly outcome: Outcome;
  postgresDownUntil: number;
  at(ms: number, run: () => void): void;
  deliver(episode: number): void;
  unload(episode: number): void;
}

/** Milliseconds that a gym which gives its episodes away takes to answer its last steps. */
const drainMs = 1_000;

export class FailureModel {
  /** The failure that each gym suffers from, by the gym's index. */
  private readonly causes = new Map<number, number>();

  constructor(private readonly fleet: Fleet) {}

  begin(failure: Failure): void {
    const { fleet } = this;
    const outcome: FailureOutcome = {
      failure,
      atMs: fleet.now,
      waited: 0,
      firstAnswerMs: 0,
      lastAnswerMs: 0,
      latencies: new Histogram(),
    };
    if (failure.kind === "failover") {
      fleet.outcome.failures.push(outcome);
      fleet.postgresDownUntil = fleet.now + failure.seconds * 1_000;
      return;
    }
    const gym = fleet.gyms[failure.gym] as GymModel;
    // A gym that has failed already cannot fail again.
    if (!gym.isServing) return;
    this.causes.set(gym.index, fleet.outcome.failures.push(outcome));
    if (failure.kind === "restart") return this.drain(gym);
    this.end(gym);
    const { lateMs, silentMs, renewalMs } = fleetTimes;
    const isFreeze = failure.kind === "freeze";
    const beat = () => fleet.random.next() * renewalMs;
    // The last heartbeat was up to a second ago. The next check, and the next look at the owners, come up to a second
    // later.
    const fencedMs = (isFreeze ? silentMs : lateMs) - beat() + beat() + beat();
    const outMs = (isFreeze ? failure.seconds * 1_000 : 0) + fleet.plan.costs.gym.startS * 1_000;
    fleet.at(fleet.now + fencedMs, () => this.takeOver(gym));
    fleet.at(fleet.now + Math.max(outMs, fencedMs) + renewalMs, () => this.return(gym));
  }

  /** A client's step waits until a gym owns its episode. */
  wait(gym: GymModel, episode: number): void {
    gym.orphans.push(episode);
    const { waitsFor } = this.fleet.episodes;
    if (waitsFor[episode]) return;
    const cause = this.causes.get(gym.index) ?? 0;
    waitsFor[episode] = cause;
    const outcome = this.fleet.outcome.failures[cause - 1];
    if (outcome) outcome.waited += 1;
  }

  answered(episode: number, latencyMs: number): void {
    const { waitsFor } = this.fleet.episodes;
    const outcome = this.fleet.outcome.failures[(waitsFor[episode] as number) - 1];
    if (!outcome) return;
    waitsFor[episode] = 0;
    outcome.latencies.add(latencyMs);
    outcome.lastAnswerMs = this.fleet.now - outcome.atMs;
    if (outcome.latencies.count === 1) outcome.firstAnswerMs = outcome.lastAnswerMs;
  }

  /** A gym that gives its episodes away gives each one after the reply to its step. */
  afterAnswer(episode: number): void {
    const { episodes, gyms } = this.fleet;
    const gym = gyms[episodes.owner[episode] as number] as GymModel;
    if (gym.isLeaving) this.move(episode, this.others(gym));
  }

  private end(gym: GymModel): void {
    const { episodes } = this.fleet;
    gym.state = "gone";
    gym.isLeaving = false;
    gym.life += 1;
    gym.committing = null;
    for (const { episode } of gym.ready.splice(0)) this.wait(gym, episode);
    for (let episode = 0; episode < episodes.count; episode++)
      if (episodes.owner[episode] === gym.index) episodes.isLoaded[episode] = 0;
    gym.inMemory = 0;
  }

  /** The other gyms take over the episodes of a gym. */
  private takeOver(gym: GymModel): void {
    const { fleet } = this;
    const others = this.others(gym);
    if (others.length === 0) return void fleet.at(fleet.now + fleetTimes.renewalMs, () => this.takeOver(gym));
    for (let episode = 0; episode < fleet.episodes.count; episode++)
      if (fleet.episodes.owner[episode] === gym.index) this.move(episode, others);
    for (const episode of gym.orphans.splice(0))
      fleet.at(fleet.now + fleet.random.next() * fleetTimes.retryMs, () => fleet.deliver(episode));
  }

  private drain(gym: GymModel): void {
    const { fleet } = this;
    const others = this.others(gym);
    gym.isLeaving = others.length > 0;
    if (gym.isLeaving)
      for (let episode = 0; episode < fleet.episodes.count; episode++)
        if (fleet.episodes.owner[episode] === gym.index && fleet.episodes.isThinking(episode))
          this.move(episode, others);
    fleet.at(fleet.now + drainMs, () => {
      this.end(gym);
      this.takeOver(gym);
    });
    fleet.at(fleet.now + drainMs + fleet.plan.costs.gym.startS * 1_000, () => this.return(gym));
  }

  /** A gym takes an equal share of the episodes whose clients think. */
  private return(gym: GymModel): void {
    const { fleet } = this;
    const { episodes } = fleet;
    gym.state = "live";
    gym.mainThread.freeAt = fleet.now;
    const part = 1 / (this.others(gym).length + 1);
    for (let episode = 0; episode < episodes.count; episode++)
      if (episodes.isThinking(episode) && fleet.random.next() < part) this.move(episode, [gym]);
    for (const episode of gym.orphans.splice(0)) fleet.deliver(episode);
  }

  private move(episode: number, gyms: readonly GymModel[]): void {
    const { fleet } = this;
    const next = gyms[gyms.length === 1 ? 0 : fleet.random.below(gyms.length)] as GymModel;
    if (next.index === fleet.episodes.owner[episode]) return;
    fleet.unload(episode);
    fleet.episodes.owner[episode] = next.index;
  }

  private others(gym: GymModel): GymModel[] {
    return this.fleet.gyms.filter((each) => each !== gym && each.isServing && !each.isLeaving);
  }
}
