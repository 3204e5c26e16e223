import type { HttpLoop } from "./load.js";

export interface Played {
  connections: number;
  dataIndex: number;
  /** Actions to repeat in order. When they end the task, it is reset. */
  actions: readonly string[];
}

/** Plays environments of an AgentGym server with the requests of AgentGym's client. @param base URL up to the environment's name */
export async function agentgymLoops(base: string, { connections, dataIndex, actions }: Played): Promise<HttpLoop[]> {
  const { origin, pathname } = new URL(base);
  const prefix = pathname.replace(/\/$/, "");
  const open = async (): Promise<HttpLoop> => {
    const { id } = (await postJson(`${origin}${prefix}/create`, {})) as { id: number };
    const task = { id, data_idx: dataIndex };
    await postJson(`${origin}${prefix}/reset`, task);
    let taken = 0;
    let over = false;
    return {
      path: () => `${prefix}/${over ? "reset" : "step"}`,
      next: () => JSON.stringify(over ? task : { id, action: actions[taken++ % actions.length] }),
      received: (reply) => {
        const { observation, done } = JSON.parse(reply) as { observation?: string; done?: boolean };
        if (observation === undefined) throw new Error(`expected an observation, but received ${reply}`);
        over = done === true;
      },
    };
  };
  return Promise.all(Array.from({ length: connections }, open));
}

export async function postJson(url: string, body: unknown): Promise<unknown> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!response.ok)
    throw new Error(`expected ${url} to answer, but received ${response.status}: ${await response.text()}`);
  return response.json();
}
