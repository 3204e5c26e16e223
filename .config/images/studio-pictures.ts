/** Pictures of the studio: an episode, and the tree of the actions of a group of rollouts. */
import type { Browser } from "playwright";
import { openView, schemes } from "./browser.js";
import { failed, rollouts } from "./episodes.js";
import { Gym } from "./gym.js";
import { steadyId } from "./steady.js";

const size = { width: 1_000, height: 720 };

/** @returns PNG files by their names */
export async function studioPictures(browser: Browser): Promise<Record<string, Buffer>> {
  const gym = await Gym.start();
  try {
    const episodeId = steadyId(await gym.play(failed));
    for (const script of rollouts) await gym.play(script);
    const pictures: Record<string, Buffer> = {};
    for (const scheme of schemes) {
      pictures[`episode-${scheme}.png`] = await pictureOfEpisode(browser, gym.url, episodeId, scheme);
      pictures[`action-tree-${scheme}.png`] = await pictureOfTree(browser, gym.url, scheme);
    }
    return pictures;
  } finally {
    await gym.stop();
  }
}

async function pictureOfEpisode(browser: Browser, gym: string, episodeId: string, scheme: "light" | "dark") {
  const page = await openView(browser, `${gym}/ui/#/episodes/${episodeId}`, { scheme, ...size }, (page) =>
    Promise.all([page.getByText("submit 4070").first().waitFor(), page.getByText("Live", { exact: true }).waitFor()]),
  );
  const picture = await page.screenshot();
  await page.close();
  return picture;
}

async function pictureOfTree(browser: Browser, gym: string, scheme: "light" | "dark") {
  const [{ environment, task }] = rollouts as [(typeof rollouts)[number]];
  const query = new URLSearchParams({ environment, split: task.split, task: `${task.index}` });
  const page = await openView(browser, `${gym}/ui/#/compare?${query}`, { scheme, ...size }, (page) =>
    page.getByRole("tree").getByText(`${rollouts.length} episodes`).first().waitFor(),
  );
  await page.getByRole("tree").scrollIntoViewIfNeeded();
  const picture = await page.getByRole("tree").screenshot();
  await page.close();
  return picture;
}
