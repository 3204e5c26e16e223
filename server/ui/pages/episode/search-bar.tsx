/** The field for words to search for, with the number of matches and ways to the next and the previous one. */
import { useEffect, useRef } from "preact/hooks";
import { useKeys } from "../../parts/keys.js";
import { type Search, totalOf } from "./search.js";
import type { Transcript } from "./transcript.js";

interface Props {
  search: Search;
  transcript: Transcript;
  at: number;
  onSelect: (at: number) => void;
}

/** Milliseconds without typing before a search begins. */
const pauseMs = 150;

export function SearchBar({ search, transcript, at, onSelect }: Props) {
  const field = useRef<HTMLInputElement>(null);
  const { words } = search;
  useEffect(() => {
    const timer = setTimeout(() => search.find(transcript.opening, transcript.steps.value, at, onSelect), pauseMs);
    return () => clearTimeout(timer);
    // The search runs again when more steps are loaded, and not when another step is shown.
  }, [words.value, transcript.steps.value]);
  const move = (direction: 1 | -1) => {
    const next = search.move(at, direction);
    if (next !== undefined) onSelect(next);
  };
  useKeys({ "/": () => field.current?.focus(), n: () => move(1), N: () => move(-1) });
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter") move(event.shiftKey ? -1 : 1);
    if (event.key !== "Escape") return;
    search.clear();
    field.current?.blur();
  };
  return (
    <search class="episode-search">
      <input
        ref={field}
        type="search"
        aria-label="Search this episode"
        placeholder="Search   /"
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
        }}
        onKeyDown={onKey}
      />
      {words.value !== "" && <Matches search={search} onMove={move} />}
    </search>
  );
}

function Matches({ search, onMove }: { search: Search; onMove: (direction: 1 | -1) => void }) {
  const hits = search.hits.value;
  const current = search.current.value;
  const all = hits.reduce((sum, hit) => sum + totalOf(hit), 0);
  const before = hits.filter(({ at }) => at < (current?.at ?? 0)).reduce((sum, hit) => sum + totalOf(hit), 0);
  return (
    <>
      <span class="quiet number" role="status">
        {all === 0 ? "no match" : `${before + (current?.match ?? 0) + 1} of ${all}`}
      </span>
      <button type="button" aria-label="Previous match" disabled={all === 0} onClick={() => onMove(-1)}>
        ↑
      </button>
      <button type="button" aria-label="Next match" disabled={all === 0} onClick={() => onMove(1)}>
        ↓
      </button>
    </>
  );
}
