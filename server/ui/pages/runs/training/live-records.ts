/** The records of a training run, which grow while it trains. */
import { useSignal } from "@preact/signals";
import { api } from "../../../api.js";
import { pauseOf } from "./pauses.js";
import { timeToDraw, usePolling } from "./polling.js";
import type { TrainRecord } from "./training-data.js";

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
  usePolling(() => {
    let [from, mark]: [number, string | undefined] = [0, undefined];
    let drawMs = 0;
    state.value = nothing;
    return async (isCurrent) => {
      try {
        const page = await api.runMetrics(run, { from, ...(mark !== undefined && { mark }) });
        if (!isCurrent()) return null;
        [from, mark] = [page.next, page.mark ?? undefined];
        const isWhole = page.next >= page.total;
        const { records } = state.value;
        const next = withPage(state.value, page.records as TrainRecord[], page.restarted, page.live, isWhole);
        // A page without news is not drawn again.
        if (next !== state.value) state.value = next;
        if (!isWhole) return 0;
        if (!page.live) return null;
        if (next.records !== records) drawMs = await timeToDraw();
      } catch (error) {
        if (isCurrent()) state.value = { ...state.value, error };
      }
      return pauseOf(
        state.value.records.map(({ time }) => time),
        drawMs,
      );
    };
  }, [run]);
  return state.value;
}

function withPage(
  known: LiveRecords,
  added: readonly TrainRecord[],
  isRestarted: boolean,
  live: boolean,
  isWhole: boolean,
): LiveRecords {
  const isLoaded = isWhole || known.isLoaded;
  const isSame = known.live === live && known.isLoaded === isLoaded && known.error === null;
  if (added.length === 0 && !isRestarted && isSame) return known;
  const records = added.length > 0 || isRestarted ? [...(isRestarted ? [] : known.records), ...added] : known.records;
  return { records, live, isLoaded, error: null };
}
