/** A client like AgentGym's Python client, which insists on status 200 and a JSON body. */
import { Agent, type Dispatcher, request } from "undici";
import { ConnectionLost } from "./gym-socket.js";

export interface Reply {
  observation: string;
  reward: number;
  done: boolean;
}

/** A reply without status 200. AgentGym's client fails with an assertion. */
export class NotOk extends Error {
  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`expected status 200, but received ${status}: ${body}`);
  }
}

/** One environment of an AgentGym server, like an instance of its client class. */
export class AgentgymClient {
  private constructor(
    private readonly wire: AgentgymWire,
    readonly id: number,
    public last: Reply,
  ) {}

  static async create(wire: AgentgymWire): Promise<AgentgymClient> {
    const body = { minecraft_dir: "agentenv_textcraft/", commands: null, goal: null };
    const { id, ...first } = await wire.post<Reply & { id: number }>("create", body);
    return new AgentgymClient(wire, id, first);
  }

  async reset(dataIndex: number): Promise<Reply> {
    const { observation, reward, done } = await this.wire.post<Reply>("reset", { data_idx: dataIndex, id: this.id });
    this.last = { observation, reward, done };
    return this.last;
  }

  async step(action: string): Promise<Reply> {
    this.last = await this.wire.post<Reply>("step", { action, id: this.id });
    return this.last;
  }

  observation(): Promise<string> {
    return this.wire.get<string>(`observation?id=${this.id}`);
  }

  close(): Promise<boolean> {
    return this.wire.post<boolean>("close", { id: this.id });
  }
}

export class AgentgymWire {
  private readonly agent = new Agent({ pipelining: 1, connections: 256 });

  /** @param base URL up to and including the environment's name, as AgentGym's clients expect it */
  constructor(private readonly base: () => string) {}

  get<T>(path: string): Promise<T> {
    return this.send(path, { method: "GET" });
  }

  /** Sends a POST. Without `body`, the request has no body and no content type, like `requests.post(url)`. */
  post<T>(path: string, body?: object): Promise<T> {
    if (body === undefined) return this.send(path, { method: "POST" });
    const headers = { "content-type": "application/json" };
    return this.send(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  /** Returns the reply. Rejects with NotOk, or with ConnectionLost if there is no reply. */
  private async send<T>(path: string, options: Omit<Dispatcher.RequestOptions, "origin" | "path">): Promise<T> {
    const { statusCode, text } = await this.exchange(path, options);
    if (statusCode !== 200) throw new NotOk(statusCode, text);
    return JSON.parse(text) as T;
  }

  private async exchange(path: string, options: Omit<Dispatcher.RequestOptions, "origin" | "path">) {
    try {
      const { statusCode, body } = await request(`${this.base()}/${path}`, { dispatcher: this.agent, ...options });
      return { statusCode, text: await body.text() };
    } catch (error) {
      throw new ConnectionLost(String(error));
    }
  }
}
