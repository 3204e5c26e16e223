/** Creates the report of accepted and refused tasks, with reasons. */

export interface Verdict {
  verdict: "accepted" | "refused";
  task: string;
  /** Reasons for a refusal, or notes on an accepted task. */
  reasons: readonly string[];
}

/** Maximum number of tasks for which the report has one line per task. */
const mostLines = 50;
const mostReasons = 20;

/**
 * Returns one line for each task. For many tasks, returns one line for each reason, with the number of tasks and the
 * name of one task.
 */
export function summaryOf(verdicts: readonly Verdict[]): string[] {
  if (verdicts.length <= mostLines) return verdicts.map(lineOf);
  return (["accepted", "refused"] as const).flatMap((kind) => {
    const those = verdicts.filter(({ verdict }) => verdict === kind);
    return those.length === 0 ? [] : [`${kind}  ${those.length} tasks`, ...reasonsOf(those)];
  });
}

function lineOf({ verdict, task, reasons }: Verdict): string {
  const told = reasons.join("; ");
  if (verdict === "refused") return `refused   ${task}: ${told}`;
  return `accepted  ${task}${told === "" ? "" : ` (${told})`}`;
}

function reasonsOf(verdicts: readonly Verdict[]): string[] {
  const tasks = new Map<string, string[]>();
  for (const { task, reasons } of verdicts)
    for (const reason of reasons) {
      const those = tasks.get(reason) ?? [];
      those.push(task);
      tasks.set(reason, those);
    }
  const sorted = [...tasks].sort(([, one], [, other]) => other.length - one.length);
  const lines = sorted.slice(0, mostReasons).map(([reason, [first, ...rest]]) => {
    return `  ${rest.length + 1} (${first}${rest.length > 0 ? " ..." : ""}): ${reason}`;
  });
  const left = sorted.length - lines.length;
  return left === 0 ? lines : [...lines, `  and ${left} more reasons`];
}
