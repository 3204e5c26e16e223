/** Interface of a benchmark for web environments: its tasks, and the sites on which the agent performs them. */
import type { Cookie } from "playwright";
import type { BrowserRequest, BrowserSession } from "../../../sandboxes/browser.js";
import type { JsonValue, TaskRef } from "../../env.js";
import type { WebAction } from "../browser/actions/web-action.js";
import type { Observation } from "../browser/observation/observe.js";
import type { SiteUrls } from "./tasks/sites.js";
import type { WebTask } from "./tasks/web-task.js";

export interface Benchmark {
  /**
   * Prepares the sites of one episode.
   *
   * @throws {ServiceFailed} a site is not available
   * @throws {SandboxError} a sandbox failed
   * @throws the signal's reason
   */
  open(task: TaskRef, signal: AbortSignal): Promise<Venue>;
}

/** The task and the sites of one episode. */
export interface Venue {
  task: WebTask;
  sites: SiteUrls;
  /** Options for a browser session that can reach the sites. */
  session: Pick<BrowserRequest, "hosts" | "addresses" | "storageState">;
  /** Login cookies, in addition to the cookies in `storageState`. */
  cookies?: readonly CookieToSet[];
  /**
   * Prepares a session before its first page is loaded, for example by logging in.
   *
   * @throws {ServiceFailed} a site failed
   */
  prepare?(session: BrowserSession, signal: AbortSignal): Promise<void>;
  /** Returns the reason why the agent cannot reach a real URL, for the agent. Returns undefined if it can. */
  refusal(url: string): string | undefined;
  /** Replaces the sites' real URLs in a text with the URLs that the agent sees. */
  shown(text: string): string;
  written(text: string): string;
  /**
   * Returns the rows that the episode has changed since the last call. Only benchmarks that record changes have this
   * method.
   */
  changes?(): JsonValue[];
  /** Returns the expert's next action. Only benchmarks with an expert have this method. */
  advise?(shown: Observation, viewport: { width: number; height: number }): string | null;
  /** Tells the benchmark about an action of the episode, and about the page, before the action is performed. */
  played?(action: WebAction, shown: Observation, viewport: { width: number; height: number }): void;
  /**
   * Checks, before the scoring, that the sites still work, so that their failure does not count as the agent's.
   *
   * @throws {ServiceFailed} a site failed
   */
  check?(session: BrowserSession, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export type CookieToSet = Pick<Cookie, "name" | "value"> & { url: string };

/** Returns the host of an HTTP or HTTPS URL, with the port unless it is the usual one. Other texts have no host. */
export function hostOf(url: string): string | undefined {
  return /^https?:/i.test(url) && URL.canParse(url) ? new URL(url).host : undefined;
}
