/** A client of a bundled site that keeps cookies and follows redirects. */
import type { Hono } from "hono";
import { appOf } from "#palestra/envs/webarena-lab/sites/apps.js";
import type { LabSite, SiteEnv } from "#palestra/envs/webarena-lab/sites/site.js";
import type { World } from "#palestra/envs/webarena-lab/world.js";

export interface Answer {
  status: number;
  /** Path of the page after all redirects. */
  path: string;
  text: string;
}

export class Client {
  private readonly app: Promise<Hono<SiteEnv>>;
  private readonly cookies = new Map<string, string>();

  constructor(
    private readonly site: LabSite,
    private readonly world: World,
    isLoggedIn = true,
  ) {
    this.app = appOf(site.host) as Promise<Hono<SiteEnv>>;
    if (isLoggedIn && site.login) this.cookies.set(site.login.name, site.login.value);
  }

  get(path: string): Promise<Answer> {
    return this.ask(path);
  }

  post(path: string, fields: Record<string, string> = {}): Promise<Answer> {
    return this.ask(path, { method: "POST", body: new URLSearchParams(fields) });
  }

  private async ask(path: string, init: RequestInit = {}): Promise<Answer> {
    const url = new URL(path, `http://${this.site.host}`);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await (await this.app).request(url.href, { ...init, headers: { cookie } }, this.world);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const to = response.headers.get("location");
    if (to !== null) return this.ask(to);
    return { status: response.status, path: `${url.pathname}${url.search}`, text: await response.text() };
  }
}

/** Returns the text of a page without tags. */
export function plain(html: string): string {
  return html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");
}
