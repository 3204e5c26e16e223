/** The server's settings and their defaults. */
import { availableParallelism } from "node:os";
import { z } from "zod";
import { usualReplyLength } from "../../envs/contract/reply-size.js";
import { highestPort, mostHosts } from "./setting-ranges.js";

/** Longest delay of Node's timers. A timer with a longer delay would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

const mostMemoryMb = 2 ** 20;
const mostBrowsers = 1_024;
const mostContexts = 1_024;
const mostUser = 2 ** 32 - 2;

const count = z.int().min(1);
const milliseconds = z.int().min(1).max(longestTimerMs);

export const Config = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Address to listen on."),
  port: z.int().min(0).max(highestPort).default(8700).describe("Port to listen on; 0 takes a free one."),
  nemoGym: z
    .record(z.string().min(1).max(200), z.int().min(0).max(highestPort))
    .default({})
    .describe("Port of each environment for NeMo Gym, besides the port of the gym; 0 takes a free one."),
  dataDir: z.string().min(1).default(".palestra").describe("Directory of the episode log and the tokens."),
  auth: z
    .enum(["auto", "required", "off"])
    .default("auto")
    .describe(
      "Callers who need a token. `auto`: none on a loopback address, all on any other. `required`: all. `off`: none.",
    ),
  localExpert: z.boolean().default(false).describe("Whether callers without a token may ask the expert."),
  environments: z
    .array(z.string())
    .default([])
    .describe("Paths of modules with your own environments (compiled JavaScript)."),
  mounts: z
    .array(z.string().min(1))
    .default([])
    .describe("Environments that run elsewhere, each as NAME=KIND:ADDRESS: see the page of mounted environments."),
  runs: z
    .array(z.string().min(1))
    .default(["runs", ".palestra/evaluations"])
    .describe("Folders with training runs and evaluations to show."),
  logLevel: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
  log: z
    .strictObject({
      url: z
        .string()
        .regex(/^postgres(ql)?:\/\/\S+$/)
        .meta({ title: "a URL of the form postgres://user:password@host/database" })
        .optional()
        .describe(
          "URL of a PostgreSQL database for the episode log, `postgres://user:password@host/database`. Default: an SQLite file in `dataDir`.",
        ),
      sync: z
        .enum(["normal", "full"])
        .default("normal")
        .describe(
          "`normal`: acknowledged steps survive a crash of the process. `full`: they also survive a power failure. In PostgreSQL, they always do.",
        ),
      durability: z
        .enum(["local", "replicated"])
        .default("local")
        .describe(
          "`local`: PostgreSQL has stored a step before its reply. `replicated`: a synchronous standby has stored it, too, and the gym refuses to start without one.",
        ),
      retainDays: z
        .number()
        .min(0)
        .default(90)
        .describe("Age in days at which episodes that are not in use are deleted. 0: episodes of any age are kept."),
      maxMb: z
        .number()
        .min(0)
        .default(0)
        .describe("Size of the log in MiB. Near it, the oldest episodes that are not in use are deleted. 0: no limit."),
      minFreeMb: z
        .number()
        .min(0)
        .optional()
        .describe(
          "Free MiB of the log's disk below which no episode is opened. Default: 1024, or a tenth of a smaller disk.",
        ),
    })
    .prefault({}),
  fleet: z
    .strictObject({
      address: z
        .url({ protocol: /^http$/ })
        .regex(/^http:\/\/[^/?#@]+\/?$/)
        .meta({ title: "a URL of the form http://host:port" })
        .optional()
        .describe(
          "URL under which the other gyms of a fleet reach this gym, `http://host:port`. All have the same `log.url`. Default: the gym is alone.",
        ),
    })
    .prefault({}),
  hosts: z
    .strictObject({
      count: count
        .max(mostHosts)
        .default(Math.max(1, availableParallelism() - 1))
        .describe("Worker threads that run environments."),
      memoryMb: z
        .int()
        .min(32)
        .max(mostMemoryMb)
        .default(1024)
        .describe("Memory in MiB of one worker thread or process that runs environments."),
      isolation: z
        .enum(["process", "thread"])
        .default("process")
        .describe(
          "Where synchronous environments of added modules run. `process`: in a process for each module, whose crash ends no other episode. `thread`: faster, in the worker threads of the built-in environments.",
        ),
      passVariables: z
        .array(z.string())
        .default([])
        .describe(
          "Environment variables that the processes of added modules get, besides the usual ones such as PATH.",
        ),
      stepDeadlineMs: milliseconds
        .default(1_000)
        .describe(
          "Milliseconds of processor time that a call of an environment may use; time, if the environment is asynchronous.",
        ),
    })
    .prefault({}),
  sandboxes: z
    .strictObject({
      jvms: count.default(4).describe("Largest number of concurrent Java processes."),
      machines: count.default(32).describe("Largest number of concurrent sandboxes for commands and files."),
      provider: z
        .enum(["auto", "docker", "process"])
        .default("auto")
        .describe(
          "Kind of sandboxes for commands and files. `auto`: containers if a Docker engine answers, processes otherwise.",
        ),
      engines: z
        .array(z.string())
        .default([])
        .describe("Addresses of Docker engines. Default: DOCKER_HOST, or the engine of this machine."),
      pull: z.boolean().default(true).describe("Whether missing images are pulled from their registry."),
      warm: z
        .int()
        .min(0)
        .default(1)
        .describe("Number of containers to start in advance for each recently requested kind."),
      browsers: count
        .max(mostBrowsers)
        .default(4)
        .describe("Largest number of concurrent Chromium processes. Each group of environments has its own."),
      contextsPerBrowser: count
        .max(mostContexts)
        .default(16)
        .describe("Largest number of concurrent browser sessions of one Chromium process."),
      warmContexts: z
        .int()
        .min(0)
        .max(mostContexts)
        .default(2)
        .describe("Browser contexts that each Chromium keeps ready for new sessions."),
      browser: z
        .string()
        .min(1)
        .default("auto")
        .describe(
          "Path of Chromium's executable. `auto`: Chromium on the PATH, or else the Chromium that Playwright installed.",
        ),
      browserSandbox: z
        .enum(["required", "off"])
        .default("required")
        .describe("`required`: Chromium runs only with its own sandbox. `off`: Chromium runs without its sandbox."),
      browserUser: z
        .int()
        .min(1)
        .max(mostUser)
        .default(65_534)
        .describe("User id of Chromium if the gym runs as root."),
      browserMemoryMb: z
        .int()
        .min(256)
        .max(mostMemoryMb)
        .default(4_096)
        .describe(
          "Memory in MiB above which a Chromium process gets no further session. At twice this value it is ended.",
        ),
      warmMs: milliseconds.default(300_000).describe("Milliseconds for which an unused sandbox is kept."),
      waitMs: milliseconds
        .default(30_000)
        .describe("Milliseconds that an episode waits for a free sandbox, within the deadline of its call."),
    })
    .prefault({}),
  limits: z
    .strictObject({
      maxEpisodes: count.default(50_000).describe("Largest number of live episodes."),
      maxEpisodesPerCaller: count
        .default(50_000)
        .describe("Largest number of live episodes of all callers without a token together."),
      maxInFlightSteps: count
        .default(131_072)
        .describe(
          "Largest number of steps of all episodes that wait for their reply. A caller may have as many of them as are free, so at most half.",
        ),
      maxSeatWaits: count
        .default(4_096)
        .describe(
          "Largest number of calls that wait for a seat's turn. A caller may have as many of them as are free, so at most half.",
        ),
      maxReplays: count.default(8).describe("Largest number of replays that prove episodes at the same time."),
      maxReplayMs: milliseconds.default(600_000).describe("Milliseconds that the replay of one episode may take."),
      maxPendingSteps: count
        .default(1_024)
        .describe("Largest number of steps of one episode that wait for their reply."),
      maxBodyBytes: count.default(4 * 2 ** 20).describe("Largest request body or socket frame, in bytes."),
      maxConnections: z
        .int()
        .min(16)
        .default(10_000)
        .describe(
          "Largest number of open connections. Shortly below it, each new connection closes the one that is idle longest.",
        ),
      maxPartialBytes: count
        .default(128 * 2 ** 20)
        .describe("Total bytes of incomplete request bodies and socket frames, above which the oldest are refused."),
      maxActionLength: count.default(2 ** 20).describe("Longest action, in characters."),
      maxReplyLength: count.default(usualReplyLength).describe("Longest reply to a step, in characters."),
      maxUnsentBytes: count
        .default(256 * 2 ** 20)
        .describe(
          "Total bytes of HTTP replies that clients have not read yet, above which large replies are refused. At twice as many bytes of replies over HTTP and sockets, the connections with the most unread bytes are closed. A single HTTP reply may be larger and then counts as this number.",
        ),
      maxSocketInFlight: count
        .default(1_024)
        .describe("Largest number of requests of one socket that are handled at a time."),
    })
    .prefault({}),
  sockets: z
    .strictObject({
      pingMs: milliseconds
        .default(30_000)
        .describe("Milliseconds between pings. A socket that misses one pong is closed."),
      stalledMs: milliseconds
        .default(60_000)
        .describe(
          "Milliseconds after which a connection is closed if the client reads none of its replies, or sends no more of a request.",
        ),
    })
    .prefault({}),
  leases: z
    .strictObject({
      defaultMs: milliseconds
        .default(1_800_000)
        .describe("Milliseconds without a call after which an instance is freed."),
      quietMs: milliseconds
        .default(300_000)
        .describe(
          "Milliseconds without a call after which an instance that can be restored is freed if another episode needs its place.",
        ),
      sweepMs: milliseconds.default(1_000),
    })
    .prefault({}),
});
export type Config = z.output<typeof Config>;
