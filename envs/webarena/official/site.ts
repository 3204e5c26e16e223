/** One site of the benchmark with its copies. */
import type { MachineProvider } from "../../../sandboxes/sandbox.js";
import type { SiteName } from "../tasks/sites.js";
import { type Account, accountOf } from "./accounts.js";
import { Places } from "./places.js";
import type { SiteSettings } from "./settings.js";
import { DistantSite, type SiteCopy, SiteInMachine } from "./site-copy.js";

export class Site {
  /** Account of the agent, or undefined if no login form is needed. */
  readonly account: Account | undefined;
  readonly headers: Readonly<Record<string, string>>;
  private readonly places: Places<SiteCopy>;
  private readonly isReset: boolean;

  constructor(
    readonly name: SiteName,
    settings: SiteSettings,
    machines: MachineProvider,
  ) {
    this.account = accountOf(name, settings);
    this.headers = settings.headers ?? {};
    this.isReset = settings.resetAfter === "change";
    this.places = new Places(copiesOf(name, settings, machines));
  }

  /**
   * Takes a copy of the site. The copy is in the initial state, if the site can be reset.
   *
   * @throws {ServiceFailed} the site failed
   * @throws {SandboxError} the container failed
   */
  async take(signal: AbortSignal): Promise<SiteCopy> {
    const copy = await this.places.take(signal);
    try {
      if (!this.isReset) copy.isChanged = false;
      await copy.ready(signal);
      return copy;
    } catch (error) {
      this.places.giveBack(copy);
      throw error;
    }
  }

  giveBack(copy: SiteCopy): void {
    this.places.giveBack(copy);
  }
}

/** Creates the copies. An external site for several concurrent episodes is one copy with several places. */
function copiesOf(name: SiteName, settings: SiteSettings, machines: MachineProvider): SiteCopy[] {
  const { url, machine, path = "/", reset, parallel } = settings;
  if (url !== undefined) {
    const copy = new DistantSite(url.replace(/\/+$/, ""), reset);
    return Array.from({ length: parallel }, () => copy);
  }
  if (!machine) throw new Error(`expected a url or a machine for the site ${name}, but received neither`);
  return Array.from({ length: machine.replicas }, () => new SiteInMachine(name, machine, path, machines));
}
