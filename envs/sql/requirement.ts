import type { Requirement } from "../env.js";
import { importedSplits } from "./imported.js";

/**
 * Requirement for databases and questions. Generated databases are always available, and the host can import additional
 * databases.
 */
export const sqlData: Requirement = {
  name: "sql",
  howToGet: "Run `palestra setup sql DIR --as NAME` to add databases and questions in the format of Spider or BIRD.",
  probe: async () => {
    const added = Object.entries(importedSplits()).map(([name, { size }]) => `${name} ${size}`);
    return { available: true, detail: ["8 generated schemas", ...added].join(", ") };
  },
  setUp: async (choices, progress) => (await import("./setup.js")).setUpSql(choices, progress),
};
