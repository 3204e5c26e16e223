/** Settings that contradict the teacher of on-policy distillation, or the lack of one. */

export interface TeacherSettings {
  readonly algorithm: string;
  readonly teacher?: string | undefined;
  readonly teacher_server: string;
  readonly temperature: number;
}

/** @returns names, each with an error message */
export function teacherContradictions(settings: TeacherSettings): [string, string][] {
  const { algorithm, teacher, teacher_server, temperature } = settings;
  const isDistilling = algorithm === "on-policy-distillation";
  if (!isDistilling && teacher === undefined) return [];
  if (!isDistilling) return [["teacher", `expected algorithm on-policy-distillation, but received ${algorithm}`]];
  if (teacher === undefined)
    return [["teacher", "expected native:PATH or openai:URL#model with on-policy-distillation, but received none"]];
  if (teacher.startsWith("native:")) {
    if (teacher_server === "auto") return [];
    return [["teacher_server", "expected no value with a native teacher, which has no server"]];
  }
  if (temperature === 1) return [];
  const reason = "since servers score prompts at temperature 1";
  return [["temperature", `expected 1 with a teacher on a server, ${reason}, but received ${temperature}`]];
}
