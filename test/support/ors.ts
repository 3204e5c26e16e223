/** A client of the Open Reward Standard, for details that the Python client hides. */

/** One server-sent event. */
export interface OrsEvent {
  event: string;
  data: string;
}

export interface CallResult {
  ok: boolean;
  output?: {
    blocks: { type: string; text?: string; data?: string; mimeType?: string }[];
    metadata: { episode_id: string; step_count: number };
    reward: number | null;
    finished: boolean;
  };
  error?: string;
  reason?: string;
}

interface Call {
  name: string;
  input?: object;
  task_id?: string;
}

export class OrsClient {
  /** @param deployment value of the header X-Deployment */
  constructor(
    readonly url: string,
    readonly deployment?: string,
    readonly headers: Record<string, string> = {},
  ) {}

  request(method: string, path: string, body?: object, session?: string, signal?: AbortSignal): Promise<Response> {
    return fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(this.deployment !== undefined && { "x-deployment": this.deployment }),
        ...(session !== undefined && { "x-session-id": session }),
        ...(body && { "content-type": "application/json" }),
        ...this.headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  }

  // biome-ignore lint/suspicious/noExplicitAny: replies of several routes
  async json(method: string, path: string, body?: object, session?: string): Promise<any> {
    const response = await this.request(method, path, body, session);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    return JSON.parse(text);
  }

  /** Returns the id of a new session. */
  async createSession(): Promise<string> {
    const events = eventsIn(await (await this.request("POST", "/create_session", {})).text());
    return events.find(({ event }) => event === "task_id")?.data as string;
  }

  /** Returns the id of a new session with an episode. */
  async begin(task: object): Promise<string> {
    const session = await this.createSession();
    await this.json("POST", "/create", task, session);
    return session;
  }

  async events(session: string, call: Call): Promise<OrsEvent[]> {
    const response = await this.request("POST", "/call", call, session);
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
    return eventsIn(text);
  }

  async call(session: string, call: Call): Promise<CallResult> {
    return resultOf(await this.events(session, call));
  }

  /** Calls a tool, closes the connection when the id of the call arrives, and returns the id. */
  async callAndLeave(session: string, call: Call): Promise<string> {
    const abort = new AbortController();
    const response = await this.request("POST", "/call", call, session, abort.signal);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`expected the event task_id, but received ${text}`);
      text += Buffer.from(value).toString();
      const [first] = eventsIn(text);
      if (!first) continue;
      abort.abort();
      return first.data;
    }
  }
}

export function resultOf(events: readonly OrsEvent[]): CallResult {
  return JSON.parse(events.map(({ event, data }) => (["chunk", "end"].includes(event) ? data : "")).join(""));
}

/** Reads complete events as the Python client does: it removes white space from the start of the data. */
export function eventsIn(text: string): OrsEvent[] {
  const complete = text.slice(0, text.lastIndexOf("\n\n") + 1);
  return complete.split("\n\n").flatMap((lines) => {
    const fields = Object.fromEntries(
      lines.split("\n").map((line) => {
        const at = line.indexOf(":");
        return [line.slice(0, at), line.slice(at + 1).trimStart()];
      }),
    );
    return fields.event === undefined ? [] : [{ event: fields.event, data: fields.data ?? "" }];
  });
}
