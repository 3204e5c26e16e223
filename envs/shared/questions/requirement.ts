import type { Requirement } from "../../env.js";
import { importedSets } from "./imported.js";

/** Requirement of questions. Bundled questions are always available, and the host can import additional questions. */
export const questions: Requirement = {
  name: "questions",
  howToGet: "Run `palestra setup questions <file> --source <source>` to add questions of your own, or AgentGym's.",
  probe: async () => {
    const added = importedSets().map(({ name, size }) => `${name} ${size}`);
    return { available: true, detail: ["2,000 bundled questions", ...added].join(", ") };
  },
  setUp: async (choices, progress) => (await import("./setup.js")).setUpQuestions(choices, progress),
};
