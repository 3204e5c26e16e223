/** The list of an evaluation's episodes: it grows by pages, follows a live evaluation, and searches part by part. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { EpisodePage, EpisodeQuery, EpisodeSource } from "./episode-source.js";

const nothing: EpisodePage = { episodes: [], next: 0, matching: 0, total: 0 };
/** Time in milliseconds after which a typed text is searched. */
const typingMs = 200;
/** Episodes that a search finds before it waits until somebody scrolls to them. */
const enough = 100;

export interface FoundEpisodes {
  readonly page: EpisodePage | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** Loads more episodes. */
  more(): void;
}

type Read = (known: EpisodePage, signal: AbortSignal) => Promise<EpisodePage>;

/** @param revision changes when the evaluation has new episodes */
export function useEpisodes(source: EpisodeSource, filter: EpisodeQuery, revision: string): FoundEpisodes {
  const page = useSignal<EpisodePage | null>(null);
  const error = useSignal<unknown>(null);
  const isLoading = useSignal(false);
  const key = JSON.stringify(filter);
  const current = useSignal<{ key: string; revision: string; stop: AbortController } | null>(null);

  const load = async (known: EpisodePage, read: Read) => {
    current.peek()?.stop.abort();
    const stop = new AbortController();
    current.value = { key, revision, stop };
    isLoading.value = true;
    try {
      for (let next = known; ; ) {
        next = await read(next, stop.signal);
        if (stop.signal.aborted) return;
        page.value = next;
        const isOver = next.searched === undefined || next.episodes.length >= known.episodes.length + enough;
        if (next.next === null || isOver) break;
      }
      error.value = null;
    } catch (reason) {
      if (!stop.signal.aborted) error.value = reason;
    } finally {
      if (!stop.signal.aborted) isLoading.value = false;
    }
  };
  const add: Read = (known, signal) => nextPage(source, filter, known, signal);

  useEffect(() => {
    // Typing a word asks once.
    const timer = setTimeout(() => load(nothing, add), page.peek() === null ? 0 : typingMs);
    return () => {
      clearTimeout(timer);
      current.peek()?.stop.abort();
    };
  }, [key, source]);
  useEffect(() => {
    const [known, last] = [page.peek(), current.peek()];
    if (known === null || isLoading.peek() || last?.key !== key || last.revision === revision) return;
    // A search goes on with the new episodes. A list is read again, since an episode may have been played again.
    if (known.end === undefined) void load(nothing, (_, signal) => pagesUpTo(known.episodes.length, add, signal));
    else if (known.next === null) void load({ ...known, next: known.end }, add);
  }, [revision, isLoading.value]);

  return {
    page: page.value,
    error: error.value,
    isLoading: isLoading.value,
    more: () => {
      const known = page.peek();
      if (known && known.next !== null && !isLoading.peek()) void load(known, add);
    },
  };
}

/** Reads the page after the known ones, and returns all of them. */
async function nextPage(
  source: EpisodeSource,
  filter: EpisodeQuery,
  known: EpisodePage,
  signal: AbortSignal,
): Promise<EpisodePage> {
  const more = await source.page(filter, known.next ?? 0, signal);
  return { ...more, episodes: [...known.episodes, ...more.episodes] };
}

/** Reads the list from its start. Pages after these are loaded when somebody scrolls to them. */
async function pagesUpTo(count: number, read: Read, signal: AbortSignal): Promise<EpisodePage> {
  let pages = await read(nothing, signal);
  while (pages.next !== null && pages.episodes.length < count && !signal.aborted) pages = await read(pages, signal);
  return pages;
}

/** Returns the state of the list as a sentence. */
export function statusOf({ page, isLoading }: FoundEpisodes): string {
  if (page === null) return "Loading…";
  const { episodes, matching, total, searched, next } = page;
  if (searched === undefined) return `${matching} of ${total} episodes`;
  const found = `${episodes.length} found`;
  if (next === null) return `${found} in ${total} episodes`;
  return `${found} in ${searched} of ${total} episodes${isLoading ? "…" : ""}`;
}
