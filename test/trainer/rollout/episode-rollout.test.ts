import { describe, expect, onTestFinished, test } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { ExpertPolicy } from "#palestra/trainer/policy/expert.js";
import { type Conversation, type Policy, PolicyError } from "#palestra/trainer/policy/policy.js";
import { RandomPolicy } from "#palestra/trainer/policy/random.js";
import { playEpisode, type RolloutRequest, type Turn } from "#palestra/trainer/rollout/episode-rollout.js";
import { playGroup } from "#palestra/trainer/rollout/group-rollout.js";
import { eventually, fixture } from "../../support/gym.js";
import { connect, listen } from "../support/gym.js";

const react = actionFormat("react");
const settings = { maxRounds: 30, format: react, retries: 2, backOff: { baseMs: 1, maxMs: 5 } };

async function request(change: Partial<RolloutRequest> = {}): Promise<RolloutRequest> {
  const { url } = await listen({ environments: [fixture("faulty")] });
  return {
    gym: await connect(url),
    policy: new ExpertPolicy(react),
    task: { environment: "textcraft", split: "test", index: 3, seed: 0 },
    settings,
    group: "a",
    seed: 1,
    signal: new AbortController().signal,
    ...change,
  };
}

/** A policy that gives the listed replies, turn by turn, and throws those that are errors. */
function scripted(script: (attempt: number, turn: number) => string | Error): Policy & { conversations: number } {
  const policy = {
    name: "scripted",
    conversations: 0,
    converse(): Conversation {
      const attempt = policy.conversations++;
      let turn = 0;
      return {
        async reply() {
          const next = script(attempt, turn++);
          if (next instanceof Error) throw next;
          return { text: next, finish: next === "" ? "context" : "stop", first: 0, end: 0 };
        },
        tokens: () => undefined,
        usage: () => ({ requests: turn, promptTokens: 10 * turn, completionTokens: turn }),
        close: () => {},
      };
    },
    close: async () => {},
  };
  return policy;
}

/** A policy that never replies. */
const silent: Policy = {
  name: "silent",
  converse: () => ({
    reply: (_, signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true })),
    tokens: () => undefined,
    close: () => {},
  }),
  close: async () => {},
};

describe("an episode", () => {
  test("of the expert is solved, with each step's action, reward and observation", async () => {
    const trajectory = await playEpisode(await request());
    expect(trajectory).toMatchObject({
      group: "a",
      played: { environment: "textcraft@1", split: "test", index: 3, seed: 0 },
      status: "terminated",
      return: 1,
      solved: true,
    });
    expect(trajectory.steps.map(({ reward }) => reward)).toEqual([0, 1]);
    expect(trajectory.steps.at(-1)?.action).toBe("craft 4 cobblestone stairs using 6 cobblestone");
    expect(trajectory.tokens).toHaveLength(0);
  });

  test("equal observations have equal hashes, and different ones have different hashes", async () => {
    const policy = scripted(() => "Action: inventory");
    const { steps } = await playEpisode(await request({ policy, settings: { ...settings, maxRounds: 4 } }));
    const [opening, ...later] = steps.map(({ observationHash }) => observationHash);
    expect(new Set(later).size).toBe(1);
    expect(later).not.toContain(opening);
  });

  test("ends at the limit of rounds", async () => {
    const policy = scripted(() => "Action: inventory");
    const trajectory = await playEpisode(await request({ policy, settings: { ...settings, maxRounds: 3 } }));
    expect(trajectory).toMatchObject({ status: "limit", solved: false, return: 0 });
    expect(trajectory.steps).toHaveLength(3);
  });

  test("ends at the end of the context, and a reply that was cut off is not sent", async () => {
    const policy = scripted((_, turn) => (turn === 0 ? "Action: inventory" : ""));
    const trajectory = await playEpisode(await request({ policy }));
    expect(trajectory).toMatchObject({ status: "limit" });
    expect(trajectory.steps.map(({ action }) => action)).toEqual(["inventory", ""]);
  });

  test("answers a reply that the format refuses without the environment, and the reply uses up a round", async () => {
    const turns: Turn[] = [];
    const policy = scripted(() => "Action: inventory\nAction: inventory");
    const trajectory = await playEpisode(
      await request({
        policy,
        settings: { ...settings, format: actionFormat("agentgym"), maxRounds: 2 },
        watcher: { turned: (turn) => turns.push(turn) },
      }),
    );
    expect(trajectory.steps).toHaveLength(2);
    expect(turns[0]).toMatchObject({ action: undefined, observation: expect.stringContaining("Only one 'Action'") });
  });
});

