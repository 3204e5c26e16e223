import { basename } from "node:path";
import type { Requirement } from "../env.js";
import { importedSets, importProblems } from "./imported.js";

/** Requirement for imported problems. It is always met, since generated problems need no import. */
export const problems: Requirement = {
  name: "math",
  howToGet: "Run `palestra setup math FILE` to add problems of your own, of GSM8K's or MATH's format.",
  probe: async () => {
    const added = importedSets().map(({ name, size }) => `${name} ${size}`);
    return { available: true, detail: ["bundled problems", ...added].join(", ") };
  },
  setUp: async ({ from, as } = {}, progress) => {
    if (from === undefined) throw new Error("expected a file of problems, but the option --from is missing");
    const name =
      as ??
      basename(from)
        .replace(/\.(jsonl|json|parquet)(\.gz)?$/, "")
        .toLowerCase();
    return `${await importProblems(from, name, progress)} problems, split ${name}`;
  },
};
