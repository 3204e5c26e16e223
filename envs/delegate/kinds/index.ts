import { arithmetic } from "./arithmetic.js";
import { dates } from "./dates.js";
import { type Kind, type KindName, kindNames, type Problem } from "./kind.js";
import { lookup } from "./lookup.js";
import { rewriting } from "./rewriting.js";
import { sorting } from "./sorting.js";
import { tracing } from "./tracing.js";

export const kinds: Readonly<Record<KindName, Kind>> = { arithmetic, dates, sorting, rewriting, lookup, tracing };
/** Kinds with short parts, which need no material. */
export const shortKinds: readonly KindName[] = ["arithmetic", "dates", "sorting", "rewriting"];

/** Content of a request: one problem, or the reason why a helper cannot work on it. */
export type Content = { kind: KindName; problem: Problem } | { refusal: string };

export function contentOf(request: string): Content {
  const found = kindNames.flatMap((kind) => kinds[kind].read(request).map((reading) => ({ kind, reading })));
  const [first, ...others] = found;
  if (!first) return { refusal: "I see no task here that I know." };
  if (others.length > 0) return { refusal: "One task at a time, please." };
  const { kind, reading } = first;
  return "missing" in reading ? { refusal: `I need ${reading.missing}.` } : { kind, problem: reading.problem };
}
