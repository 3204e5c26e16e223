/** The splits of environments whose tasks are questions. */
import type { TaskRef, TaskSplit } from "../../env.js";
import type { Question, QuestionSet } from "./question.js";

const mostTitle = 200;

export class QuestionSplits {
  readonly splits: Record<string, TaskSplit>;
  private readonly byName: Map<string, QuestionSet>;

  /** @param sets question sets, with the default set first */
  constructor(sets: readonly QuestionSet[]) {
    this.byName = new Map(sets.map((set) => [set.name, set]));
    this.splits = Object.fromEntries(
      sets.map(({ name, size, summary, at }) => [name, { size, summary, title: (index) => titleOf(at(index)) }]),
    );
  }

  /** Returns the question of a task, and the name of the default source for its answer. */
  problemOf({ split, index }: TaskRef): { question: Question; source: string } {
    const { at, source } = this.byName.get(split) as QuestionSet;
    return { question: at(index), source };
  }
}

function titleOf({ question }: Question): string {
  const line = question.trim().replace(/\s+/g, " ");
  return line.length <= mostTitle ? line : `${line.slice(0, mostTitle)}…`;
}