describe("a failure", () => {
  const broken = new PolicyError("POLICY_TIMEOUT", "expected a reply, but received none", true);

  test("that may pass is retried from the start, and its cost is counted", async () => {
    const policy = scripted((attempt, turn) => {
      if (attempt < 2 && turn === 1) return broken;
      return turn === 0 ? "Action: get 6 cobblestone" : "Action: craft 4 cobblestone stairs using 6 cobblestone";
    });
    const trajectory = await playEpisode(await request({ policy }));
    expect(trajectory).toMatchObject({ status: "terminated", solved: true });
    expect(trajectory.steps).toHaveLength(2);
    expect(trajectory.usage).toEqual({ requests: 6, promptTokens: 60, completionTokens: 6 });
    expect(policy.conversations).toBe(3);
  });

  test("is reported to the watcher each time, with the wait until the next attempt", async () => {
    const heard: [string, boolean][] = [];
    const busy = new PolicyError("BUSY", "expected a reply, but received none", true);
    const failed = ({ code }: { code: string }, waitMs: number | undefined) => heard.push([code, waitMs !== undefined]);
    await playEpisode(await request({ policy: scripted(() => busy), watcher: { failed } }));
    expect(heard).toEqual([
      ["BUSY", true],
      ["BUSY", true],
      ["BUSY", false],
    ]);
  });

  test("that does not pass returns the episode as failed, and never as solved", async () => {
    const policy = scripted(() => broken);
    const trajectory = await playEpisode(await request({ policy }));
    expect(policy.conversations).toBe(3);
    expect(trajectory).toMatchObject({
      status: "failed",
      solved: false,
      failure: { class: "policy", code: "POLICY_TIMEOUT" },
    });
  });

  test("of the environment is not retried", async () => {
    const policy = scripted(() => "Action: throw");
    const task = { environment: "faulty", index: 0, seed: 0 };
    const trajectory = await playEpisode(await request({ policy, task }));
    expect(policy.conversations).toBe(1);
    expect(trajectory.failure).toMatchObject({ class: "environment", code: "ENVIRONMENT_THREW" });
  });

  test("of an unknown task names the reason", async () => {
    const task = { environment: "textcraft", split: "test", index: 1_000, seed: 0 };
    const trajectory = await playEpisode(await request({ task }));
    expect(trajectory.failure).toMatchObject({ class: "action", code: "TASK_OUT_OF_RANGE" });
  });

  test("for lack of the right to call the expert names the reason", async () => {
    const { url } = await listen({ localExpert: false });
    const trajectory = await playEpisode(await request({ gym: await connect(url) }));
    expect(trajectory.failure).toMatchObject({ class: "action", code: "RIGHT_MISSING" });
  });

  test("from a bug is thrown", async () => {
    const policy = scripted(() => new TypeError("a bug"));
    await expect(playEpisode(await request({ policy }))).rejects.toThrow("a bug");
  });
});

describe("a group", () => {
  test("plays one task with its own random stream for each episode, and the same streams again", async () => {
    const gym = await connect((await listen()).url);
    const task = { environment: "babyai", split: "GoToLocal", index: 3, seed: 0 };
    const { signal } = new AbortController();
    const all = { gym, policy: new RandomPolicy(react), task, settings, seed: 9, signal };
    const play = async () => {
      const group = await playGroup({ ...all, id: "g", size: 4 });
      expect(group.trajectories.map((trajectory) => trajectory.group)).toEqual(["g", "g", "g", "g"]);
      return group.trajectories.map(({ steps }) => steps.map(({ action }) => action).join());
    };
    const [first, second] = [await play(), await play()];
    expect(new Set(first).size).toBe(4);
    expect(second).toEqual(first);
  });

  test("keeps failed episodes apart", async () => {
    const policy = scripted((attempt) => (attempt === 1 ? new PolicyError("X", "no", false) : "Action: inventory"));
    const all = await request({ policy, settings: { ...settings, maxRounds: 2 } });
    const group = await playGroup({ ...all, id: "g", size: 3 });
    expect([group.trajectories.length, group.failed.length]).toEqual([2, 1]);
  });

  test("ends at once when it is cancelled, and leaves no episode open", async () => {
    const { url, gym } = await listen();
    const client = await connect(url);
    const stop = new AbortController();
    onTestFinished(() => stop.abort());
    const all = await request({ gym: client, policy: silent, signal: stop.signal });
    const task = { environment: "textcraft", index: 0, seed: 0 };
    const playing = playGroup({ ...all, task, id: "g", size: 3 });
    await eventually(async () => (await gym.call("list")).episodes.length === 3);
    stop.abort(new Error("cancelled"));
    await expect(playing).rejects.toThrow("cancelled");
    await eventually(async () => {
      const { episodes } = await gym.call("list");
      const phases = episodes.map(async ({ episodeId }) => (await gym.call("get", { episodeId })).phase);
      return (await Promise.all(phases)).every((phase) => phase === "closed");
    });
  });
});
