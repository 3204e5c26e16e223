import { z } from "zod";
import { longestNote, longestTag, mostTags } from "../../log/records/notes.js";

const Tag = z.string().trim().min(1).max(longestTag);

export const NoteBody = z
  .strictObject({
    step: z.int().min(0).default(0).describe("Number of the step, from 1 on, or 0 for the whole episode."),
    text: z.string().max(longestNote).default(""),
    tags: z.array(Tag).max(mostTags).default([]).describe("Words by which lists of episodes can be filtered."),
  })
  .describe("A note replaces the earlier one at its place. Without text and tags, it removes the earlier one.")
  .meta({ id: "NoteRequest" });

export const Note = z
  .object({
    step: z.int().min(0),
    text: z.string(),
    tags: z.array(z.string()).readonly(),
    atMs: z.int().describe("Time at which the note was written, in milliseconds since 1970."),
  })
  .meta({ id: "Note" });

export const NoteList = z.object({ notes: z.array(Note).readonly() }).meta({ id: "NoteList" });
