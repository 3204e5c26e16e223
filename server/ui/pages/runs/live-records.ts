/** The records of a training run, which grow while it trains. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../api.js";
import type { TrainRecord } from "./training-data.js";

const pollMs = 1_000;

export interface LiveRecords {
  readonly records: readonly TrainRecord[];
  readonly live: boolean;
  readonly isLoaded: boolean;
  readonly error: unknown;
}

const nothing: LiveRecords = { records: [], live: false, isLoaded: false, error: null };

/** Loads the records, and the new ones as long as the run is live. */
export function useRecords(run: string): LiveRecords {
  const state = useSignal(nothing);
  useEffect(() => {
    let isOpen = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [from, mark]: [number, string | undefined] = [0, undefined];
    const load = async () => {
      let delay: number | undefined = pollMs;
      try {
        const page = await api.runMetrics(run, { from, ...(mark !== undefined && { mark }) });
        if (!isOpen) return;
        const known = page.restarted ? [] : state.value.records;
        const records =
          page.records.length > 0 || page.restarted ? [...known, ...(page.records as TrainRecord[])] : known;
        [from, mark] = [page.next, page.mark ?? undefined];
        const isWhole = page.next >= page.total;
        state.value = { records, live: page.live, isLoaded: isWhole || state.value.isLoaded, error: null };
        delay = isWhole ? (page.live ? pollMs : undefined) : 0;
      } catch (error) {
        if (isOpen) state.value = { ...state.value, error };
      }
      if (isOpen && delay !== undefined) timer = setTimeout(load, delay);
    };
    state.value = nothing;
    void load();
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [run]);
  return state.value;
}
