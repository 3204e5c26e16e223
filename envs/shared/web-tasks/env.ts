/**
 * Runs one task on the sites of a benchmark. The agent works in a browser, and evaluators score the result when the
 * agent stops.
 */
import type { Page } from "playwright";
import type {
  AsyncEnvironment,
  EpisodeEnd,
  Info,
  JsonValue,
  ObservationPart,
  ResetRequest,
  ResetResult,
  StepResult,
  Verdict,
} from "../../env.js";
import { ServiceFailed, sandboxCode } from "../../errors.js";
import { actionText, parseWebAction, pastAction, type WebAction, WrongAction } from "../browser/actions/web-action.js";
import type { Observation } from "../browser/observation/observe.js";
import { type Browsers, WebSession } from "../browser/web-session.js";
import type { Benchmark, Venue } from "./benchmark.js";
import { viewOf, viewport } from "./options.js";
import { objectiveOf } from "./prompt.js";
import { checkReached, checkResponse } from "./responses.js";
import type { Scoring } from "./scoring.js";
import { type Scored, verdictOf } from "./verdict.js";

/** Fields of the environment context that WebArena uses. */
export type WebArenaContext = { sandboxes: { readonly browsers: Browsers } };

const lifetimeMs = 4 * 3_600_000;

type Sight = Pick<StepResult, "observation" | "parts">;

/** State of a started episode. */
interface Play {
  venue: Venue;
  web: WebSession;
  scoring: Scoring;
  /** Description of the previous action, as the agent sees it. */
  previous: string;
}

export class WebArena implements AsyncEnvironment {
  private play: Play | undefined;
  private venue: Venue | undefined;
  private web: WebSession | undefined;
  /** Parts of the venue and the scores, which outlive the browser session. */
  private judged: Pick<Venue, "task" | "shown"> | undefined;
  private scored: Scored | undefined;

  constructor(
    private readonly context: WebArenaContext,
    private readonly benchmark: Benchmark,
  ) {}

  async reset({ task: ref, options }: ResetRequest, signal: AbortSignal): Promise<ResetResult> {
    await this.close();
    this.scored = undefined;
    return this.closedIfAborted(signal, async () => {
      const venue = await this.benchmark.open(ref, signal);
      this.venue = venue;
      this.judged = { task: venue.task, shown: venue.shown };
      const request = { ...venue.session, viewport, lifetimeMs };
      const web = await WebSession.open(this.context.sandboxes.browsers, request, viewOf(options), signal);
      this.web = web;
      await this.prepare(web, venue, signal);
      // The evaluators are loaded only in a process that plays.
      const { scoringOf } = await import("./scoring.js");
      const scoring = scoringOf(web, venue);
      await this.begin(web, venue, signal);
      this.play = { venue, web, scoring, previous: "None" };
      const { id, template, sites, intent } = venue.task;
      const info: Info = { task: id, template, sites: [...sites], site: sites.join("+"), intent };
      await web.look(signal);
      return { ...(await this.situation(this.play, signal)), info };
    });
  }

  async step(text: string, signal: AbortSignal): Promise<StepResult> {
    const { play } = this;
    if (!play) throw new Error("No episode is in progress. Reset the environment before the next step.");
    const action = readAction(text);
    // As in AgentGym, the observation of an invalid action is only the error.
    if (action instanceof WrongAction) return ordinary(action.message, { fault: action.message });
    play.venue.played?.(action, play.web.shown, viewport);
    return this.closedIfAborted(signal, () =>
      action.kind === "stop" ? this.stop(play, action.answer, signal) : this.perform(play, action, signal),
    );
  }

  /** Returns the expert's next action, or null if the expert has no action. */
  advise(): string | null {
    const { play } = this;
    return play?.venue.advise?.(play.web.shown, viewport) ?? null;
  }

  /** Returns why the episode has ended as it did. */
  verdict(end: EpisodeEnd): Verdict {
    if (!this.judged) return { why: "No task was set." };
    const { task, shown } = this.judged;
    // The agent knows the sites by their public URLs.
    return JSON.parse(shown(JSON.stringify(verdictOf(task, this.scored, end)))) as Verdict;
  }

  /** The latest observation, for scripts that act on the page directly. */
  get shown(): Observation {
    return this.web?.shown ?? { text: "", places: new Map() };
  }

  /** The tab that was in front most recently. */
  get page(): Page | undefined {
    return this.web?.front;
  }

  /** Returns a screenshot of the viewport. */
  async render(signal: AbortSignal): Promise<ObservationPart & { type: "image" }> {
    const { web } = this;
    if (!web) throw new Error("No episode is in progress. Reset the environment first.");
    return png(await web.session.screenshot(await web.current(signal), { signal }));
  }

  async close(): Promise<void> {
    const { web, venue } = this;
    this.play = undefined;
    this.web = undefined;
    this.venue = undefined;
    await Promise.all([web?.close(), venue?.close()]);
  }

