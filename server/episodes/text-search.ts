/** Searches a caller's episodes for a text: in what identifies them, and in their goals as the list of episodes shows them. */
import type { EpisodeFilter } from "../log/records/episode-filter.js";
import type { EpisodeRow } from "../log/records/protocol.js";
import type { Caller, Gym } from "./gym.js";

/** Episodes that a page looks at: some milliseconds of work on the main thread. */
const mostSearched = 1_000;

/** Milliseconds that a page spends on titles which were not made before. The next page continues after them. */
const titlesForMs = 40;

export interface TextFilter extends EpisodeFilter {
  /** Text in the id, environment, split, task, seed or options; or words of the goal in any order. Case is ignored. */
  text: string;
}

/** Returns the page of the episodes that pass the filter. It may be short or empty although another one follows. */
export async function searchedPage(
  { reader, titles }: Pick<Gym, "reader" | "titles">,
  { owner, mayAskExpert }: Caller,
  before: string | undefined,
  limit: number,
  { text, ...filter }: TextFilter,
): Promise<{ rows: EpisodeRow[]; next: string | null }> {
  const goalsOf = { ...filter, withGoals: mayAskExpert };
  const { rows, goals, lookedAt } = await reader.filter(owner, before, mostSearched, goalsOf);
  const wanted = text.toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const found: EpisodeRow[] = [];
  let spentMs = 0;
  for (const [at, row] of rows.entries()) {
    let isFound = factsOf(row).includes(wanted);
    if (!isFound && words.length > 0) {
      let goal = goals?.[at] || titles.kept(row);
      if (goal === undefined) {
        if (spentMs > titlesForMs) return { rows: found, next: (rows[at - 1] as EpisodeRow).id };
        const begun = performance.now();
        goal = await titles.of(row);
        spentMs += performance.now() - begun;
      }
      const lower = goal?.toLowerCase() ?? "";
      isFound = words.every((word) => lower.includes(word));
    }
    if (isFound && found.push(row) === limit) return { rows: found, next: row.id };
  }
  return { rows: found, next: lookedAt };
}

function factsOf({ id, environment, split, taskIndex, seed, options }: EpisodeRow): string {
  return `${id} ${environment} ${split} ${taskIndex} seed ${seed} ${options}`.toLowerCase();
}
