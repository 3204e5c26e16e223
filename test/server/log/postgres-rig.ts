/** A log with one host that the test simulates, and a relay before PostgreSQL that cuts connections. */
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import { onTestFinished } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import type { GymError } from "#palestra/server/errors.js";
import { Log } from "#palestra/server/log/log.js";
import type { FleetCalls, LogCallName, LoggedReport, LogThreadData } from "#palestra/server/log/records/protocol.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";

export type Step = readonly [episode: number, index: number, action?: string | undefined];

/** A log with one host, which reports the steps that a test names. */
export class Rig {
  private reports: LoggedReport[] = [];
  private next: (() => void) | null = null;
  readonly lost: GymError[] = [];

  private constructor(
    readonly log: Log,
    private readonly port: MessagePort,
  ) {}

  static async open(data: LogThreadData): Promise<Rig> {
    let rig: Rig | null = null;
    const log = await Log.open(data, (error) => rig?.lost.push(error));
    const { port } = log.attach({
      onReport: (report) => {
        rig?.reports.push(report);
        rig?.next?.();
      },
      onLogLost: () => rig?.next?.(),
    });
    rig = new Rig(log, port);
    onTestFinished(() => rig?.close());
    return rig;
  }

  async close(): Promise<void> {
    this.port.close();
    await this.log.close();
  }

  /** Reports steps. Resolves with null when they are in the log, or with the error of the report. */
  append(steps: readonly Step[]): Promise<string | null> {
    this.report(steps);
    return this.outcome();
  }

  report(steps: readonly Step[]): void {
    const page = new StepPageWriter();
    for (const [episode, index, action = `a${index}`] of steps)
      page.add(episode, index, action, JSON.stringify({ index, observation: `${episode}: ${action}` }), 0);
    this.port.postMessage({ type: "report", endings: [], results: [], page: page.take() });
  }

  /** Resolves with the outcome of the oldest report that no call has returned yet. */
  async outcome(): Promise<string | null> {
    while (this.reports.length === 0 && this.lost.length === 0)
      await new Promise<void>((resolve) => (this.next = resolve));
    return this.reports.shift()?.error ?? this.lost[0]?.message ?? null;
  }

  /** Tells the log that the host has resumed after the given number of refused reports. */
  resume(times: number): void {
    for (let i = 0; i < times; i++) this.port.postMessage({ type: "resumed" });
  }

  call<Name extends LogCallName>(method: Name, ...args: Parameters<FleetCalls[Name]>) {
    return this.log.call(method, ...args);
  }
}

export interface CuttingRelay {
  port: number;
  /** Port of the server, for new connections. */
  target: number;
  /** Probability of a cut at each packet, from 0 to 1. */
  chance: number;
  cuts: number;
  /** While true, the relay holds back all bytes. */
  isFrozen: boolean;
}

/** A relay before the server that cuts connections at random, before or after it has forwarded a packet. */
export async function openCuttingRelay(port: number, chance: number): Promise<CuttingRelay> {
  const random = new MersenneTwister(5);
  const relay: CuttingRelay = { port: 0, target: port, chance, cuts: 0, isFrozen: false };
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const remote = connect(relay.target, "127.0.0.1");
    const cut = () => {
      relay.cuts += 1;
      client.destroy();
      remote.destroy();
    };
    for (const [from, to] of [
      [client, remote],
      [remote, client],
    ] as const) {
      sockets.add(from);
      const pass = async (data: Buffer) => {
        while (relay.isFrozen) await sleep(20);
        if (random.random() >= relay.chance) to.write(data);
        else if (random.random() < 0.5) to.write(data, () => setTimeout(cut, 2));
        else cut();
      };
      // Bytes keep their order, even those that a frozen relay has held back.
      let passed: Promise<void> = Promise.resolve();
      from.on("data", (data) => {
        passed = passed.then(() => pass(data));
      });
      from.on("error", () => to.destroy()).on("close", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  relay.port = (listener.address() as AddressInfo).port;
  onTestFinished(() => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  return relay;
}
