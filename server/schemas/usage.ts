import { z } from "zod";

export const Usage = z
  .object({
    logBytes: z.int().min(0).describe("Bytes of the caller's episodes in the log, measured about once a second."),
    maxLogBytes: z.number().nullable().describe("Bytes above which the caller can open no episode, or null."),
  })
  .meta({ id: "Usage" });
