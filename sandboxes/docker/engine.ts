/**
 * A client of one Docker engine. Every call has a deadline, and every failure is a SandboxError. URLs contain no API
 * version, so any engine with API 1.41 or newer answers.
 */
import { existsSync } from "node:fs";
import Docker from "dockerode";
import { SandboxError } from "../sandbox.js";
import { attach } from "./attachment.js";
import { type Endpoint, endpointOf } from "./endpoint.js";

/** Default timeout of a call, in milliseconds. */
const mostAnsweringMs = 30_000;

export interface EngineFacts {
  /** Whether the engine can enforce a size limit on a writable root. */
  hasQuota: boolean;
  /** Whether the engine runs on this machine's kernel, and the kernel has IPv6. */
  hasIpv6: boolean;
  securityOptions: readonly string[];
  /** Names of the limits that the engine reports as unsupported. */
  unheld: readonly string[];
}

export class Engine {
  readonly docker: Docker;
  private readonly endpoint: Endpoint;

  /** @param address `unix:///path`, `tcp://host:port`, or `https://host:port` @throws {SandboxError} REFUSED */
  constructor(readonly address: string) {
    this.endpoint = endpointOf(address);
    this.docker = new Docker({ ...this.endpoint, version: "" });
  }

  /** @throws {SandboxError} MISSING if no engine answers, TIMEOUT */
  async facts(): Promise<EngineFacts> {
    const info = await this.call("to tell its facts", () => this.docker.info());
    return {
      hasQuota: ["btrfs", "zfs"].includes(info.Driver),
      hasIpv6: this.address.startsWith("unix:") && existsSync("/proc/sys/net/ipv6/conf/lo/disable_ipv6"),
      securityOptions: info.SecurityOptions ?? [],
      unheld: ["MemoryLimit", "PidsLimit", "CpuCfsQuota"].filter((name) => info[name] === false),
    };
  }

  /** Opens the standard streams of a container. Attach before the container's start, or its first output is lost. */
  attach(container: string): ReturnType<typeof attach> {
    return this.call("to attach", (signal) => attach(this.endpoint, container, signal));
  }

  /**
   * Calls the engine with a deadline.
   *
   * @param what purpose of the call for errors, such as `to start a container`
   * @throws {SandboxError} MISSING if no engine answers, TIMEOUT, REFUSED if the request is invalid, START
   */
  async call<T>(what: string, run: (signal: AbortSignal) => Promise<T>, ms = mostAnsweringMs): Promise<T> {
    const controller = new AbortController();
    const late = new SandboxError("TIMEOUT", `the engine at ${this.address} ${what} within ${ms} ms`, "no answer");
    let timer!: NodeJS.Timeout;
    const deadline = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        reject(late);
        controller.abort(late);
      }, ms);
    });
    try {
      return await Promise.race([run(controller.signal), deadline]);
    } catch (error) {
      throw error instanceof SandboxError ? error : this.errorOf(what, error as EngineFailure);
    } finally {
      clearTimeout(timer);
    }
  }

  private errorOf(what: string, error: EngineFailure): SandboxError {
    const received = (error.json?.message ?? error.reason ?? error.message ?? String(error)).trim();
    if (error.statusCode === undefined) {
      const advice = "Start the engine, or name another with DOCKER_HOST or the setting `sandboxes.engines`";
      return new SandboxError("MISSING", `a Docker engine at ${this.address}`, received, advice, { cause: error });
    }
    const code = error.statusCode === 400 || isWrong(received) ? "REFUSED" : "START";
    return new SandboxError(code, `the engine ${what}`, received, undefined, { cause: error });
  }
}

/** Returns the HTTP status of an engine's error, or undefined if the engine did not answer. */
export function statusOf(error: unknown): number | undefined {
  return ((error as SandboxError).cause as EngineFailure | undefined)?.statusCode;
}

interface EngineFailure extends Error {
  statusCode?: number;
  reason?: string;
  json?: { message?: string };
}

/** Whether an error with status 500 is a mistake of the caller. */
function isWrong(message: string): boolean {
  return /unable to find user|no such image|invalid (tmpfs|mount)/i.test(message);
}
