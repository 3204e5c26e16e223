/** One site of the benchmark with its copies. */
import type { MachineProvider } from "../../sandboxes/sandbox.js";
import { ServiceFailed } from "../errors.js";
import type { SiteName } from "../shared/web-tasks/tasks/sites.js";
import { type Account, accountOf, credentialsOf } from "./accounts.js";
import { Places } from "./places.js";
import type { SiteSettings } from "./settings.js";
import { DistantSite, type SiteCopy, SiteInMachine } from "./site-copy.js";

/** Shorter than the environment's deadline, so that a reset of the site fits in between. */
const defaultWaitMs = 900_000;

export class Site {
  /** Account of the agent, or undefined if the site needs no login form. */
  readonly account: Account | undefined;
  /** User name and password of the agent, also if a header logs in. Undefined if the site has no accounts. */
  readonly credentials: Account["account"] | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** The external site, which episodes of other sites' tasks can reach. Undefined for a site in containers. */
  readonly distant: SiteCopy | undefined;
  private readonly places: Places<SiteCopy>;
  private readonly isReset: boolean;

  /** @param waitMs milliseconds for which an episode waits until other episodes have left the site */
  constructor(
    readonly name: SiteName,
    settings: SiteSettings,
    machines: MachineProvider,
    private readonly waitMs = defaultWaitMs,
  ) {
    this.account = accountOf(name, settings);
    this.credentials = credentialsOf(name, settings);
    this.headers = settings.headers ?? {};
    this.isReset = settings.resetAfter === "change";
    const copies = copiesOf(name, settings, machines);
    this.distant = settings.url === undefined ? undefined : copies[0];
    this.places = new Places(copies);
  }

  /**
   * Reserves a copy of the site. If the site can be reset, the copy is in its initial state.
   *
   * @throws {ServiceFailed} the site failed
   * @throws {SandboxError} the container failed
   */
  async take(signal: AbortSignal): Promise<SiteCopy> {
    const copy = await this.freeCopy(signal);
    try {
      if (!this.isReset) copy.isChanged = false;
      await copy.ready(signal);
      return copy;
    } catch (error) {
      this.places.giveBack(copy);
      throw error;
    }
  }

  private async freeCopy(signal: AbortSignal): Promise<SiteCopy> {
    const late = AbortSignal.timeout(this.waitMs);
    try {
      return await this.places.take(AbortSignal.any([signal, late]));
    } catch (error) {
      signal.throwIfAborted();
      if (!late.aborted) throw error;
      throw new ServiceFailed(
        `other episodes to leave the site ${this.name} within ${this.waitMs} ms`,
        "none that left. Play fewer episodes at the same time, or add copies of the site",
      );
    }
  }

  giveBack(copy: SiteCopy): void {
    this.places.giveBack(copy);
  }
}

/** Creates the copies. For an external site, the list contains the same copy once per concurrent episode. */
function copiesOf(name: SiteName, settings: SiteSettings, machines: MachineProvider): SiteCopy[] {
  const { url, machine, path = "/", reset, parallel } = settings;
  if (url !== undefined) {
    const copy = new DistantSite(url.replace(/\/+$/, ""), reset);
    return Array.from({ length: parallel }, () => copy);
  }
  if (!machine) throw new Error(`the site ${name} has neither url nor machine in its settings. Add one of them.`);
  return Array.from({ length: machine.replicas }, () => new SiteInMachine(name, machine, path, machines));
}
