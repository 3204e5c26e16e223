/** Two gyms of a fleet. Sessions that a protocol opens on one gym are used and closed on the other. */
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { Fleet } from "../support/fleet.js";
import { message, NemoRollout } from "../support/nemo.js";
import { eventsIn, resultOf } from "../support/ors.js";
import { postgresFolder } from "../support/postgres.js";

// biome-ignore lint/suspicious/noExplicitAny: replies of several protocols
type Reply = any;

async function startTwo() {
  const fleet = await Fleet.start(2);
  const [first, second] = fleet.nodes.map(({ url }) => url) as [string, string];
  return { fleet, first, second };
}

async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const init = { method: "POST", headers: { "content-type": "application/json", ...headers } };
  const reply = await fetch(url, { ...init, body: JSON.stringify(body) });
  const text = await reply.text();
  return { status: reply.status, text, body: parsed(text) };
}

function parsed(text: string): Reply {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

class OpenenvClient {
  private constructor(private readonly socket: WebSocket) {}

  static async connect(gym: string, query = ""): Promise<OpenenvClient> {
    const socket = new WebSocket(`${gym.replace("http", "ws")}/openenv/textcraft/ws${query}`);
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    onTestFinished(() => socket.terminate());
    return new OpenenvClient(socket);
  }

  ask(type: string, data: object = {}): Promise<Reply> {
    this.socket.send(JSON.stringify({ type, data }));
    return new Promise((resolve) => this.socket.once("message", (text) => resolve(JSON.parse(String(text)).data)));
  }

  async step(count: number, index: number): Promise<string> {
    const reply = await this.ask("step", { message: `get ${count} dirt`, index });
    return reply.observation?.text ?? JSON.stringify(reply);
  }
}

const task = { split: "train", index: 0 };

describe.skipIf(postgresFolder === null)("sessions on a fleet of two gyms", () => {
  test("an OpenEnv socket at one gym continues episodes of the other gym", async () => {
    const { fleet, first, second } = await startTwo();
    const a = await OpenenvClient.connect(first);
    const b = await OpenenvClient.connect(second);
    const { metadata } = await a.ask("reset", { ...task, episode_id: "run 7" });
    expect(await a.step(1, 0)).toBe("Got 1 dirt");
    for (const name of ["run 7", metadata.episode_id]) {
      const taken = await b.ask("reset", { ...task, episode_id: name });
      expect(taken.metadata).toMatchObject({ episode_id: metadata.episode_id, step_count: 1 });
    }
    expect(await b.step(2, 1)).toBe("Got 2 dirt");
    expect(await a.ask("state")).toMatchObject({ episode_id: metadata.episode_id, step_count: 2 });
    expect((await b.ask("step", { type: "list_tools" })).observation.tools.length).toBeGreaterThan(0);
    expect(await b.step(9, 5)).toContain("expected the step index 2");
    const other = await b.ask("reset", task);
    expect(other.metadata.episode_id).not.toBe(metadata.episode_id);
    expect(await fleet.send(`/episodes/${metadata.episode_id}`)).toMatchObject({ phase: "closed", index: 2 });
    const missing = await b.ask("reset", { episode_id: `${metadata.episode_id.slice(0, -1)}g` });
    expect(missing.metadata?.episode_id).not.toBe(metadata.episode_id);
  });

  test("HTTP and sockets of both gyms share OpenEnv's sessions", async () => {
    const { first, second } = await startTwo();
    const rpc = (gym: string, method: string, params: object) =>
      post(`${gym}/openenv/textcraft/mcp`, { jsonrpc: "2.0", id: 1, method, params });
    const { session_id } = (await rpc(first, "openenv/session/create", {})).body.result;
    const socket = await OpenenvClient.connect(second, `?session_id=${session_id}`);
    const { metadata } = await socket.ask("reset", task);
    expect(await socket.step(1, 0)).toBe("Got 1 dirt");
    const call = { session_id, name: "get", arguments: { count: 2, item: "dirt" } };
    for (const [gym, episode_id] of [[second, metadata.episode_id]] as const) {
      expect((await rpc(gym, "tools/call", call)).body.result.meta).toMatchObject({ episode_id });
      const body = { episode_id, action: { message: "get 3 dirt", index: 2 } };
      expect((await post(`${gym}/openenv/textcraft/step`, body)).body.observation.text).toBe("Got 3 dirt");
      const state = await fetch(`${gym}/openenv/textcraft/state?episode_id=${episode_id}`);
      expect(await state.json()).toMatchObject({ step_count: 3 });
    }
    expect((await rpc(second, "openenv/session/close", { session_id })).body.result).toEqual({
      session_id,
      closed: true,
    });
    expect((await rpc(first, "tools/call", call)).body.error.message).toContain("an unknown one");
    const frame = { session: 1, frame: { type: "state" } };
    expect((await post(`${second}/openenv/textcraft/frame`, frame)).status).toBe(404);
  });

  test("sessions without an episode survive the start of a gym, which removes old sessions", {
    timeout: 240_000,
  }, async () => {
    const { fleet, first, second } = await startTwo();
    const headers = (session: string) => ({ "x-deployment": "textcraft", "x-session-id": session });
    const open = async () => eventsIn((await post(`${first}/create_session`, {})).text)[0]?.data as string;
    const sessions = [await open(), await open()];
    await fleet.startNode();
    // From here on, the sessions exist only in the log.
    await fleet.palestra("fleet", "drain", first);
    for (const session of sessions)
      expect((await post(`${second}/create`, task, headers(session))).body).toEqual({ sid: session });
  });

  test("a socket without an episode plays on the gym to which its session's shard has moved", async () => {
    const { fleet, first, second } = await startTwo();
    const sockets = await Promise.all([1, 2, 3].map(() => OpenenvClient.connect(first)));
    await fleet.palestra("fleet", "drain", first);
    for (const socket of sockets) {
      expect((await socket.ask("step", { message: "get 1 dirt" })).message).toContain("expected a reset");
      expect((await socket.ask("reset", task)).metadata.step_count).toBe(0);
      expect(await socket.step(1, 0)).toBe("Got 1 dirt");
    }
    const { episodes } = (await fleet.send("/episodes?detail=state", undefined, {}, second)) as Reply;
    expect(episodes).toHaveLength(sockets.length);
  });

  test("AgentGym's ids are unique, and belong to both gyms", async () => {
    const { first, second } = await startTwo();
    const ids: number[] = [];
    for (const gym of [first, second, first, second]) {
      const { body } = await post(`${gym}/agentgym/babyai/create`, {});
      ids.push(body.id);
    }
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) {
      const answers: Reply[] = [];
      for (const gym of [first, second, first]) {
        answers.push((await post(`${gym}/agentgym/babyai/reset`, { id, data_idx: 3 })).body);
        expect((await post(`${gym}/agentgym/babyai/step`, { id, action: "turn left" })).body).toMatchObject({
          done: false,
        });
      }
      expect(answers[1]).toEqual(answers[0]);
      expect((await post(`${second}/agentgym/babyai/close`, { id })).body).toBe(true);
      const closed = await post(`${first}/agentgym/babyai/step`, { id, action: "turn left" });
      expect([closed.status, closed.body]).toEqual([200, { error: `The id ${id} is not valid.` }]);
    }
  });

  test("the Open Reward Standard, NeMo Gym and MCP can use another gym with each request", {
    timeout: 240_000,
  }, async () => {
    const { fleet, first, second } = await startTwo();
    const session = eventsIn((await post(`${first}/create_session`, {})).text)[0]?.data as string;
    const headers = { "x-deployment": "textcraft", "x-session-id": session };
    for (const gym of [second, first]) {
      expect((await post(`${gym}/create`, task, headers)).body).toEqual({ sid: session });
      const prompt = await fetch(`${gym}/prompt`, { headers });
      expect(JSON.stringify(await prompt.json())).toContain("Goal: craft");
    }
    const call = { name: "get", input: { count: 1, item: "dirt" } };
    const { text } = await post(`${second}/call`, call, headers);
    expect(resultOf(eventsIn(text)).output?.blocks[0]?.text).toBe("Got 1 dirt");
    const task_id = eventsIn(text)[0]?.data as string;
    expect(resultOf(eventsIn((await post(`${first}/call`, { ...call, task_id }, headers)).text)).ok).toBe(true);
    expect((await post(`${first}/delete`, {}, headers)).status).toBe(200);
    expect((await post(`${second}/call`, call, headers)).status, "a closed session").toBe(410);

    const [one, two] = [first, second].map((gym) => new NemoRollout(`${gym}/nemo-gym/textcraft`)) as [
      NemoRollout,
      NemoRollout,
    ];
    for (const index of [0, 1]) {
      const { body } = await one.reset({ ...task, index });
      two.cookie = one.cookie;
      for (const request of ["a", "a", "b"]) {
        const reply = await two.step([message(`get ${request === "a" ? 1 : 2} dirt`)], request);
        expect(reply.body.info).toMatchObject({
          episode_id: body.info.episode_id,
          step_count: request === "a" ? 1 : 2,
        });
        one.cookie = two.cookie;
      }
      expect((await one.step([message("get 3 dirt")], "c")).body.observation).toBe("Got 3 dirt");
    }

    const accept = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
    const mcp = async (gym: string, method: string, params: object) => {
      const reply = await post(`${gym}/mcp`, { jsonrpc: "2.0", id: 1, method, params }, accept);
      return JSON.parse(eventsIn(reply.text)[0]?.data ?? reply.text).result;
    };
    const tool = (gym: string, name: string, given: object) => mcp(gym, "tools/call", { name, arguments: given });
    const begun = await tool(first, "start_episode", { environment: "textcraft", ...task });
    const { episode } = begun.structuredContent;
    for (const [i, gym] of [second, first].entries()) {
      const acted = await tool(gym, "act", { episode, action: `get ${i + 1} dirt` });
      expect(acted.structuredContent).toMatchObject({ observation: `Got ${i + 1} dirt`, step: i + 1 });
      const { contents } = await mcp(gym, "resources/read", { uri: `palestra://episodes/${episode}/transcript` });
      expect(contents[0].text).toContain(`## Step ${i}\n`);
    }
    expect((await tool(second, "end_episode", { episode })).content[0].text).toBe("The episode is closed.");
    expect(await fleet.send(`/episodes/${episode}`)).toMatchObject({ phase: "closed", index: 2 });
  });
});
