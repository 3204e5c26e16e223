/** The dialogs that keys open on every page: `Ctrl+K` searches everything, and `?` lists the keys. */
import { signal, useSignal } from "@preact/signals";
import { useEffect, useId } from "preact/hooks";
import { Dialog } from "../../parts/dialog.js";
import { Inline } from "../../parts/text.js";
import { goTo } from "../../route.js";
import { KeyList } from "./keys.js";
import { type Found, find, refreshSources } from "./sources.js";

const opened = signal<"find" | "keys" | null>(null);
const close = () => {
  opened.value = null;
};

/** Milliseconds without typing before a search begins. */
const pauseMs = 200;

export function FindButton() {
  return (
    <button type="button" class="find" onClick={() => (opened.value = "find")}>
      Find <kbd>Ctrl K</kbd>
    </button>
  );
}

export function Dialogs() {
  useEffect(() => {
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  if (opened.value === "find") return <FindDialog />;
  if (opened.value === "keys")
    return (
      <Dialog label="Keys" onClose={close}>
        <KeyList />
        <button type="button" onClick={close}>
          Close
        </button>
      </Dialog>
    );
  return null;
}

function onKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  const asked =
    key.toLowerCase() === "k" && (ctrlKey || metaKey) && !altKey ? "find" : key === "?" && !isTyping ? "keys" : null;
  if (asked === null) return;
  event.preventDefault();
  opened.value = asked;
}

function FindDialog() {
  const id = useId();
  const words = useSignal("");
  const { results, isSearching, at } = useFound(words.value.trim().replace(/\s+/g, " "));
  const open = (found: Found | undefined) => {
    if (!found) return;
    close();
    goTo(found.link);
  };
  const onListKey = (event: KeyboardEvent) => {
    const { value: list } = results;
    const direction = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (direction) at.value = (at.value + direction + list.length) % Math.max(1, list.length);
    else if (event.key === "Enter" && !event.isComposing) open(list[at.value]);
    else return;
    event.preventDefault();
  };
  const hasFound = results.value.length > 0;
  return (
    <Dialog label="Find" onClose={close}>
      <input
        class="find-words"
        role="combobox"
        aria-label="Find pages, environments, runs, episodes and tasks"
        placeholder="Page, environment, run, episode or task"
        aria-autocomplete="list"
        aria-expanded={hasFound}
        aria-controls={`${id}-list`}
        aria-activedescendant={hasFound ? `${id}-${at.value}` : undefined}
        maxLength={200}
        value={words.value}
        onInput={({ currentTarget }) => {
          words.value = currentTarget.value;
        }}
        onKeyDown={onListKey}
      />
      <Results id={id} results={results.value} at={at.value} onChoice={open} />
      <p class="quiet" role="status">
        {isSearching.value ? "Searching…" : hasFound ? "" : "Nothing found."}
      </p>
      <p class="quiet">
        <kbd>↑</kbd> <kbd>↓</kbd> choose, <kbd>Enter</kbd> opens. Outside of a field, <kbd>?</kbd> lists the keys of the
        page.
      </p>
    </Dialog>
  );
}

/** Searches for the words once they have been the same for a moment. `at` is the number of the chosen result. */
function useFound(words: string) {
  const results = useSignal<readonly Found[]>([]);
  const isSearching = useSignal(true);
  const at = useSignal(0);
  useEffect(refreshSources, []);
  useEffect(() => {
    let isCurrent = true;
    // Enter must not open a result of other words.
    results.value = [];
    at.value = 0;
    isSearching.value = true;
    const timer = setTimeout(async () => {
      for await (const found of find(words)) {
        if (!isCurrent) return;
        results.value = found;
      }
      if (isCurrent) isSearching.value = false;
    }, pauseMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [words]);
  return { results, isSearching, at };
}

interface ResultsProps {
  id: string;
  results: readonly Found[];
  at: number;
  onChoice: (found: Found) => void;
}

function Results({ id, results, at, onChoice }: ResultsProps) {
  return (
    <div class="find-results" role="listbox" id={`${id}-list`} aria-label="Found">
      {results.map((found, i) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the field keeps the focus, and its keys move and choose
        <div
          key={found.link + found.text}
          role="option"
          id={`${id}-${i}`}
          aria-selected={i === at}
          onClick={() => onChoice(found)}
        >
          <span class="quiet">{found.kind}</span>
          <Inline text={found.text} most={160} />
        </div>
      ))}
    </div>
  );
}
