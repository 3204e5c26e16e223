/** Environments with seats that have one fault each, for the checks of seats. */
import type { EnvironmentSpec, ResetRequest, ResetResult, StepResult } from "#palestra/envs/env.js";
import { answering, Cloneable, playing, spec } from "./counting.js";

const left = { summary: "A seat." };

/** Two seats that take turns. Changes the result of each step by the return value of `patch`. */
export function seated(patch: () => object): EnvironmentSpec {
  const engine = playing(
    class extends Cloneable {
      override reset(request: ResetRequest): ResetResult {
        return { ...super.reset(request), turn: "left" };
      }
      override step(action: string): StepResult {
        const result = super.step(action);
        return { ...result, turn: this.state.steps % 2 === 1 ? "right" : "left", ...patch() };
      }
    },
  );
  return { ...engine, seats: { left, right: left } };
}

/** Check that fails, the fault, and the environment with it. */
export const brokenSeats: readonly [string, string, EnvironmentSpec][] = [
  ["spec-seats", "one seat", spec({ seats: { left } })],
  ["spec-seats", "a capital letter in a seat's name", spec({ seats: { Left: left, right: left } })],
  ["spec-seats", "a seat without summary", spec({ seats: { left: { summary: " " }, right: left } })],
  ["seats", "no turn after the reset", spec({ seats: { left, right: left } })],
  ["seats", "a turn without seats", answering(() => ({ turn: "left" }))],
  ["seats", "the turn of a seat that does not exist", seated(() => ({ turn: "middle" }))],
  ["seats", "a seat that never acts", seated(() => ({ turn: "left" }))],
  ["seats", "a reward of a seat that does not exist", seated(() => ({ rewards: { middle: 1 } }))],
  ["seats", "a seat's reward above the range", seated(() => ({ rewards: { left: 9 } }))],
  ["seats", "rewards without seats", answering(() => ({ rewards: { left: 1 } }))],
];
