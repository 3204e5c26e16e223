/** Answers from services outside the gym are stored with the step, and a replayed step uses them. */
import { describe, expect, test } from "vitest";
import { Recorder } from "#palestra/server/hosts/async/recorder.js";
import { DistantGym } from "../../support/distant-gym.js";

const plenty = 1_000;

describe("a recorder", () => {
  test("replays answers in the order of the calls, even if they arrived in another order", async () => {
    const recorder = new Recorder();
    recorder.begin();
    let answerFirst = (_: string) => {};
    const first = recorder.record(() => new Promise<string>((resolve) => (answerFirst = resolve)));
    expect(await recorder.record(async () => ({ b: [1.5, null] }))).toEqual({ b: [1.5, null] });
    answerFirst("a");
    expect(await first).toBe("a");
    const answers = recorder.end(plenty);
    expect(answers).toBe('["a",{"b":[1.5,null]}]');
    recorder.replay(answers);
    const asked = () => Promise.reject(new Error("asked again"));
    expect([await recorder.record(asked), await recorder.record(asked)]).toEqual(["a", { b: [1.5, null] }]);
    expect(recorder.end(plenty)).toBe(answers);
  });

  test("returns each answer in the form that JSON stores, also the first time", async () => {
    const recorder = new Recorder();
    recorder.begin();
    expect(await recorder.record<object & never>(async () => ({ at: new Date(0), none: undefined }) as never)).toEqual({
      at: "1970-01-01T00:00:00.000Z",
    });
  });

  test("records nothing for a step without requests, or for a failed request", async () => {
    const recorder = new Recorder();
    recorder.begin();
    expect(recorder.end(plenty)).toBe("");
    recorder.begin();
    await expect(recorder.record(() => Promise.reject(new Error("no line")))).rejects.toThrow("no line");
    expect(() => recorder.end(plenty)).toThrow("expected a step that waits");
  });

  test("refuses answers that it cannot store, and requests outside of a step", async () => {
    const recorder = new Recorder();
    await expect(recorder.record(async () => 1)).rejects.toThrow("`record` can be called only during a step.");
    recorder.begin();
    await expect(recorder.record(async () => undefined as never)).rejects.toThrow("JSON");
    recorder.begin();
    await recorder.record(async () => "x".repeat(20));
    expect(() => recorder.end(10)).toThrow("at most 10 characters");
    recorder.replay('["a"]');
    await recorder.record(async () => "b");
    await expect(recorder.record(async () => "c")).rejects.toThrow("the log has only 1 answers");
  });
});

describe("recorded answers", () => {
  test("are replayed after the death of a process, and in a fork", async () => {
    const distant = await DistantGym.open();
    const { gym } = distant;
    const { episodeId } = await distant.create();
    const told = [];
    for (const [index, action] of ["clock", "hello", "two-clocks"].entries())
      told.push((await distant.step(episodeId, index, action)).observation);
    const fork = await gym.call("fork", { episodeId, index: 3 });
    await distant.refusal((await distant.create()).episodeId, 0, "kill");
    expect(await distant.step(episodeId, 3, "on")).toMatchObject({ observation: "4: on" });
    expect(await distant.step(fork.episodeId, 3, "on")).toMatchObject({ observation: "4: on" });
    const { steps } = await gym.call("transcript", { episodeId: fork.episodeId });
    expect(steps.slice(0, 3).map(({ observation }) => observation)).toEqual(told);
    expect(told[0]).toMatch(/^it was \d+$/);
  });

  test("fail only their own episode if they are too long, or if the step does not wait for them", async () => {
    const distant = await DistantGym.open();
    for (const action of ["impatient-clock", "large-record"]) {
      const { episodeId } = await distant.create();
      expect(await distant.refusal(episodeId, 0, action)).toMatchObject({ code: "ENVIRONMENT_RESULT" });
    }
    const { episodeId } = await distant.create();
    expect(await distant.step(episodeId, 0, "clock")).toMatchObject({ index: 0 });
  });
});
