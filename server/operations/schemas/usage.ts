import { z } from "zod";

const Bounded = z.object({ used: z.int().min(0), limit: z.int().min(0).nullable() });

const counts = {
  episodes: Bounded.describe("Live episodes of the caller, at all gyms of a fleet together; `limit` is null if none."),
  sandboxEpisodes: Bounded.describe("Those that hold a sandbox."),
  stepsToday: Bounded.describe("Steps of the current UTC day, including steps in flight."),
};

export const Usage = z
  .object({
    logBytes: z.int().min(0).describe("Bytes of the caller's episodes in the log, measured about once a second."),
    maxLogBytes: z.number().nullable().describe("Bytes above which the caller can open no episode, or null."),
    ...counts,
    group: z
      .object(counts)
      .nullable()
      .describe("The same of all tokens of the caller's group together, with the limits of the group, or null."),
  })
  .meta({ id: "Usage" });
