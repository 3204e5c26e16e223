import type { FastifyInstance } from "fastify";
import { Registry, versionedId } from "../../envs/registry.js";
import { buildApp } from "../app/app.js";
import { terminalLog } from "../app/plugins/terminal-log.js";
import type { Config } from "../config/config.js";
import { openDataDir } from "../config/data-dir.js";
import { OperatorError } from "../config/operator-error.js";
import { type StopTimes, type Times, usualTimes } from "../config/times.js";
import { Availability, type RequirementState } from "../episodes/episode/availability.js";
import { isLoopback } from "../formats/loopback.js";
import { unendedThreads } from "../hosts/thread/worker-host.js";
import { LocalToken } from "../tokens/local-token.js";
import { TokenStore } from "../tokens/token-file.js";
import { onNpxGone } from "./npx.js";
import { storageLine } from "./storage-line.js";

/**
 * Longest wait in milliseconds until the gym is ready. After that time the server listens anyway, and `/readyz` names
 * the parts that are not ready.
 */
const startingMs = 8_000;

const portRemedy = "Stop the program that listens there, or choose another port with --port (0 takes a free one)";

/**
 * Implements `palestra serve`: builds the gym, listens once it is ready, and drains on SIGTERM or SIGINT.
 *
 * @throws {OperatorError} if the address, the data directory or its tokens cannot be used
 * @throws {GymError} the errors of `buildApp`
 */
export async function serve(config: Config, times: Times = usualTimes): Promise<void> {
  openDataDir(config.dataDir);
  // The token file is read at the start, so that the operator hears of a broken file, and not the first caller with a token.
  if (config.log.url === undefined) new TokenStore(config.dataDir).list();
  const localToken = new LocalToken(config.dataDir);
  let end: ((exitCode: number) => void) | null = null;
  const registry = await Registry.load(config.environments);
  const app = await buildApp(config, {
    registry,
    localToken,
    startingMs,
    times,
    onLogLost(error) {
      // A gym that has lost its log can only refuse steps. A supervisor restarts the gym, and its episodes continue from the
      // log.
      app.log.fatal({ err: error }, "the episode log is lost");
      end?.(1);
    },
    logStream: process.stdout.isTTY ? terminalLog(process.stdout) : undefined,
  });
  // The gym holds the log's lock from here on, so no other gym uses this data directory and its token file.
  app.addHook("onClose", async () => localToken.withdraw());
  end = ender(app, times.stop);
  try {
    const url = await listen(app, config, localToken);
    console.log(
      `Palestra listens on ${url}   (studio at ${url}/ui/, documented at ${url}/openapi.json, data in ${config.dataDir})`,
    );
    // The machine is probed for what environments need while the first clients connect.
    console.log(await environmentLines(config, registry, app.tokens.list().length > 0));
    for (const [name, address] of app.nemoPorts.urls) console.log(`  NeMo Gym plays ${name} at ${address}`);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** Starts to listen, and returns the URL of the server. */
async function listen(app: FastifyInstance, { host, port }: Config, localToken: LocalToken): Promise<string> {
  // A client that waits for this port connects at once and needs the new token at that time.
  const warn = (message: string) => app.log.warn(message);
  if (port !== 0) localToken.publish(host, port, warn);
  try {
    const url = await app.listen({ host, port });
    if (port === 0) localToken.publish(host, Number(new URL(url).port), warn);
    return url;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const received = code === "EADDRINUSE" ? `${message}. ${portRemedy}` : error;
    throw new OperatorError(`an address to listen on at host ${host} and port ${port}`, received);
  }
}

/** Returns a function that drains the app and then ends the process. SIGTERM and SIGINT also call the function. */
function ender(app: FastifyInstance, { leavingMs, drainMs }: StopTimes): (exitCode: number) => void {
  let ending = false;
  const leave = (exitCode: number) => {
    if (unendedThreads.count === 0) process.exit(exitCode);
    // An ordinary exit waits for every thread.
    app.log.error("an environment is in a system call that does not return: ending this process with SIGKILL");
    process.kill(process.pid, "SIGKILL");
  };
  const end = async (exitCode: number) => {
    ending = true;
    if (exitCode === 0 && !(await leaveFleet(app, leavingMs)))
      app.log.warn("other gyms take over the episodes of this gym when it has ended");
    setTimeout(() => {
      app.log.error(`not drained after ${drainMs} ms`);
      leave(1);
    }, drainMs).unref();
    app.close().then(
      () => leave(exitCode),
      (error) => {
        app.log.error({ err: error }, "could not close");
        leave(1);
      },
    );
  };
  const onSignal = (signal: NodeJS.Signals) => {
    // A second signal ends the process at once.
    if (ending) leave(1);
    app.log.info({ signal }, "draining: requests in flight are answered first; a second signal ends the gym at once");
    void end(0);
  };
  onNpxGone(() => {
    app.log.warn("npx has ended, which started this gym: draining");
    void end(0);
  });
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return end;
}

/** Gives the episodes of this gym to the other gyms of its fleet, if it has one. Returns whether it has none any more. */
async function leaveFleet(app: FastifyInstance, leavingMs: number): Promise<boolean> {
  try {
    return await app.leaveFleet(leavingMs);
  } catch {
    return false;
  }
}

/** Lists the environments with what the machine lacks for them, and what an operator should know. */
async function environmentLines(config: Config, registry: Registry, hasTokens: boolean): Promise<string> {
  const lines: string[] = [];
  const availability = new Availability();
  const specs = registry.list();
  const states = await Promise.all(specs.map((spec) => availability.of(spec)));
  for (const [at, spec] of specs.entries()) {
    const missing = (states[at] as RequirementState[]).filter(({ available }) => !available);
    const needs = missing.map(({ name, howToGet }) => `needs ${name}: ${howToGet}`).join("; ");
    const name = typeof spec.version === "string" ? versionedId(spec) : spec.id;
    lines.push(`  ${name.padEnd(12)} ${needs === "" ? spec.summary : needs}`);
  }
  lines.push(`  ${storageLine(config)}`);
  const open = config.auth === "off" || (config.auth === "auto" && isLoopback(config.host));
  if (!open && !hasTokens) {
    lines.push("  Every call needs a token and there is none yet: npx palestra token create --name <who>");
  }
  const { address } = config.fleet;
  if (address !== undefined && isLoopback(config.host) && !isLoopback(new URL(address).hostname))
    lines.push(`  The other gyms cannot reach ${address}: this gym listens on ${config.host} only. Set --host.`);
  if (open && !isLoopback(config.host))
    lines.push(
      "  Anyone who reaches this address may use the gym, also by a web page in a browser of its network: auth is off.",
    );
  return lines.join("\n");
}
