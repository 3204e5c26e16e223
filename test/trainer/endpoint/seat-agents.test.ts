/** Two agents of unchanged AutoGen, each with a base URL of its own, bargain with each other until they agree. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { openGym, type TestGym } from "../../support/gym.js";
import { root } from "../../support/server-process.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";
import { claim, serve } from "./serving.js";

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** A Python with the frameworks, which .ci/run installs. */
const python = process.env.AGENT_FRAMEWORKS_PYTHON ?? join(cache, "palestra/agent-frameworks-1/bin/python");
const isInstalled = existsSync(python);

const bargain = { environment: "bargain", task: { split: "test", index: 2 } };

interface Expert {
  /** Conversation of each seat. */
  dialogues: Record<string, Dialogue>;
  returns: Record<string, number>;
}

/** Plays the bargain with the expert of both seats. */
async function expertPlay(gym: TestGym): Promise<Expert> {
  const { episodeId } = await gym.create(bargain);
  const dialogues: Expert["dialogues"] = {};
  for (let index = 0; ; index++) {
    const views = await Promise.all(["left", "right"].map((seat) => gym.call("seat", { episodeId, seat })));
    const [{ turn }] = views as [(typeof views)[number]];
    if (turn === null) return { dialogues, returns: Object.fromEntries(views.map((view) => [view.seat, view.return])) };
    const { prompt, observation } = views.find(({ seat }) => seat === turn) as (typeof views)[number];
    const { action } = await gym.call("expert", { episodeId });
    dialogues[turn] ??= { messages: [{ role: "system", content: prompt }] };
    dialogues[turn].messages.push({ role: "user", content: observation as string });
    dialogues[turn].messages.push({ role: "assistant", content: action as string });
    await gym.step(episodeId, index, action as string);
  }
}

const repliesIn = (dialogue: Dialogue | undefined) =>
  dialogue?.messages.flatMap(({ role, content }) => (role === "assistant" ? [content] : []));

describe.skipIf(!isInstalled)("two agents of AutoGen", () => {
  test("bargain to their deal, and each seat gets a row of its own with the seat's reward", async () => {
    const gym = await openGym({ localExpert: true });
    const { dialogues, returns } = await expertPlay(gym);
    expect(returns.left).not.toBe(returns.right);
    const learnt = Object.values(dialogues);
    const texts = learnt.flatMap(({ messages }) => messages.map(({ content }) => String(content)));
    const engine = await engineOfFile(1);
    const folder = await writeAgentModel(engine, temporaryFolder(), { texts, dialogues: learnt, epochs: 80 });
    const chat = { context: 512, maxNewTokens: 40, temperature: 0.2 };
    const { url, seat } = await serve(await engine.loadModel(folder), {}, chat);
    const group = seat();
    const rollout = await claim(url);
    const { episodeId } = await gym.create(bargain);
    const seats = `${await gym.app.listen({ host: "127.0.0.1", port: 0 })}/v1/episodes/${episodeId}/seats`;

    const program = join(root, "test/trainer/endpoint/seat_agents.py");
    const invitation = { seats_url: rollout.seats_url, url: `${url}/rollouts/${rollout.id}` };
    const { stdout } = await promisify(execFile)(python, ["-W", "ignore", program, JSON.stringify(invitation), seats]);

    expect(JSON.parse(stdout)).toEqual(returns);
    expect(await gym.call("get", { episodeId })).toMatchObject({
      terminated: true,
      info: { deal: true, isPareto: true },
    });
    const rows = (await group).trajectories;
    expect(rows.map((row) => [row.seat, row.row, row.return, row.steps.map(({ action }) => action)])).toEqual([
      ["left", undefined, returns.left, repliesIn(dialogues.left)],
      ["right", undefined, returns.right, repliesIn(dialogues.right)],
    ]);
    for (const { steps, mask } of rows) {
      const sampled = steps.reduce((sum, { first, end }) => sum + end - first, 0);
      expect(mask.filter((one) => one === 1)).toHaveLength(sampled);
    }
  });
});
