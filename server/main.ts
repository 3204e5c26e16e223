import type { FastifyInstance } from "fastify";
import { Registry, versionedId } from "../envs/registry.js";
import { buildApp } from "./app.js";
import type { Config } from "./config.js";
import { openDataDir } from "./data-dir.js";
import { Availability } from "./episodes/availability.js";
import { unendedThreads } from "./hosts/thread/worker-host.js";
import { LocalToken } from "./local-token.js";
import { OperatorError } from "./operator-error.js";
import { isLoopback } from "./plugins/auth.js";
import { terminalLog } from "./plugins/terminal-log.js";
import { TokenStore } from "./tokens.js";

/** How long the gym may take to be ready before it listens all the same; `/readyz` then says what is missing. */
const startingMs = 8_000;

const portRemedy = "Stop the program that listens there, or choose another port with --port (0 takes a free one)";

/** How long requests in flight may take to finish once the server was told to stop. */
const drainMs = 10_000;

/**
 * `palestra serve`: builds the gym, listens once it is ready, and drains on SIGTERM or SIGINT.
 *
 * @throws {OperatorError} where the address, the data directory or its tokens cannot be used, and what `buildApp` throws
 */
export async function serve(config: Config): Promise<void> {
  openDataDir(config.dataDir);
  // Read now, since a file that is broken would otherwise be told to whoever comes with a token.
  new TokenStore(config.dataDir).list();
  const localToken = new LocalToken(config.dataDir);
  let end: ((exitCode: number) => void) | null = null;
  const registry = await Registry.load(config.environments);
  const app = await buildApp(config, {
    registry,
    localToken,
    startingMs,
    onLogLost(error) {
      // Without its log the gym could only refuse steps. Its supervisor starts it again, and it goes on from the log.
      app.log.fatal({ err: error }, "the episode log is lost");
      end?.(1);
    },
    ...(process.stdout.isTTY && { logStream: terminalLog(process.stdout) }),
  });
  // Only now does the log's lock say that no other gym has this data directory, and with it the token's file.
  app.addHook("onClose", async () => localToken.withdraw());
  end = ender(app);
  try {
    const url = await listen(app, config, localToken);
    console.log(await greeting(url, config, registry));
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** @returns the URL */
async function listen(app: FastifyInstance, { host, port }: Config, localToken: LocalToken): Promise<string> {
  // A client that waits for this port to come back connects at once, and then needs this start's token.
  if (port !== 0) localToken.publish(host, port);
  try {
    const url = await app.listen({ host, port });
    if (port === 0) localToken.publish(host, Number(new URL(url).port));
    return url;
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    const received = code === "EADDRINUSE" ? `${message}. ${portRemedy}` : error;
    throw new OperatorError(`to listen on the host ${host} and the port ${port}`, received);
  }
}

/** Ends the process once the app is drained: on a signal, or with what is returned. */
function ender(app: FastifyInstance): (exitCode: number) => void {
  let ending = false;
  const leave = (exitCode: number) => {
    if (unendedThreads.count === 0) process.exit(exitCode);
    // An ordinary exit waits for every thread.
    app.log.error("an environment is in a call of the system that does not return: leaving by SIGKILL");
    process.kill(process.pid, "SIGKILL");
  };
  const end = (exitCode: number) => {
    ending = true;
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
    // Whoever asks twice does not want to wait.
    if (ending) leave(1);
    app.log.info({ signal }, "draining: requests in flight are answered first, a second signal ends at once");
    end(0);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
  return end;
}

async function greeting(url: string, config: Config, registry: Registry): Promise<string> {
  const lines = [`Palestra listens on ${url}   (documented at ${url}/openapi.json, data in ${config.dataDir})`];
  const availability = new Availability();
  for (const spec of registry.list()) {
    const missing = (await availability.of(spec)).filter(({ available }) => !available);
    const needs = missing.map(({ name, howToGet }) => `needs ${name}: ${howToGet}`).join("; ");
    const name = typeof spec.version === "string" ? versionedId(spec) : spec.id;
    lines.push(`  ${name.padEnd(12)} ${needs === "" ? spec.summary : needs}`);
  }
  const open = config.auth === "off" || (config.auth === "auto" && isLoopback(config.host));
  if (!open && new TokenStore(config.dataDir).list().length === 0) {
    lines.push("  Every call needs a token and there is none yet: npx palestra token create --name <who>");
  }
  if (open && !isLoopback(config.host)) lines.push("  Anyone who reaches this address may use the gym: auth is off.");
  return lines.join("\n");
}
