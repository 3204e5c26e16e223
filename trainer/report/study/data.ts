/** The tasks of a study: its task sets, and whether a held-out task is also a training task. */
import { parseTaskSet, type TaskSet } from "../../gym/task-set.js";
import type { PaperSection } from "../paper/paper.js";

const roles = { train_tasks: "training", clone_tasks: "cloning", eval_tasks: "held out" } as const;

interface UsedSet extends TaskSet {
  readonly role: string;
  readonly weightText: string;
}

/** Returns a table of the task sets, with a sentence about the overlap of training and held-out tasks. */
export function dataSection(settings: readonly Readonly<Record<string, unknown>>[]): PaperSection {
  const sets = uniqueSets(settings);
  const rows = sets.map(({ role, environment, split, first, last, weightText }) => {
    const isWhole = last === undefined;
    const tasks = isWhole ? "all of the split" : `${(last - first + 1).toLocaleString("en-US")}`;
    return [role, environment, split, isWhole ? `${first}-` : `${first}-${last}`, tasks, weightText];
  });
  const columns = ["role", "environment", "split", "indices", "tasks", "weight"];
  return { heading: "Data", tables: [{ title: "", columns, rows }], texts: [overlapText(sets)] };
}

function uniqueSets(settings: readonly Readonly<Record<string, unknown>>[]): UsedSet[] {
  const found = new Map<string, UsedSet>();
  for (const each of settings) {
    for (const [name, role] of Object.entries(roles)) {
      for (const text of (each[name] as readonly string[] | null | undefined) ?? []) {
        const set = parseTaskSet(text);
        found.set(`${role} ${text}`, { ...set, role, weightText: role === "held out" ? "" : `${set.weight}` });
      }
    }
  }
  return [...found.values()];
}

function overlapText(sets: readonly UsedSet[]): string {
  const isHeldOut = ({ role }: UsedSet) => role === roles.eval_tasks;
  const played = sets.filter((set) => !isHeldOut(set));
  const shared = sets.filter((set) => isHeldOut(set) && played.some((other) => overlap(set, other)));
  if (!sets.some(isHeldOut)) return "No task is held out.";
  if (shared.length === 0) return "No held-out task has the split and the index of a training task.";
  return `These held-out task sets have tasks that are also trained on: ${shared.map(({ name }) => name).join(", ")}.`;
}

function overlap(a: TaskSet, b: TaskSet): boolean {
  const end = ({ last = Number.POSITIVE_INFINITY }: TaskSet) => last;
  const isSame = a.environment === b.environment && a.split === b.split;
  return isSame && a.first <= end(b) && b.first <= end(a);
}
