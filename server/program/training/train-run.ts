/** One run of `palestra train`: opens its gym, trains, and writes its reports. */
import { basename } from "node:path";
import { type GymPlace, openGym } from "../../../trainer/gym/open-gym.js";
import type { RunOrigin } from "../../../trainer/report/run-file.js";
import { TrainReport } from "../../../trainer/report/train-report.js";
import type { TrainSettings } from "../../../trainer/settings/settings.js";
import { expectStartable } from "../../../trainer/start/starting-model.js";
import { type TrainResult, train } from "../../../trainer/train.js";
import { counted } from "../../formats/counted.js";

export interface TrainRequest {
  readonly place: GymPlace;
  /** Whether the result is printed as JSON. */
  readonly json: boolean;
  readonly origin: RunOrigin;
  /** Stops the run after its last train step is saved. */
  readonly signal: AbortSignal;
}

/** Reason for the end of a run, and the folder of its model: null if it was stopped before the first train step. */
export type TrainEnd = Pick<TrainResult, "end"> & { readonly model: string | null };

/** @throws errors of the settings, the gym, the engine and the disk */
export async function trainOnce(settings: TrainSettings, request: TrainRequest): Promise<TrainEnd> {
  const { place, json, origin, signal } = request;
  await expectStartable(settings);
  const report = new TrainReport(settings, undefined, origin);
  const asksExperts = settings.clone_episodes + settings.prompt_examples > 0;
  const needs = { expert: asksExperts || settings.partner === "expert" };
  const gym =
    settings.rollout === "gym" ? await openGym(settings, place, needs, (line) => report.onStage(line)) : undefined;
  const policy = settings.model === undefined ? undefined : basename(settings.model);
  gym?.client.label?.({ run: basename(settings.output), ...(policy && { policy }) });
  let end: TrainResult["end"] | undefined;
  try {
    const result = await train(settings, gym?.client, report, signal);
    end = result.end;
    report.onStage(`model ${result.model} after ${counted(result.trainSteps, "train step")} (${end})`);
    if (json) console.log(JSON.stringify({ output: settings.output, ...result, health: report.health }));
    return result;
  } catch (error) {
    // Nothing is saved before the first train step, so a resumed run repeats the cloning.
    if (!signal.aborted || error !== signal.reason) throw error;
    end = "stopped";
    report.onStage("stopped before the first train step");
    if (json) console.log(JSON.stringify({ output: settings.output, model: null, trainSteps: 0, end }));
    return { end, model: null };
  } finally {
    await report.close(end);
    await gym?.close();
  }
}
