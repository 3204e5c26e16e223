/** Content blocks of an observation in the Model Context Protocol. */
import { describe, expect, test } from "vitest";
import { episodeIn, observationBlocks } from "#palestra/server/app/routes/mcp/handler.js";
import type { EpisodeResult } from "#palestra/server/episodes/episode/results.js";

const played = (more: object) =>
  observationBlocks({ observation: "a room", terminated: false, truncated: false, ...more } as EpisodeResult);
const text = (content: string) => ({ type: "text", text: content });

describe("an observation", () => {
  test("becomes its text, then data as JSON, and pictures with their type", () => {
    const parts = [
      { type: "json", data: { exits: ["north"] } },
      { type: "image", data: "AAAA", mediaType: "image/png" },
    ];
    expect(played({ parts })).toEqual([
      text("a room"),
      text('{"exits":["north"]}'),
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ]);
  });

  test("of an ended task reports how the task ended", () => {
    expect(played({})).toEqual([text("a room")]);
    expect(played({ terminated: true })).toEqual([text("a room"), text("The task has ended.")]);
    expect(played({ truncated: true })).toEqual([
      text("a room"),
      text("The limit of steps is reached, and the task has ended."),
    ]);
  });
});

test.each([
  ["palestra://episodes/ep-1-ab/transcript", "ep-1-ab"],
  ["palestra://episodes/ep-1-ab/render", "ep-1-ab"],
  ["palestra://episodes/ep-1-ab/secrets", undefined],
  ["palestra://episodes//transcript", undefined],
])("the address %s belongs to the episode %s", (uri, id) => {
  expect(episodeIn(uri)).toBe(id);
});
