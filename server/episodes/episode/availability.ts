import type { EnvironmentFacts, Requirement } from "../../../envs/env.js";
import { GymError } from "../../errors.js";

export interface RequirementState {
  name: string;
  available: boolean;
  /** Where the requirement was found, or why it was not found. */
  detail: string;
  howToGet: string;
}

/** Milliseconds for which the result of a probe is reused. */
const freshForMs = 10_000;

/** Checks which requirements this machine meets, and caches the results for 10 seconds. Environments share requirements. */
export class Availability {
  private readonly known = new Map<Requirement, { at: number; state: Promise<RequirementState> }>();

  of({ requirements }: EnvironmentFacts): Promise<RequirementState[]> {
    return Promise.all(requirements.map((requirement) => this.stateOf(requirement)));
  }

  private stateOf(requirement: Requirement): Promise<RequirementState> {
    const known = this.known.get(requirement);
    if (known && performance.now() - known.at < freshForMs) return known.state;
    const state = probe(requirement);
    this.known.set(requirement, { at: performance.now(), state });
    return state;
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
