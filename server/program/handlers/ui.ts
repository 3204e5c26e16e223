/** The command `palestra ui` opens the studio in a browser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.js";
import type { Times } from "../../config/times.js";
import { localTokenFile } from "../../tokens/local-token.js";
import { StudioTokens } from "../../tokens/studio-tokens.js";

/** Milliseconds to wait for a gym that may be gone. */
const giveUpMs = 2_000;

/**
 * Opens the studio of the gym that runs with this data directory. If no gym runs, serves one first, until SIGTERM.
 *
 * @param isOpened false prints the URL and opens no browser
 */
export async function ui(config: Config, isOpened: boolean, times: Times): Promise<void> {
  const show = async () => {
    const gym = gymOf(config.dataDir);
    if (gym === undefined) return;
    const page = studioOf(await lasting(gym, config.dataDir));
    console.log(`The studio is at ${page}`);
    if (isOpened) await openBrowser(page);
  };
  const running = gymOf(config.dataDir);
  if (running !== undefined && (await answers(running))) return show();
  const { serve } = await import("../serve.js");
  await serve(config, times);
  await show();
}

interface RunningGym {
  url: string;
  token: string;
}

/** Returns the gym of a data directory, with the token of the user who runs it, or undefined if none has written its file. */
function gymOf(dataDir: string): RunningGym | undefined {
  try {
    return JSON.parse(readFileSync(join(dataDir, localTokenFile), "utf8")) as RunningGym;
  } catch {
    return undefined;
  }
}

function studioOf({ url, token }: RunningGym): string {
  return `${url}/t/${token}/ui/`;
}

/** Returns the gym with a token that outlasts a restart, if the data directory and the gym take one. */
async function lasting(gym: RunningGym, dataDir: string): Promise<RunningGym> {
  try {
    const studio = { url: gym.url, token: new StudioTokens(dataDir).create() };
    return (await answers(studio)) ? studio : gym;
  } catch {
    // The token of this start of the gym serves as well until the gym ends.
    return gym;
  }
}

/** Returns whether a gym accepts the token of its file. A killed gym leaves its file behind. */
async function answers(gym: RunningGym): Promise<boolean> {
  try {
    const reply = await fetch(new URL("../v1/usage", studioOf(gym)), { signal: AbortSignal.timeout(giveUpMs) });
    return reply.ok;
  } catch {
    return false;
  }
}

/** Opens the user's browser. A machine without one is no failure, since the URL was printed. */
async function openBrowser(page: string): Promise<void> {
  const { default: open } = await import("open");
  const browser = await open(page);
  browser.on("error", () => console.log("No browser could be opened here. Open the URL above."));
}
