/**
 * Detects engines that read the process's clock or random numbers, which the contract forbids. The watched functions
 * are `Math.random`, `Date.now`, `new Date()`, `performance.now` and those of the global `crypto`. Use of `node:crypto`
 * or of module variables is not detected.
 */

const watched: readonly [owner: object, key: string, name: string][] = [
  [Math, "random", "Math.random()"],
  [Date, "now", "Date.now()"],
  [performance, "now", "performance.now()"],
  [crypto, "getRandomValues", "crypto.getRandomValues()"],
  [crypto, "randomUUID", "crypto.randomUUID()"],
];

/** Runs `play` and returns the names of the watched functions that `play` called. */
export function watchGlobals(play: () => void): string[] {
  const used = new Set<string>();
  const restores = watched.map(([owner, key, name]) => {
    const original = Reflect.get(owner, key) as (...args: unknown[]) => unknown;
    return replace(owner, key, (...args: unknown[]) => {
      used.add(name);
      return original.apply(owner, args);
    });
  });
  restores.push(replace(globalThis, "Date", watchedDate(used)));
  try {
    play();
  } finally {
    for (const restore of restores) restore();
  }
  return [...used];
}

function watchedDate(used: Set<string>): DateConstructor {
  return new Proxy(Date, {
    construct(target, args, newTarget) {
      if (args.length === 0) used.add("new Date()");
      return Reflect.construct(target, args, newTarget);
    },
    apply(target, self, args) {
      used.add("Date()");
      return Reflect.apply(target, self, args);
    },
  });
}

function replace(owner: object, key: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, key);
  Object.defineProperty(owner, key, { configurable: true, writable: true, value });
  return () => {
    if (before) Object.defineProperty(owner, key, before);
    else Reflect.deleteProperty(owner, key);
  };
}