  /**
   * Runs a call, and closes the environment if the call was aborted, because an aborted call may open resources after
   * `close` has returned.
   */
  private async closedIfAborted<T>(signal: AbortSignal, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } finally {
      if (signal.aborted) await this.close();
    }
  }

  private async prepare({ session }: WebSession, venue: Venue, signal: AbortSignal): Promise<void> {
    const cookies = [...(venue.cookies ?? [])];
    if (cookies.length > 0) await session.call(() => session.context.addCookies(cookies), { signal });
    await venue.prepare?.(session, signal);
  }

  private async begin(web: WebSession, venue: Venue, signal: AbortSignal): Promise<void> {
    try {
      await web.start(venue.task.startUrls, signal);
      for (const page of web.session.context.pages()) checkResponse(web.responseOf(page));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ServiceFailed) throw error;
      if (sandboxCode(error) !== undefined && sandboxCode(error) !== "TIMEOUT") throw error;
      throw new ServiceFailed(`the page ${venue.task.startUrls.join(", ")}`, firstLine(error), error);
    }
  }

  private async perform(play: Play, action: Exclude<WebAction, { kind: "stop" }>, signal: AbortSignal) {
    const { web, venue } = play;
    const line = "id" in action ? web.shown.places.get(action.id)?.line : undefined;
    play.previous = pastAction(action, line);
    const info: Info = {};
    try {
      await web.perform(action.kind === "goto" ? reachable(action, venue) : action, signal);
    } catch (error) {
      if (!(error instanceof WrongAction)) throw error;
      info.fault = error.message;
      // As in WebArena, the description of an action on an element does not say that the action failed.
      if (!("id" in action)) play.previous = `${play.previous} failed: ${error.message}`;
    }
    await web.look(signal);
    const blocked = web.takeBlocked();
    if (blocked !== undefined) {
      info.fault ??= refused(venue.shown(blocked), venue.refusal(blocked));
      play.previous = `${play.previous} failed: ${info.fault}`;
    }
    const sight = await this.situation(play, signal);
    return { ...ordinary(sight.observation, { ...info, ...changesOf(play.venue) }), ...sight };
  }

  private async stop(play: Play, answer: string, signal: AbortSignal): Promise<StepResult> {
    const { venue, web, scoring } = play;
    await venue.check?.(web.session, signal);
    const changed = changesOf(venue);
    const page = await web.current(signal);
    const verdicts = await scoring.verdicts(venue.written(answer), signal);
    const url = page.url();
    this.scored = { answer, url: venue.shown(url), results: verdicts };
    await this.close();
    const reward = verdicts.every(({ passed }) => passed) ? 1 : 0;
    // A reason quotes the expected answer or page, which only the expert may know.
    const passed = verdicts.map(({ type, passed }) => ({ type, passed }));
    const info: Info = { answer, url, verdicts: passed, ...changed };
    return { ...ordinary("The task is over.", info), reward, terminated: true };
  }

  private async situation({ web, venue, previous }: Play, signal: AbortSignal): Promise<Sight> {
    const { text, picture } = web.shown;
    const page = await web.current(signal);
    const response = web.responseOf(page);
    const url = page.url();
    // A site that does not respond is an infrastructure failure, unless the agent chose an address outside the sites.
    if (response && isOfSite(response.url(), venue)) checkReached(response);
    const objective = objectiveOf(venue.task);
    const observation = `OBSERVATION:\n${text}\nURL: ${venue.shown(url)}\nOBJECTIVE: ${objective}\nPREVIOUS ACTION: ${previous}`;
    return { observation, ...(picture && { parts: [png(picture)] }) };
  }
}

/** @throws {WrongAction} the agent cannot reach the address */
function reachable(action: Extract<WebAction, { kind: "goto" }>, venue: Venue): WebAction & { kind: "goto" } {
  const url = venue.written(action.url);
  const reason = venue.refusal(url);
  if (reason !== undefined) throw new WrongAction(refused(action.url, reason));
  return { ...action, url };
}

function refused(url: string, reason = "its host is not allowed"): string {
  return `the address ${url} cannot be opened: ${reason}`;
}

function isOfSite(url: string, { sites }: Venue): boolean {
  return Object.values(sites).some((site) => site !== undefined && new URL(site).host === new URL(url).host);
}

/** Parses an action. Returns a WrongAction if the action is invalid. */
function readAction(text: string): WebAction | WrongAction {
  try {
    return parseWebAction(actionText(text));
  } catch (error) {
    if (error instanceof WrongAction) return error;
    throw error;
  }
}

function png(data: Uint8Array): ObservationPart & { type: "image" } {
  return { type: "image", mediaType: "image/png", data: Buffer.from(data).toString("base64") };
}

function changesOf(venue: Venue): Info {
  const changes: JsonValue[] = venue.changes?.() ?? [];
  return changes.length > 0 ? { changes } : {};
}

function ordinary(observation: string, info: Info): StepResult {
  return { observation, reward: 0, terminated: false, truncated: false, info };
}

function firstLine(error: unknown): string {
  return (error as Error).message.split("\n", 1)[0] as string;
}
