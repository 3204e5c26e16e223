import type { EnvironmentFacts, Requirement } from "../../envs/env.js";
import { GymError } from "../errors.js";

export interface RequirementState {
  name: string;
  available: boolean;
  /** Where the requirement was found, or why it was not found. */
  detail: string;
  howToGet: string;
}

/** Milliseconds for which the result of a probe is reused. */
const freshForMs = 10_000;

/** Checks which requirements of each environment this machine meets, and caches the results for 10 seconds. */
export class Availability {
  private readonly known = new Map<EnvironmentFacts, { at: number; states: Promise<RequirementState[]> }>();

  of(spec: EnvironmentFacts): Promise<RequirementState[]> {
    const known = this.known.get(spec);
    if (known && performance.now() - known.at < freshForMs) return known.states;
    const states = Promise.all(spec.requirements.map(probe));
    this.known.set(spec, { at: performance.now(), states });
    return states;
  }

  /** @throws {GymError} ENVIRONMENT_UNAVAILABLE, with a remedy for each requirement that is not met */
  async check(spec: EnvironmentFacts): Promise<void> {
    if (spec.requirements.length === 0) return;
    const missing = (await this.of(spec)).filter((state) => !state.available);
    if (missing.length === 0) return;
    const received = missing.map(({ name, detail, howToGet }) => `no ${name}: ${detail}. ${howToGet}`).join("; ");
    throw new GymError("ENVIRONMENT_UNAVAILABLE", `a machine that meets the requirements of ${spec.id}`, received);
  }
}

async function probe(requirement: Requirement): Promise<RequirementState> {
  const { name, howToGet } = requirement;
  try {
    return { name, howToGet, ...(await requirement.probe()) };
  } catch (error) {
    return { name, howToGet, available: false, detail: `its probe failed: ${String(error)}` };
  }
}
