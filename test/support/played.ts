/** A second player, which plays episodes over HTTP while a test watches them. */

export async function post<T>(url: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`expected a reply, but received ${response.status}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** Creates an episode of TextCraft, which takes any number of steps. Returns its id. */
export async function createEpisode(url: string, params: object = {}): Promise<string> {
  const body = { environment: "textcraft", task: { split: "all", index: 0 }, maxSteps: 100_000, ...params };
  return (await post<{ episodeId: string }>(`${url}/v1/episodes`, body)).episodeId;
}

/** An action that names its index, so that a missing or repeated step is visible. */
export const actionAt = (index: number) => `get ${index + 1} dirt`;

/** Plays the steps `from` to `end`, without `end`. */
export async function playSteps(url: string, episodeId: string, from: number, end: number): Promise<void> {
  for (let index = from; index < end; index++) {
    await post(`${url}/v1/episodes/${episodeId}/step`, { index, action: actionAt(index) });
  }
}
