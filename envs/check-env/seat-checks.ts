/** Checks of environments with several players: the names of the seats, whose turn it is, and the seats' rewards. */
import type { ResetResult, StepResult } from "../env.js";
import { rewardRangeOf, seatsOf } from "../registry.js";
import { expectThat } from "./expectations.js";
import { nameOf } from "./instance.js";
import type { Recording, Subject } from "./subject.js";

export function checkSeatNames({ spec }: Subject): string {
  const seats = Object.entries(spec.seats ?? {});
  if (!spec.seats) return "one player";
  expectThat(seats.length >= 2, "at least two seats", seats.length);
  for (const [name, { summary }] of seats) {
    const isName = /^[a-z0-9-]{1,100}$/.test(name);
    expectThat(isName, "names of seats with lower-case letters, digits and dashes", name);
    const isText = typeof summary === "string" && summary.trim() !== "";
    expectThat(isText, `the seat ${name} to have a summary`, summary);
  }
  return seats.map(([name]) => name).join(", ");
}

/**
 * Checks that each result of an unfinished episode names the seat that acts next, that the rewards of seats fit, and that
 * each seat acts in some episode of the sample.
 */
export async function checkSeats(subject: Subject): Promise<string> {
  const seats = seatsOf(subject.spec);
  const acted = new Set<string>();
  for (const recording of await subject.recordings()) {
    await subject.withInstance(async (instance) => {
      let result: ResetResult | StepResult = await instance.reset(recording);
      expectTurn(seats, result, nameOf(recording));
      for (const [i, action] of recording.actions.entries()) {
        if (result.turn !== undefined) acted.add(result.turn);
        try {
          result = await instance.step(action);
        } catch {
          return;
        }
        const place = `${nameOf(recording)}, step ${i + 1}`;
        expectTurn(seats, result, place);
        expectRewards(subject, seats, result as StepResult, recording, place);
      }
    });
  }
  if (!seats) return `${await subject.extent()}, one player`;
  const idle = seats.filter((seat) => !acted.has(seat));
  expectThat(idle.length === 0, "each seat to act in an episode of the sample", `no turn of ${idle.join(", ")}`);
  return `${await subject.extent()}, turns of ${seats.join(", ")}`;
}

function expectTurn(seats: readonly string[] | undefined, result: ResetResult | StepResult, place: string): void {
  const { turn } = result;
  if (!seats) return expectThat(turn === undefined, "no `turn` without seats", turn, place);
  const isOver = "terminated" in result && result.terminated;
  const fits = turn === undefined ? isOver : seats.includes(turn);
  expectThat(fits, `one of the seats ${seats.join(", ")} as \`turn\``, turn, place);
}

function expectRewards(
  { spec }: Subject,
  seats: readonly string[] | undefined,
  { rewards }: StepResult,
  { options }: Recording,
  place: string,
): void {
  if (rewards === undefined) return;
  expectThat(seats !== undefined, "no `rewards` without seats", rewards, place);
  const [low, high] = rewardRangeOf(spec, options);
  for (const [seat, reward] of Object.entries(rewards)) {
    expectThat(seats?.includes(seat) === true, `rewards of the seats ${seats?.join(", ")}`, seat, place);
    expectThat(reward >= low && reward <= high, `a reward of ${seat} from ${low} to ${high}`, reward, place);
  }
}
