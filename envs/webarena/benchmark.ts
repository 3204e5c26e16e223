/** The benchmark on its real sites. Takes tasks from task files, reserves copies of the sites, and logs in. */
import { readFileSync } from "node:fs";
import type { Request } from "playwright";
import type { MachineProvider } from "../../sandboxes/sandbox.js";
import type { TaskRef } from "../env.js";
import { ServiceFailed } from "../errors.js";
import { type Benchmark, hostOf, type Venue } from "../shared/web-tasks/benchmark.js";
import { SiteClient } from "../shared/web-tasks/site-client.js";
import { readTask } from "../shared/web-tasks/tasks/format.js";
import {
  publicUrls,
  type SiteName,
  type SiteUrls,
  siteNames,
  toPublic,
  toReal,
} from "../shared/web-tasks/tasks/sites.js";
import { type WebTask, withAddresses } from "../shared/web-tasks/tasks/web-task.js";
import { mayChange } from "./changing-request.js";
import { homepageAddress, homepageHost, serveHomepage } from "./homepage.js";
import { isLoggedIn, logIn, type Visit } from "./logins.js";
import { type SitesSettings, settingsPath, siteSettings } from "./settings.js";
import { Site } from "./site.js";
import type { SiteCopy } from "./site-copy.js";
import { taskPath } from "./task-files.js";

/** Copies of the sites that an episode uses, by site name. */
type Taken = ReadonlyMap<SiteName, { site: Site; copy: SiteCopy }>;

export class OfficialBenchmark implements Benchmark {
  private readonly sites: ReadonlyMap<SiteName, Site>;
  /** Entries of the task files that were read, by split. */
  private readonly entries = new Map<string, readonly unknown[]>();

  /** @throws {Error} the settings are invalid */
  constructor(machines: MachineProvider, settings: SitesSettings = siteSettings()) {
    const entries = Object.entries(settings) as [SiteName, NonNullable<SitesSettings[SiteName]>][];
    this.sites = new Map(entries.map(([name, one]) => [name, new Site(name, one, machines)]));
  }

  async open(ref: TaskRef, signal: AbortSignal): Promise<Venue> {
    const task = this.taskOf(ref);
    // Addresses in a user's own file may refer to a site that the task does not list.
    const taken = await this.take([...task.sites, ...task.missing], signal);
    try {
      const urls: SiteUrls = Object.fromEntries([...taken].map(([name, { copy }]) => [name, copy.url]));
      return venueOf(withAddresses(task, urls), urls, { taken, others: this.othersThan(taken) });
    } catch (error) {
      giveBack(taken);
      throw error;
    }
  }

  /** Returns the external sites that an episode can also reach, as in the original. */
  private othersThan(taken: Taken): ReadonlyMap<SiteName, Site> {
    return new Map([...this.sites].filter(([name, site]) => !taken.has(name) && site.distant));
  }

  private taskOf({ split, index }: TaskRef): WebTask {
    const entries = this.entries.get(split) ?? (JSON.parse(readFileSync(taskPath(split), "utf8")) as unknown[]);
    this.entries.set(split, entries);
    const entry = entries[index];
    if (!entry) throw new RangeError(`expected the index of a task in ${taskPath(split)}, but received ${index}`);
    return readTask(entry);
  }

  /** Reserves a copy of each site. All episodes reserve copies in the same order, which avoids deadlocks. */
  private async take(names: readonly SiteName[], signal: AbortSignal): Promise<Taken> {
    const taken = new Map<SiteName, { site: Site; copy: SiteCopy }>();
    try {
      for (const name of siteNames.filter((one) => names.includes(one))) {
        const site = this.sites.get(name);
        if (!site) throw new ServiceFailed(`the site ${name} in ${settingsPath()}`, "none");
        taken.set(name, { site, copy: await site.take(signal) });
      }
      return taken;
    } catch (error) {
      giveBack(taken);
      throw error;
    }
  }
}

function giveBack(taken: Taken): void {
  for (const { site, copy } of taken.values()) site.giveBack(copy);
}

interface Reach {
  taken: Taken;
  /** External sites that the task does not use. The agent can reach them, but they are neither reserved nor reset. */
  others: ReadonlyMap<SiteName, Site>;
}

