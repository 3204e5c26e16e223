/**
 * Runs ScienceWorld's Python API in a JVM. A JVM runs one episode at a time, since ScienceWorld's random generator and
 * counters are global.
 */
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

/** The result of a step. */
export interface Turn extends Standing {
  observation: string;
}

/** The java.util.Random object that ScienceWorld uses, and the Java field with its state. */
interface Generator {
  random: JavaObject;
  state: JavaObject;
}

/** Constant that Java xors with every seed to compute the state. */
const scrambler = 0x5deece66dn;

/** Milliseconds after which a call that releases the episode counts as hung. */
const releaseWithinMs = 1_000;

export class Simulator {
  private generator: Generator | undefined;

  private constructor(
    private readonly sandbox: Service,
    private readonly gateway: Gateway,
    private readonly python: JavaObject,
    /** Version of the jar. */
    readonly version: string,
  ) {}

  /** Starts a JVM with the simulator. @throws {SandboxError} as the provider's `open` @throws the signal's reason */
  static async start(jvm: SandboxProvider<JvmRequest>, signal: AbortSignal): Promise<Simulator> {
    const jar = jarPath();
    const sandbox = await jvm.open(simulatorRequest(jar), signal);
    let gateway: Gateway | undefined;
    try {
      const numbers = typeNumbersPath(jar);
      // A simulator without the file of type numbers assigns the numbers itself. Nothing else differs.
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
   * Starts an episode.
   *
   * @param simplifications ScienceWorld's names, separated by commas
   * @param withGoldPath true to compute the solution first, which does not affect the episode
   */
  async load(problem: Problem, simplifications: string, withGoldPath: boolean, signal: AbortSignal): Promise<void> {
    const { task, variation } = problem;
    const refusal = await this.call("load", [task, variation, simplifications, withGoldPath], signal);
    if (refusal)
      throw new Error(`expected the jar to have variation ${variation} of the task ${task}, but received ${refusal}`);
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

  /** Calls a method without arguments. @returns the returned text, or the entries of the returned list */
  async ask(method: string, signal: AbortSignal): Promise<string | string[]> {
    const value = await this.call(method, [], signal);
    if (typeof value !== "object" || value === null) return String(value);
    const lines = String(await this.callOn({ className: "java.lang.String" }, "join", ["\n", value], signal));
    await this.gateway.release(value, signal);
    return lines === "" ? [] : lines.split("\n");
  }

  /** Same as `ask`, but restores the random generator afterwards, since some methods draw random numbers. */
  async askAside(method: string, signal: AbortSignal): Promise<string | string[]> {
    this.generator ??= await this.findGenerator(signal);
    const { random, state } = this.generator;
    // The state has 48 bits, which are exact in a double.
    const before = BigInt((await this.callOn(state, "get", [random], signal)) as number);
    const answer = await this.ask(method, signal);
    await this.callOn(random, "setSeed", [before ^ scrambler], signal);
    return answer;
  }

  /**
   * Returns the JVM to the pool, or ends it if it hangs. @param isSpoilt true if an aborted call may still be running
   */
  async close(isSpoilt: boolean): Promise<void> {
    const isReleased = !isSpoilt && (await this.release());
    this.gateway.close();
    await this.sandbox.close({ isSpoilt: !isReleased });
  }

  /** Releases the episode, so that the JVM can free its memory. @returns whether the release succeeded in time */
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

/** Returns the SandboxError that caused a lost connection, or the error itself if no such cause is known. */
async function lossBehind(error: unknown, sandbox: Service): Promise<unknown> {
  if (!(error instanceof GatewayLost)) return error;
  return sandbox.openPort().then(
    () => error,
    (loss: unknown) => loss,
  );
}
