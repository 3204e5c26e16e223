/** Requests to the forum's pages, without a browser. */
import { app } from "#palestra/envs/webarena-lab/sites/forum/app.js";
import type { Submission } from "#palestra/envs/webarena-lab/sites/forum/rows.js";
import { forum } from "#palestra/envs/webarena-lab/sites/index.js";
import type { World } from "#palestra/envs/webarena-lab/world.js";

/** The agent's account and its login cookie. */
export const me = "MarvelsGrantMan136";
export const cookie = `${forum.login?.name}=${forum.login?.value}`;

export class Visits {
  constructor(readonly world: World) {}

  async get(path: string, headers: Record<string, string> = { cookie }) {
    const response = await app.request(`http://forum.test${path}`, { headers }, this.world);
    return { status: response.status, text: await response.text(), location: response.headers.get("location") };
  }

  async post(path: string, fields: Record<string, string> = {}, headers: Record<string, string> = { cookie }) {
    const init = { method: "POST", body: new URLSearchParams(fields), headers };
    const response = await app.request(`http://forum.test${path}`, init, this.world);
    return {
      status: response.status,
      text: await response.text(),
      location: response.headers.get("location"),
      cookie: response.headers.get("set-cookie"),
    };
  }

  pathOf({ id, forum: number }: Submission): string {
    return `/f/${this.world.forum.forums.need(number).name}/${id}`;
  }

  /** Returns a submission of another user without the visitor's vote. */
  foreign(): Submission {
    const { votes, submissions } = this.world.forum;
    const voted = new Set(votes.filter(({ kind }) => kind === "submission").map(({ target }) => target));
    return submissions.find(({ user, id, comments }) => user !== 1 && comments > 3 && !voted.has(id)) as Submission;
  }

  own(): Submission {
    return this.world.forum.submissions.find(({ user, body }) => user === 1 && body !== "") as Submission;
  }
}
