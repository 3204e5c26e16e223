/** A gym passes on the known errors of another gym. A gym that sends any other reply counts as lost. */
import { describe, expect, test } from "vitest";
import { GymError } from "#palestra/server/errors.js";
import { errorIn, mayHaveRun, PeerLost } from "#palestra/server/fleet/peer-errors.js";

const reply = (code: string) =>
  JSON.stringify({ error: { code, class: "action", message: "expected 2, but received 1", details: { expected: 2 } } });

describe("an error of another gym", () => {
  test("reaches the caller with its code, message and details", () => {
    const error = errorIn(reply("STEP_INDEX"));
    expect(error).toBeInstanceOf(GymError);
    expect(error).toMatchObject({
      code: "STEP_INDEX",
      message: "expected 2, but received 1",
      details: { expected: 2 },
    });
    expect(mayHaveRun(error)).toBe(false);
  });

  test("that is about to end means that the next gym can carry out the operation", () => {
    const error = errorIn(reply("SERVER_DRAINING"));
    expect(error).toMatchObject({ name: "GymError", code: "EPISODE_ELSEWHERE" });
    expect(mayHaveRun(error)).toBe(false);
  });

  test.each([
    ["of a newer version", reply("NOT_KNOWN_YET")],
    ["with the name of a property of all objects", reply("constructor")],
    ["without a code", `{"error":{}}`],
    ["without an error", "{}"],
    ["that is no JSON", "<html>Bad gateway</html>"],
  ])("%s means that the gym is lost, and that the operation may have run", (_, text) => {
    const error = errorIn(text);
    expect(error).toBeInstanceOf(PeerLost);
    expect(mayHaveRun(error)).toBe(true);
  });
});

test("an operation on a gym that could not be reached has not run", () => {
  expect(mayHaveRun(new PeerLost("no answer"))).toBe(false);
});
