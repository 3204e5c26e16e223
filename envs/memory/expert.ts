import type { Memory } from "./env.js";

/** Returns the next action: for each session that proves the answer a search and an `open`, and then the answer. */
export function nextAction({ task, past: { searches, opens } }: Memory): string | null {
  if (!task) return null;
  const { history, proven, topics, golden } = task;
  for (const place of proven.places) {
    const session = history.sessions[place];
    const told = session?.turns.find(({ statement }) => statement && topics.includes(statement.topic));
    if (!session || !told) continue;
    const query = wordsOf(told.text);
    if (!searches.includes(query)) return `<search>${query}</search>`;
    if (!opens.includes(session.id)) return `<open>${session.id} from 0</open>`;
  }
  const query = wordsOf(task.question);
  if (proven.places.length === 0 && !searches.includes(query)) return `<search>${query}</search>`;
  return `<answer>${golden[0]}</answer>`;
}

/** Returns the words of a text that the expert searches for. */
function wordsOf(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, 24).join(" ");
}