function venueOf(task: WebTask, sites: SiteUrls, { taken, others }: Reach): Venue {
  const copies = [...taken].map(([name, { copy }]) => [name, copy] as const);
  const distant = [...others].flatMap(([name, { distant: copy }]) => (copy ? [[name, copy] as const] : []));
  const urls: SiteUrls = { ...sites, ...Object.fromEntries(distant.map(([name, { url }]) => [name, url])) };
  const reachable = [...copies, ...distant];
  const visits = task.logins.flatMap((name) => visitOf(name, taken) ?? []);
  const session = sessionOf(reachable, urls, visits);
  let hasLeft = false;
  let isOpen = true;
  return {
    task,
    sites,
    session,
    refusal: (url) => refusalOf(url, session.hosts),
    shown: (text) => toPublic(text, urls),
    written: (text) => toReal(text, urls),
    async prepare(session, signal) {
      const headers = Object.assign({}, ...[...taken.values()].map(({ site }) => site.headers));
      if (Object.keys(headers).length > 0)
        await session.call(() => session.context.setExtraHTTPHeaders(headers), { signal });
      const listed = [...taken].map(([name, { site }]) => ({ name, credentials: site.credentials }));
      for (const [name, { credentials }] of others) listed.push({ name, credentials });
      if (urls.homepage === undefined) await serveHomepage(session, urls, listed, signal);
      for (const { copy, visit } of visits) {
        if (await isLoggedIn(session, visit, signal)) continue;
        await logIn(session, visit, signal);
        copy.login = await session.storageState();
      }
      session.context.on("request", (request) => {
        noteChange(request, reachable);
        hasLeft ||= /logout|sign_out/i.test(request.url());
      });
    },
    async check(session, signal) {
      if (hasLeft) return;
      for (const { visit } of visits) {
        if (await isLoggedIn(session, visit, signal)) continue;
        throw new ServiceFailed(`a login on ${visit.site} that lasts for an episode`, "a login that has expired");
      }
    },
    close: async () => {
      if (isOpen) giveBack(taken);
      isOpen = false;
    },
  };
}

type Visits = readonly { copy: SiteCopy; visit: Visit }[];

function sessionOf(
  reachable: readonly (readonly [SiteName, SiteCopy])[],
  urls: SiteUrls,
  visits: Visits,
): Venue["session"] {
  const own = urls.homepage === undefined ? { [homepageHost]: homepageAddress } : {};
  return {
    hosts: [...reachable.map(([, { url }]) => new URL(url).host), ...Object.keys(own)],
    addresses: Object.assign(own, ...reachable.map(([, { addresses }]) => addresses)),
    ...withLogins(visits.flatMap(({ copy }) => copy.login ?? [])),
  };
}

function refusalOf(url: string, hosts: readonly string[]): string | undefined {
  const host = hostOf(url);
  if (host === undefined || hosts.includes(host)) return undefined;
  const name = siteNames.find((one) => hostOf(publicUrls[one]) === host);
  return name === undefined
    ? `only the sites of the benchmark can be reached: ${Object.values(publicUrls).join(", ")}`
    : `the task does not use the site ${name}, and the gym has no other server of it`;
}

function visitOf(site: SiteName, taken: Taken): { copy: SiteCopy; visit: Visit } | undefined {
  const held = taken.get(site);
  const account = held?.site.account;
  return held && account
    ? { copy: held.copy, visit: { site, url: held.copy.url, account, client: new SiteClient(held.copy.addresses) } }
    : undefined;
}

/** Marks a site as changed if a request may change it. */
function noteChange(request: Request, copies: readonly (readonly [SiteName, SiteCopy])[]): void {
  const { host, pathname: path } = new URL(request.url());
  const sent = { method: request.method(), path, body: request.postData() };
  for (const [name, copy] of copies) if (host === hostOf(copy.url) && mayChange(name, sent)) copy.isChanged = true;
}

type Login = NonNullable<SiteCopy["login"]>;

function withLogins(logins: readonly Login[]): { storageState?: Login } {
  if (logins.length === 0) return {};
  const cookies = logins.flatMap((login) => login.cookies);
  return { storageState: { cookies, origins: logins.flatMap(({ origins }) => origins) } };
}
