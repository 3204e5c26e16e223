/** Opens the backend of a run's settings. */
import type { Algorithm } from "../algorithms/index.js";
import type { TrainSettings } from "../settings/settings.js";
import type { StartObserver } from "../start/starting-model.js";
import type { Backend } from "./backend.js";
import { EngineBackend } from "./engine/backend.js";
import { TinkerBackend } from "./tinker/backend.js";

/** Opens the backend. A server that is away is waited for. The caller closes the backend. @throws {TrainerError} */
export function openBackend(
  settings: TrainSettings,
  algorithm: Algorithm,
  observer: StartObserver,
  signal: AbortSignal,
): Promise<Backend> {
  if (settings.backend === "engine") return EngineBackend.create(settings);
  return TinkerBackend.open(settings, algorithm, (line) => observer.onStage(line), signal);
}
