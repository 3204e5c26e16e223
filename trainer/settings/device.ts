import { TrainerError } from "../errors.js";

/** Name of a device in settings and on command lines. */
export type Device = "auto" | "cpu" | `cuda:${number}`;

/**
 * Parses the name of a device. The engine checks later that the machine has it.
 *
 * @throws {TrainerError} ARGUMENT_INVALID
 */
export function parseDevice(text: string): Device {
  if (/^(auto|cpu|cuda:\d{1,4})$/.test(text)) return text as Device;
  throw new TrainerError("ARGUMENT_INVALID", `expected auto, cpu or cuda:0, but received ${JSON.stringify(text)}`);
}
