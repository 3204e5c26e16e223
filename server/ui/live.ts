/**
 * The page's connection to the gym's events. A page has one, since a browser opens only six connections to a host. It
 * connects again after a loss, and asks for the steps that the page does not have yet. A hidden page has no connection.
 */
import { signal } from "@preact/signals";
import type { components } from "../../openapi/gym.js";
import { api, gymUrl, type Step, tokenRefusal } from "./api.js";

type Schemas = components["schemas"];
export type GymStatus = Schemas["GymStatus"];
export type Sample = Schemas["GymSample"];
export type EpisodeState = Schemas["EpisodeState"];

/** An episode whose events the page wants. */
export interface Followed {
  readonly episodeId: string;
  /** Returns the index of the next step that the page lacks. */
  next(): number;
  onStep(step: Step): void;
  onState(state: EpisodeState): void;
  /** Called when the gym does not answer, or refuses the stream. */
  onRefused(): void;
}

const [shortestWaitMs, longestWaitMs] = [250, 4_000];
const keptSamples = 300;

export const connection = signal<"connecting" | "open" | "lost">("connecting");
/** Message of the gym's error that ended the connection, or "". */
export const refusal = signal("");
export const status = signal<GymStatus | null>(null);
/** The last five minutes, a sample each second. Times without a connection or without a gym are missing. */
export const samples = signal<readonly Sample[]>([]);
/** Grows when episodes were created or changed, and when the page may have missed such a change. */
export const changes = signal(0);

let followed: Followed | null = null;
let source: EventSource | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
let waitMs = shortestWaitMs;
let hasOpened = false;

/** Connects to the gym for as long as the page is open. */
export function goLive(): void {
  document.addEventListener("visibilitychange", () => connectSoon(0));
  addEventListener("online", () => connectSoon(0));
  connectSoon(0);
}

/** Follows an episode. Returns a function that ends it. */
export function follow(episode: Followed): () => void {
  followed = episode;
  connectSoon(0);
  return () => {
    if (followed !== episode) return;
    followed = null;
    connectSoon(0);
  };
}

function connectSoon(afterMs: number): void {
  clearTimeout(timer);
  timer = setTimeout(connect, afterMs);
}

function connect(): void {
  source?.close();
  source = null;
  if (document.hidden) return;
  const url = new URL("v1/events", gymUrl);
  if (followed) {
    url.searchParams.set("episode", followed.episodeId);
    url.searchParams.set("from", String(followed.next()));
  }
  hasOpened = false;
  source = new EventSource(url);
  source.onopen = onOpen;
  source.onerror = onLoss;
  on<GymStatus>("status", (data) => {
    status.value = data;
    addSamples([data.now]);
  });
  on<Schemas["GymHistory"]>("history", (data) => addSamples(data.samples));
  on<Schemas["ChangedEpisodes"]>("episodes", () => changes.value++);
  on<Step>("step", (step) => followed?.onStep(step));
  on<EpisodeState>("episode", (state) => followed?.onState(state));
  on<Schemas["Error"]>("failure", ({ message }) => {
    refusal.value = message;
  });
}

function on<T>(name: string, take: (data: T) => void): void {
  source?.addEventListener(name, ({ data }) => take(JSON.parse(data) as T));
}

function onOpen(): void {
  waitMs = shortestWaitMs;
  hasOpened = true;
  connection.value = "open";
  refusal.value = "";
  changes.value++;
}

/** The browser would also connect again, but neither after an error of a proxy nor from the newest step on. */
function onLoss(): void {
  source?.close();
  source = null;
  connection.value = "lost";
  if (!hasOpened) void explainRefusal();
  connectSoon(waitMs);
  waitMs = Math.min(2 * waitMs, longestWaitMs);
}

/** Asks for what a stream of events does not tell: whether the gym answers and refuses the token, which no further try changes. */
async function explainRefusal(): Promise<void> {
  await api.usage().catch(() => {});
  if (tokenRefusal.value === null) followed?.onRefused();
  else clearTimeout(timer);
}

/** Tries again with the same token, which a gym that has started again may accept. */
export function reconnect(): void {
  tokenRefusal.value = null;
  connection.value = "connecting";
  connectSoon(0);
}

/** Adds samples that are newer than the known ones. */
function addSamples(found: readonly Sample[]): void {
  const newest = samples.value.at(-1)?.at ?? "";
  const added = found.filter(({ at }) => at > newest);
  if (added.length > 0) samples.value = [...samples.value, ...added].slice(-keptSamples);
}
