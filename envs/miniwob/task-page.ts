/** A task's page in its own browser session, with a controlled clock. */

import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Page } from "playwright";
import type { BrowserSession } from "../../sandboxes/browser.js";
import { ServiceFailed, sandboxCode } from "../errors.js";
import type { Browsers } from "../shared/browser/web-session.js";
import { area } from "./actions.js";
import { beforePage, drawnScript, readyScript, startScript, stateScript } from "./page-scripts.js";
import { host, serverAddress } from "./server.js";
import { look, type Mark, noSight, type Sight } from "./sight.js";
import type { Problem } from "./tasks.js";

/**
 * Size of the viewport. The viewport is larger than the task area, because menus open outside the area. MiniWoB++ uses
 * the same size.
 */
const viewport = { width: 500, height: 320 };
const lifetimeMs = 3_600_000;
/** Start time of the page's clock: later than all dates in tasks. */
const startTime = Date.UTC(2026, 0, 15, 12);
/** Milliseconds of page time: time limit until the task is ready, and interval between two checks. */
const readyMs = { most: 5_000, step: 50 };

/** Time limit in milliseconds for loading pictures and drawing frames, which only a page that hangs reaches. */
const mostFrameMs = 20_000;

type PageState =
  | { isHere: false }
  | { isHere: true; isDone: true; reward: number; reason: string | null }
  | { isHere: true; isDone: false; utterance: string; marks: Mark[] };

/** Result of an ended task. */
export interface Ending {
  reward: number;
  reason: string | null;
}

export class TaskPage {
  sight: Sight = noSight;

  private constructor(
    readonly session: BrowserSession,
    readonly page: Page,
  ) {}

  /**
   * @throws {SandboxError} the session cannot be opened
   * @throws {ServiceFailed} the page server failed
   * @throws the signal's reason
   */
  static async open(browsers: Browsers, signal: AbortSignal): Promise<TaskPage> {
    const address = await serverAddress();
    const session = await browsers.open(
      { hosts: [host], addresses: { [host]: address }, viewport, lifetimeMs },
      signal,
    );
    return new TaskPage(session, session.context.pages()[0] as Page);
  }

  /**
   * @throws {SandboxError} the session failed
   * @throws {ServiceFailed} the page does not load
   * @throws the signal's reason
   */
  async start({ task, seed, mode }: Problem, signal: AbortSignal): Promise<Sight> {
    const { session, page } = this;
    const { clock } = session.context;
    await this.call(() => session.context.addInitScript(beforePage), signal);
    // Without `clock.install`: a page would start with the real milliseconds between the two calls on its clock, which
    // sets the times of its animation frames.
    await this.call(() => clock.pauseAt(startTime), signal);
    try {
      await session.goto(page, `http://${host}/miniwob/${task}.html`, { signal });
      await this.call(() => page.evaluate(startScript(seed, mode)), signal);
    } catch (error) {
      signal.throwIfAborted();
      if (sandboxCode(error) !== undefined) throw error;
      throw new ServiceFailed(`the page of ${task}`, (error as Error).message.split("\n", 1)[0] as string, error);
    }
    for (let ms = 0; ms < readyMs.most && !(await this.isReady(signal)); ms += readyMs.step)
      await this.pass(readyMs.step, signal);
    await this.pass(1, signal);
    await this.look(signal);
    return this.sight;
  }

  /** Observes the page. Returns the result if the task has ended. */
  async look(signal: AbortSignal): Promise<Ending | undefined> {
    const state = await this.call(() => this.page.evaluate(stateScript) as Promise<PageState>, signal);
    if (!state.isHere) return { reward: -1, reason: "the page was left" };
    if (state.isDone) return { reward: state.reward, reason: state.reason };
    const cdp = await this.cdp();
    this.sight = await this.call(() => look(cdp, state.utterance, state.marks), signal);
    return undefined;
  }

  /** Advances the page's clock, which also runs timers and animations. */
  async pass(ms: number, signal: AbortSignal): Promise<void> {
    // The element under the mouse may change before and after this step. The browser reports the change with a frame.
    await this.drawn(signal);
    await this.call(() => this.session.context.clock.runFor(ms), signal);
    await this.drawn(signal);
  }

  private async drawn(signal: AbortSignal): Promise<void> {
    const late = sleep(mostFrameMs, undefined, { ref: false });
    await this.call(() => Promise.race([this.page.evaluate(drawnScript), late]), signal);
  }

  /** Returns a PNG of the task area. */
  async picture(signal: AbortSignal): Promise<Uint8Array> {
    const clip = { x: 0, y: 0, ...area };
    return this.call(() => this.page.screenshot({ clip }), signal);
  }

  cdp(): Promise<CDPSession> {
    return this.session.cdp(this.page);
  }

  call<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.session.call(work, { signal });
  }

  close(): Promise<void> {
    return this.session.close();
  }

  private isReady(signal: AbortSignal): Promise<boolean> {
    return this.call(() => this.page.evaluate(readyScript) as Promise<boolean>, signal);
  }
}
