/** A client of the gym's server-sent events. */
import { onTestFinished } from "vitest";

export interface GymEvent {
  event: string;
  id: string | undefined;
  data: Record<string, unknown>;
}

/** The events of one stream so far. */
export class EventClient {
  readonly events: GymEvent[] = [];
  comments = 0;
  /** Resolves when the server has ended the stream, and is rejected when the connection is lost. */
  readonly ended: Promise<void>;
  private readonly aborting = new AbortController();
  private text = "";

  private constructor(readonly response: Response) {
    this.ended = this.read();
    this.ended.catch(() => {});
  }

  /** Connects, and disconnects at the end of the test. */
  static async connect(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
    const aborting = new AbortController();
    const response = await fetch(url, { headers, signal: aborting.signal });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    const client = new EventClient(response);
    client.aborting.signal.addEventListener("abort", () => aborting.abort());
    onTestFinished(() => client.disconnect());
    return client;
  }

  disconnect(): void {
    this.aborting.abort();
  }

  of(event: string): GymEvent[] {
    return this.events.filter((each) => each.event === event);
  }

  /** Indexes of the steps, in the order in which they arrived. */
  get indexes(): number[] {
    return this.of("step").map(({ data }) => data.index as number);
  }

  /** The newest state of the episode. */
  get state(): Record<string, unknown> | undefined {
    return this.of("episode").at(-1)?.data;
  }

  private async read(): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of this.response.body as unknown as AsyncIterable<Uint8Array>) {
      this.text += decoder.decode(chunk, { stream: true });
      const blocks = this.text.split("\n\n");
      this.text = blocks.pop() as string;
      for (const block of blocks) this.take(block);
    }
  }

  private take(block: string): void {
    if (block.startsWith(":")) {
      this.comments += 1;
      return;
    }
    const fields = Object.fromEntries(
      block.split("\n").map((line) => [line.split(": ", 1)[0], line.slice(line.indexOf(": ") + 2)]),
    );
    this.events.push({ event: fields.event as string, id: fields.id, data: JSON.parse(fields.data as string) });
  }
}
