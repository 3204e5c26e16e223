/** The two parts of a web environment: the tasks, and the sites on which the agent does the tasks. */
import type { Cookie } from "playwright";
import type { BrowserRequest, BrowserSession } from "../../sandboxes/browser.js";
import type { Observation } from "../browser/observation/observe.js";
import type { JsonValue, TaskRef } from "../env.js";
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

/** The sites of one episode. */
export interface Venue {
  task: WebTask;
  sites: SiteUrls;
  /** Options for a browser session. A session with these options can reach the sites. */
  session: Pick<BrowserRequest, "hosts" | "addresses" | "storageState">;
  /** Login cookies in addition to the session's storage state. */
  cookies?: readonly CookieToSet[];
  /**
   * Prepares a session before its first page is loaded, for example by logging in.
   *
   * @throws {ServiceFailed} a site failed
   */
  prepare?(session: BrowserSession, signal: AbortSignal): Promise<void>;
  /** Replaces the real addresses in a text by the addresses that the model sees. */
  shown(text: string): string;
  written(text: string): string;
  /** Returns the rows that the episode has changed since the last call, if the benchmark records changes. */
  changes?(): JsonValue[];
  /** Returns the expert's next action. Only benchmarks with an expert have this method. */
  advise?(shown: Observation, viewport: { width: number; height: number }): string | null;
  /** Reports an action that the episode has performed. */
  played?(action: string): void;
  /**
   * Checks before scoring that a failure is not the fault of the sites.
   *
   * @throws {ServiceFailed} a site failed
   */
  check?(session: BrowserSession, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export type CookieToSet = Pick<Cookie, "name" | "value"> & { url: string };
