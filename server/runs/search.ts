/** Search in whole transcripts of an evaluation. A call looks through a part of the file, for a limited time. */
import type { EpisodeIndex, EpisodeLine } from "./episode-index.js";

/** Place of the words: the number of the turn from 1, or null outside of the turns, and the text around the first word. */
export interface FoundText {
  readonly turn: number | null;
  readonly text: string;
}

export interface Search {
  /** Line at which the search begins. */
  readonly from: number;
  readonly limit: number;
  /** Text with words, all of which an episode must have, in any case of letters. */
  readonly q: string;
}

/** Time in milliseconds of a call. At least one part of the file is searched. */
const mostMs = 150;
/** Characters before and after a word that was found. */
const around = 60;

type Text = readonly [turn: number | null, text: string];

interface Record {
  readonly opening?: unknown;
  readonly failure?: { readonly code?: unknown; readonly message?: unknown };
  readonly turns?: readonly { readonly reply?: unknown; readonly action?: unknown; readonly observation?: unknown }[];
}

/**
 * @param isWanted whether an episode may be in the result
 * @param isCancelled whether the caller has lost its interest
 */
export async function search(
  index: EpisodeIndex,
  { from, limit, q }: Search,
  isWanted: (episode: EpisodeLine) => boolean,
  isCancelled: () => boolean,
) {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const byLine = new Map(index.episodes().map((episode) => [episode.index, episode]));
  const end = index.length;
  const until = performance.now() + mostMs;
  const episodes: (EpisodeLine & { found: FoundText })[] = [];
  let at = Math.max(1, from);
  while (at < end && episodes.length < limit && performance.now() < until && !isCancelled()) {
    for (const line of await index.part(at)) {
      const episode = byLine.get(at++);
      const found = episode && isWanted(episode) ? placeOf(words, episode, line) : null;
      if (episode && found) episodes.push({ ...episode, found });
      if (episodes.length >= limit || performance.now() >= until) break;
    }
  }
  const searched = index.episodes().filter((episode) => episode.index < at).length;
  return { episodes, next: at < end ? at : null, end: Math.min(at, end), searched, total: byLine.size };
}

/** Returns where an episode has the words; null if it lacks one of them. @param line JSON text of the episode */
function placeOf(words: readonly string[], episode: EpisodeLine, line: string): FoundText | null {
  const { played, family = "", status } = episode;
  const head = `${played.split}:${played.index} ${family} ${status}`.toLowerCase();
  if (!mayHave(words, head, line.toLowerCase())) return null;
  const texts = textsOf(line);
  const lower = texts.map(([, text]) => text.toLowerCase());
  if (!words.every((word) => head.includes(word) || lower.some((text) => text.includes(word)))) return null;
  for (const word of words) {
    const which = lower.findIndex((text) => text.includes(word));
    if (which >= 0) return excerptOf(texts[which] as Text, (lower[which] as string).indexOf(word), word.length);
  }
  return { turn: null, text: "" };
}

/** Whether it is worth to parse a line, which costs more than this look at its text. */
function mayHave(words: readonly string[], head: string, line: string): boolean {
  // Texts that are written with these escapes can have a word that the line does not show.
  if (/\\[u/]/.test(line)) return true;
  return words.every((word) => head.includes(word) || line.includes(JSON.stringify(word).slice(1, -1)));
}

function textsOf(line: string): Text[] {
  let record: Record;
  try {
    record = JSON.parse(line) as Record;
  } catch {
    return [];
  }
  const { opening, failure, turns = [] } = record;
  const all: [number | null, unknown][] = [
    [null, opening],
    [null, failure?.code],
    [null, failure?.message],
    ...turns.flatMap(({ reply, action, observation }, i): [number, unknown][] => [
      [i + 1, reply],
      [i + 1, action],
      [i + 1, observation],
    ]),
  ];
  return all.filter((entry): entry is [number | null, string] => typeof entry[1] === "string");
}

function excerptOf([turn, text]: Text, at: number, length: number): FoundText {
  const [start, end] = [Math.max(0, at - around), at + length + around];
  const cut = text.slice(start, end).toWellFormed().replace(/\s+/g, " ");
  return { turn, text: `${start > 0 ? "…" : ""}${cut}${end < text.length ? "…" : ""}` };
}
