/** Chooses the gym of a fleet that opens an episode. */

import { GymError } from "../errors.js";
import type { FleetMember } from "../log/records/protocol.js";
import type { FleetOwnership } from "./fleet-ownership.js";

/** A gym opens an episode itself unless its live episodes exceed another gym's by this factor and by this number. */
const [mostTimes, mostMore] = [1.5, 32];

/** Number of other gyms whose load is compared. */
const compared = 2;

/** Errors of one gym that another gym may not have. */
const ofOneGym: ReadonlySet<string> = new Set([
  "LIMIT_EPISODES",
  "SANDBOX_MISSING",
  "SANDBOX_START",
  "ENVIRONMENT_UNAVAILABLE",
  "SERVER_DRAINING",
  "EPISODE_ELSEWHERE",
  "HOST_FAILED",
]);

export type Place = FleetMember | "here";

export class Placement {
  constructor(
    private readonly ownership: FleetOwnership,
    /** Whether a live episode of an environment holds a sandbox. */
    private readonly holdsSandbox: (environment: string) => boolean,
    /** Returns a random number from 0 to below 1. */
    private readonly random: () => number = Math.random,
  ) {}

  /**
   * Returns the gyms that may open an episode, the best first: this gym, unless it lacks the environment, drains, or has far
   * more episodes or fewer sandboxes than another gym.
   *
   * @param environments `id` or `id@version` of all environments that the gym must have
   */
  order(environments: readonly string[]): Place[] {
    const { self, others } = this.ownership.members;
    const able = others.filter((gym) => !gym.isDraining && hasAll(gym, environments));
    const near = this.sample(able);
    // A gym that has not described itself yet knows its own environments, and refuses those it does not have.
    const isAble = self.facts === null || hasAll(self, environments);
    if (able.length === 0) return ["here"];
    if (!isAble || self.isDraining || this.ownership.shards.length === 0) return [...near, "here"];
    const needsSandbox = environments.some(this.holdsSandbox);
    const better = near.filter((gym) => isFarBetter(gym, self, needsSandbox));
    return [...better, "here", ...near.filter((gym) => !better.includes(gym))];
  }

  /** Whether another gym should be asked after an error. */
  isWorthAnother(error: unknown): boolean {
    return error instanceof GymError && ofOneGym.has(error.code);
  }

  /** Returns some gyms in random order, those with fewer episodes first. */
  private sample(gyms: readonly FleetMember[]): FleetMember[] {
    const drawn = gyms.map((gym) => ({ gym, at: this.random() })).sort((a, b) => a.at - b.at);
    const chosen = drawn.slice(0, compared).map(({ gym }) => gym);
    return chosen.sort((a, b) => (a.facts?.episodes ?? 0) - (b.facts?.episodes ?? 0));
  }
}

function hasAll({ facts }: FleetMember, environments: readonly string[]): boolean {
  const has = (name: string) =>
    facts?.environments.some((each) => each === name || each.slice(0, each.lastIndexOf("@")) === name) ?? false;
  return environments.every(has);
}

function isFarBetter({ facts: theirs }: FleetMember, { facts: ours }: FleetMember, needsSandbox: boolean): boolean {
  if (!ours || !theirs) return false;
  if (needsSandbox && ours.freeSandboxes === 0 && theirs.freeSandboxes > 0) return true;
  return ours.episodes > mostTimes * theirs.episodes + mostMore;
}
