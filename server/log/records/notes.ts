/** People's notes on an episode and on its steps, as the log keeps them. A later note replaces the earlier one at its place. */

/** Limits on a note. */
export const [longestNote, longestTag, mostTags] = [4_000, 50, 20];

/** Limit on the notes of an episode, replaced ones included. */
export const mostNotes = 1_000;

export interface Note {
  /** Number of the step that the note is about, from 1 on, or 0 for the whole episode. */
  step: number;
  tags: readonly string[];
  text: string;
}

/** A note with the time at which it was written, in milliseconds since the Unix epoch. */
export interface StoredNote extends Note {
  atMs: number;
}

/** Returns the newest note at each place, in the order of the steps. A note without text and tags removes the earlier one. */
export function newestNotes(marks: readonly { kind: string; detail: string; atMs: number }[]): StoredNote[] {
  const newest = new Map<number, StoredNote>();
  for (const { kind, detail, atMs } of marks)
    if (kind === "note") {
      const note = JSON.parse(detail) as Note;
      newest.set(note.step, { ...note, atMs });
    }
  const kept = [...newest.values()].filter(({ text, tags }) => text !== "" || tags.length > 0);
  return kept.sort((a, b) => a.step - b.step);
}
