import { TrainerError } from "../errors.js";

/** A device as settings and command lines name it. */
export type Device = "auto" | "cpu" | `cuda:${number}`;

/** Whether the machine has it the engine says. @throws {TrainerError} */
export function parseDevice(text: string): Device {
  if (/^(auto|cpu|cuda:\d{1,4})$/.test(text)) return text as Device;
  throw new TrainerError("ARGUMENT_INVALID", `expected auto, cpu or cuda:0, but received ${JSON.stringify(text)}`);
}
