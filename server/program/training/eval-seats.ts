/** The seats of an evaluation with a partner. */
import { TrainerError } from "../../../trainer/errors.js";
import type { Seats } from "../../../trainer/evaluation/by-seat.js";
import type { GymEnvironment } from "../../../trainer/gym/gym.js";
import type { Policy } from "../../../trainer/policy/policy.js";
import { unknownSeat } from "../../../trainer/start/partner-seats.js";

/** @throws {TrainerError} the environment has one player, or a name is not that of a seat */
export function seatsOf({ id, seats }: GymEnvironment, asked: readonly string[] | undefined): Seats {
  const all = [...(seats?.keys() ?? [])];
  if (all.length === 0) {
    const expected = "an environment with several players with --partner";
    throw new TrainerError("ARGUMENT_INVALID", `expected ${expected}, but received ${id}. Leave --partner out.`);
  }
  const problem = unknownSeat(id, all, asked ?? []);
  if (problem !== undefined) throw new TrainerError("ARGUMENT_INVALID", problem);
  return { all, ofPolicy: asked ?? all };
}

/** Returns the facts about a partner that identify the measurement. */
export function partnerFacts(partner: Policy | undefined, seats: Seats | undefined): Readonly<Record<string, string>> {
  if (!partner || !seats) return {};
  const { name, facts = {} } = partner;
  const own = Object.entries(facts).map(([fact, value]) => [`partner ${fact}`, value]);
  return { partner: name, ...Object.fromEntries(own), seats: seats.ofPolicy.join(",") };
}
