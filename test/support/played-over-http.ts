/** Episodes that a test plays over HTTP, as a client does. */
import { expect } from "vitest";

/** Posts to a path of `/v1`. The call has to succeed. */
export async function post<T>(url: string, path: string, body: object): Promise<T> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
}

/** Opens an episode and takes steps. @param body request that opens the episode @returns the id of the episode */
export async function play(url: string, actions: readonly string[], body: object): Promise<string> {
  const { episodeId } = await post<{ episodeId: string }>(url, "episodes", body);
  for (const [index, action] of actions.entries()) await post(url, `episodes/${episodeId}/step`, { index, action });
  return episodeId;
}
