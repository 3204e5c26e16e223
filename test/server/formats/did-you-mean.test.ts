/** Suggestions for misspelled names. */
import { expect, test } from "vitest";
import { didYouMean, didYouMean as ofServer } from "#palestra/server/formats/did-you-mean.js";

test.each([
  ["textcrft", ["textcraft", "textcraft@1", "babyai"], " (Did you mean textcraft?)"],
  ["tets", ["test", "train"], " (Did you mean test?)"],
  ["GoToLoca", ["GoToLocal", "GoToLocals", "GoToObj"], " (Did you mean GoToLocal?)"],
  ["trian", ["train", "test", "train"], " (Did you mean train?)"],
  ["a1", ["a2", "a3"], " (Did you mean one of a2, a3?)"],
  ["help", ["helo"], " (Did you mean helo?)"],
  ["-x1", ["x1"], " (Did you mean x1?)"],
  ["two words", ["two  words"], " (Did you mean two  words?)"],
  ["zzzzzz", ["textcraft"], ""],
  ["", ["textcraft"], ""],
  ["--version", ["version"], ""],
  ["anything", [], ""],
])("for %j, of the known names %j, the suggestion is `%s`", (received, known, suggestion) => {
  expect(didYouMean(received, known)).toBe(suggestion);
  expect(ofServer(received, known)).toBe(suggestion);
});
