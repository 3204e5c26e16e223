/** The description of a run, which is read again as long as the run is live. */
import { useSignal } from "@preact/signals";
import { api, type Run } from "../../api.js";
import { usePolling } from "./training/polling.js";

const pauseMs = 2_000;

export interface LiveRun<T> {
  readonly data: T;
  readonly error: unknown;
}

export function useLiveRun<T extends Run>(loaded: T): LiveRun<T> {
  const state = useSignal<LiveRun<T>>({ data: loaded, error: null });
  usePolling(() => {
    state.value = { data: loaded, error: null };
    return async (isCurrent) => {
      const { data, error } = state.value;
      if (!data.live) return null;
      try {
        const now = (await api.run(loaded.run)) as T;
        const isNew = error !== null || JSON.stringify(now) !== JSON.stringify(data);
        if (isCurrent() && isNew) state.value = { data: now, error: null };
      } catch (reason) {
        if (isCurrent()) state.value = { data, error: reason };
      }
      return pauseMs;
    };
  }, [loaded]);
  return state.value.data.run === loaded.run ? state.value : { data: loaded, error: null };
}
