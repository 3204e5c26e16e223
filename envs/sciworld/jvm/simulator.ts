/** The original's Python API in a JVM of its own: its generator and its counters are the whole JVM's. */
import { readFile } from "node:fs/promises";
import type { JvmRequest, SandboxProvider, Service } from "../../../sandboxes/sandbox.js";
import type { Standing } from "../points.js";
import type { Problem } from "../tasks.js";
import { type Call, Gateway, GatewayLost } from "./gateway.js";
import {
  exists,
  jarPath,
  simulatorClass,
  simulatorRequest,
  typeNumbersName,
  typeNumbersPath,
  versionOf,
} from "./jar.js";
import type { Argument, JavaObject, JavaValue } from "./java-values.js";

/** What a step has led to. */
export interface Turn extends Standing {
  observation: string;
}

/** The JVM's one java.util.Random, and the field that is its state. */
interface Generator {
  random: JavaObject;
  state: JavaObject;
}

/** Java combines every seed with it before it becomes the state. */
const scrambler = 0x5deece66dn;

/** A JVM that takes longer hangs. */
const releaseWithinMs = 1_000;

export class Simulator {
  private generator: Generator | undefined;

  private constructor(
    private readonly sandbox: Service,
    private readonly gateway: Gateway,
    private readonly python: JavaObject,
    /** Of the jar. */
    readonly version: string,
  ) {}

  /** @throws {SandboxError} as the provider's open @throws the signal's reason */
  static async start(jvm: SandboxProvider<JvmRequest>, signal: AbortSignal): Promise<Simulator> {
    const jar = jarPath();
    const sandbox = await jvm.open(simulatorRequest(jar), signal);
    let gateway: Gateway | undefined;
    try {
      const numbers = typeNumbersPath(jar);
      // Without them the simulator counts anew: only the numbers of types differ then.
      if (await exists(numbers)) await sandbox.writeFile(typeNumbersName, await readFile(numbers));
      gateway = await Gateway.open(await sandbox.openPort(), signal);
      const version = await versionOf(gateway, signal);
      return new Simulator(sandbox, gateway, await gateway.construct(simulatorClass, signal), version);
    } catch (error) {
      gateway?.close();
      const cause = await lossBehind(error, sandbox);
      await sandbox.close({ isSpoilt: true });
      throw cause;
    }
  }

  /**
   * Begins an episode.
   *
   * @param simplifications by the original's names
   * @param withGoldPath whether it solves the task first; what follows is the same
   */
  async load(problem: Problem, simplifications: string, withGoldPath: boolean, signal: AbortSignal): Promise<void> {
    const { task, variation } = problem;
    const refusal = await this.call("load", [task, variation, simplifications, withGoldPath], signal);
    if (refusal) throw new Error(`expected the jar to know ${task} ${variation}, but received ${refusal}`);
  }

  async step(action: string, signal: AbortSignal): Promise<Turn> {
    const [observation, score, isCompleted, moves] = await Promise.all([
      this.call("step", [action], signal),
      this.call("getScore", [], signal),
      this.call("getCompleted", [], signal),
      this.call("getNumMoves", [], signal),
    ]);
    return { observation, score, isCompleted, moves } as Turn;
  }

  /** What a method without arguments says: text, or a list's entries. */
  async ask(method: string, signal: AbortSignal): Promise<string | string[]> {
    const value = await this.call(method, [], signal);
    if (typeof value !== "object" || value === null) return String(value);
    const lines = String(await this.callOn({ className: "java.lang.String" }, "join", ["\n", value], signal));
    await this.gateway.release(value, signal);
    return lines === "" ? [] : lines.split("\n");
  }

  /** As `ask`, but without a trace: some answers are drawn from the episode's generator. */
  async askAside(method: string, signal: AbortSignal): Promise<string | string[]> {
    this.generator ??= await this.findGenerator(signal);
    const { random, state } = this.generator;
    // 48 bits: exact as a number.
    const before = BigInt((await this.callOn(state, "get", [random], signal)) as number);
    const answer = await this.ask(method, signal);
    await this.callOn(random, "setSeed", [before ^ scrambler], signal);
    return answer;
  }

  /** Gives the JVM back, but ends one that hangs. @param isSpoilt a call was given up and may still run */
  async close(isSpoilt: boolean): Promise<void> {
    const isReleased = !isSpoilt && (await this.release());
    this.gateway.close();
    await this.sandbox.close({ isSpoilt: !isReleased });
  }

  /** Else the JVM would keep the episode for as long as it lives. @returns whether it has let go of it in time */
  private async release(): Promise<boolean> {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), releaseWithinMs);
    try {
      await this.gateway.release(this.python, controller.signal);
      return true;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  private async findGenerator(signal: AbortSignal): Promise<Generator> {
    const chain = (...calls: Call[]) => this.gateway.chain({ className: "java.lang.Class" }, calls, signal);
    const random = await chain(["forName", "scala.util.Random$"], ["getField", "MODULE$"], ["get", null], ["self"]);
    const state = (await chain(["forName", "java.util.Random"], ["getDeclaredField", "seed"])) as JavaObject;
    await this.callOn(state, "setAccessible", [true], signal);
    return { random: random as JavaObject, state };
  }

  private call(method: string, args: readonly Argument[], signal: AbortSignal): Promise<JavaValue> {
    return this.callOn(this.python, method, args, signal);
  }

  private async callOn(...call: Parameters<Gateway["call"]>): Promise<JavaValue> {
    try {
      return await this.gateway.call(...call);
    } catch (error) {
      throw await lossBehind(error, this.sandbox);
    }
  }
}

/** Where a connection broke because its sandbox is gone, the SandboxError that says why. */
async function lossBehind(error: unknown, sandbox: Service): Promise<unknown> {
  if (!(error instanceof GatewayLost)) return error;
  return sandbox.openPort().then(
    () => error,
    (loss: unknown) => loss,
  );
}
