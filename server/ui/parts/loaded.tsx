/** Data that is loaded once, with the states of loading and of an error. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { CallError } from "../api.js";
import { Inline } from "./text.js";

interface Props<T> {
  /** Loads the data. It runs again when `of` changes. */
  load: () => Promise<T>;
  of: string;
  children: (data: T) => ComponentChildren;
}

export function Loaded<T>({ load, of, children }: Props<T>) {
  const data = useSignal<{ of: string; value: T } | null>(null);
  const error = useSignal<unknown>(null);
  const attempt = useSignal(0);
  useEffect(() => {
    let isCurrent = true;
    error.value = null;
    load().then(
      (value) => {
        if (isCurrent) data.value = { of, value };
      },
      (reason) => {
        if (isCurrent) error.value = reason;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [of, attempt.value]);
  if (error.value) {
    return (
      <Failure error={error.value}>
        <button type="button" onClick={() => attempt.value++}>
          Try again
        </button>
      </Failure>
    );
  }
  if (data.value?.of !== of) return <p class="quiet">Loading…</p>;
  return <>{children(data.value.value)}</>;
}

/** A token in the path of an address. The browser's own errors quote addresses, such as that of a part that does not load. */
const pathToken = /\/t\/[^/\s?#]+(?=\/)/g;

/** An error as text, without the token of the page. Its message may quote untrusted texts. */
export function Failure({ error, children }: { error: unknown; children?: ComponentChildren }) {
  return (
    <div class="failure" role="alert">
      <p>
        {error instanceof CallError && <code>{error.code}</code>}{" "}
        <Inline text={(error instanceof Error ? error.message : String(error)).replace(pathToken, "/t/…")} />
      </p>
      {children}
    </div>
  );
}
