/** Questions that a page repeats while it is visible. */
import { useEffect } from "preact/hooks";

/** Asks once. Returns the milliseconds until it wants to ask again, or null if it does not. */
export type Ask = (isCurrent: () => boolean) => Promise<number | null>;

/** Asks again and again. A hidden page does not ask, and asks at once when it is shown. */
export function usePolling(ask: () => Ask, of: readonly unknown[]): void {
  useEffect(() => poll(ask()), of);
}

/** Returns a function that ends the questions. */
export function poll(ask: Ask): () => void {
  let isOpen = true;
  let isDue = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const askNow = async () => {
    isDue = document.hidden;
    if (isDue) return;
    const pause = await ask(() => isOpen);
    if (isOpen && pause !== null) timer = setTimeout(askNow, pause);
  };
  const onShown = () => {
    if (isDue) void askNow();
  };
  document.addEventListener("visibilitychange", onShown);
  void askNow();
  return () => {
    isOpen = false;
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onShown);
  };
}

/** Returns the milliseconds from now until the browser has drawn the page. */
export function timeToDraw(): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - start)));
    // A page that is hidden just now draws nothing.
    setTimeout(() => resolve(0), 1_000);
  });
}
