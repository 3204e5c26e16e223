/** The operations of people's notes on episodes and their steps. */
import { z } from "zod";
import { GymError } from "../errors.js";
import { storableText } from "../log/records/episode-state.js";
import { mostNotes, type Note as StoredNote } from "../log/records/notes.js";
import { findErrors, operation } from "./operation.js";
import { EpisodeId } from "./schemas/episode.js";
import { NoteBody, NoteList } from "./schemas/note.js";

const episodePath = z.object({ episodeId: EpisodeId });

export const noteOperations = {
  note: operation({
    method: "POST",
    url: "/v1/episodes/:episodeId/notes",
    summary: "Writes a note on an episode or on one of its steps, and returns all notes of the episode.",
    path: episodePath,
    body: NoteBody,
    reply: NoteList,
    errors: [...findErrors, "STEP_INDEX", "LIMIT_NOTES"],
    async run({ gym, caller }, { episodeId, step, text, tags }) {
      const { row, steps } = await gym.find(caller.owner, episodeId);
      if (step > steps) throw new GymError("STEP_INDEX", `a step from 0 to ${steps}`, `${step}`);
      const written = (await gym.log.call("findEpisode", row.key))?.notesWritten ?? 0;
      if (written >= mostNotes)
        throw GymError.ofState("LIMIT_NOTES", `The episode has reached its limit of ${mostNotes} notes.`);
      // The filter by tags relies on this order of the fields.
      const note: StoredNote = { step, tags: [...new Set(tags.map(storableText))], text: storableText(text) };
      await gym.log.call("mark", row.key, "note", JSON.stringify(note));
      return JSON.stringify({ notes: (await gym.log.call("findEpisode", row.key))?.notes ?? [] });
    },
  }),
};
