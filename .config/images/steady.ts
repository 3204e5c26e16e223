/**
 * The replies of a gym without what differs between two gyms: the random part of episode ids, and times. The studio shows no
 * time where the log has none, as of episodes of earlier versions.
 */
import { createHash } from "node:crypto";
import type { Page, Route } from "playwright";

/** Time of the browser's clock. */
export const now = "2026-01-01T12:00:00.000Z";
const before = "2026-01-01T11:59:00.000Z";

const id = /\bep-(\d+)-([0-9a-f]{20})\b/g;

/** Random part of each episode id by the number of the episode in the log. */
const nonces = new Map<string, string>();

export function steadyId(episodeId: string): string {
  return episodeId.replace(id, (_, number: string, nonce: string) => {
    nonces.set(number, nonce);
    return `ep-${number}-${createHash("sha256").update(number).digest("hex").slice(0, 20)}`;
  });
}

function realId(text: string): string {
  return text.replace(id, (steady, number: string) =>
    nonces.has(number) ? `ep-${number}-${nonces.get(number)}` : steady,
  );
}

function steadyText(text: string): string {
  return steadyId(text)
    .replace(/"(\w+At)":"[^"]*"/g, `"$1":"${before}"`)
    .replace(/"atMs":\d+/g, '"atMs":null')
    .replace(/"gymMs":\d+,/g, "");
}

/** Lets a page see steady replies only. */
export async function makeSteady(page: Page): Promise<void> {
  await page.clock.setFixedTime(now);
  await page.route(/\/v1\//, async (route: Route) => {
    const url = realId(route.request().url());
    // A stream, which has no end to wait for.
    if (/\/v1\/events/.test(url)) return route.continue({ url });
    const response = await route.fetch({ url });
    const isText = /json|text/.test(response.headers()["content-type"] ?? "");
    await route.fulfill(isText ? { response, body: steadyText(await response.text()) } : { response });
  });
}
