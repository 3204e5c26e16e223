/** A gym that is killed after given numbers of replies, and a client that reconnects each time. */
import { ConnectionLost, GymSocket } from "../support/gym-socket.js";
import type { RunningServer, ServerProcess } from "../support/server-process.js";
import { serve } from "../support/serving.js";

export interface Crash {
  /** Number of requests without a reply. */
  inFlight: number;
  /** Time from the kill until the sockets are connected again. */
  backMs: number;
}

export class CrashingGym {
  readonly crashes: Crash[] = [];
  private sockets: GymSocket[] = [];
  private back: Promise<void> = Promise.resolve();
  private server!: RunningServer;
  private planned: number[] = [];
  private answered = 0;
  private crashing = false;

  private constructor(
    private readonly dataDir: string,
    private readonly socketCount: number,
  ) {}

  static async start(dataDir: string, socketCount: number): Promise<CrashingGym> {
    const gym = new CrashingGym(dataDir, socketCount);
    await gym.serve();
    return gym;
  }

  get url(): string {
    return this.server.url;
  }

  get process(): ServerProcess {
    return this.server.process;
  }

  socket(i: number): GymSocket {
    return this.sockets[i] as GymSocket;
  }

  /** Kills the server after a number of further replies. */
  crashAfter(counts: readonly number[]): void {
    this.planned = [...counts];
    this.answered = 0;
  }

  /**
   * Returns the result of `attempt`, which is repeated on the restarted server after each crash before its reply.
   *
   * @param attempt rejects with ConnectionLost if there is no reply
   */
  async survive<T>(attempt: (repeating: boolean) => Promise<T>): Promise<T> {
    for (let repeating = false; ; repeating = true) {
      try {
        if (repeating) await this.back;
        const reply = await attempt(repeating);
        this.count();
        return reply;
      } catch (error) {
        if (!(error instanceof ConnectionLost)) throw error;
      }
    }
  }

  async crash(): Promise<void> {
    this.back = this.killAndServe();
    await this.back;
  }

  async stop(): Promise<void> {
    await this.process.stop();
  }

  private count(): void {
    this.answered += 1;
    if (this.crashing || this.answered < (this.planned[0] ?? Number.POSITIVE_INFINITY)) return;
    this.crashing = true;
    this.planned.shift();
    // The kill comes after every client with a reply has sent its next request.
    setImmediate(() => void this.crash());
  }

  private async killAndServe(): Promise<void> {
    const inFlight = this.sockets.reduce((sum, { pending }) => sum + pending, 0);
    const killedAt = performance.now();
    await this.process.kill();
    await Promise.all(this.sockets.map(({ closed }) => closed));
    await this.serve();
    this.crashing = false;
    this.crashes.push({ inFlight, backMs: performance.now() - killedAt });
  }

  private async serve(): Promise<void> {
    this.server = await serve({ dataDir: this.dataDir });
    const connecting = Array.from({ length: this.socketCount }, () => GymSocket.connect(this.url));
    this.sockets = await Promise.all(connecting);
  }
}
