/** Opens a teacher on a server, which every backend can learn from. */
import type { Tokenizer } from "../../native/api/index.js";
import { TrainerError } from "../errors.js";
import { parseTeacher, type Teacher } from "../policy/teacher.js";
import { TeacherServer } from "../policy/teacher-server.js";
import type { TrainSettings } from "../settings/settings.js";

/** A server may restart during a run, which takes minutes. A server that never replied has probably a wrong address. */
const patience = { retries: 8, backOff: { baseMs: 1_000, maxMs: 30_000 }, firstReplyMs: 15_000 };

/**
 * @param tokenizer tokenizer of the policy
 * @throws {TrainerError} TEACHER_UNUSABLE @throws {PolicyError} the server cannot be used
 */
export function openServerTeacher(
  { teacher, teacher_server }: TrainSettings,
  tokenizer: Tokenizer | undefined,
  signal: AbortSignal,
): Promise<Teacher> {
  const name = parseTeacher(teacher ?? "");
  if (name.kind !== "openai" || !tokenizer)
    throw new TrainerError("TEACHER_UNUSABLE", "expected a teacher on a server, and a policy with a tokenizer.json");
  const kind = teacher_server === "auto" ? undefined : teacher_server;
  return TeacherServer.open({ ...patience, url: name.url, model: name.model, kind, tokenizer, signal });
}
