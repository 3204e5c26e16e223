/** The command `palestra ui` opens the studio in a browser. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../../config/config.js";
import type { Times } from "../../config/times.js";
import { localTokenFile } from "../../tokens/local-token.js";

/** Milliseconds to wait for a gym that may be gone. */
const giveUpMs = 2_000;

/**
 * Opens the studio of the gym that runs with this data directory. If no gym runs, serves one first, until SIGTERM.
 *
 * @param isOpened false prints the URL and opens no browser
 */
export async function ui(config: Config, isOpened: boolean, times: Times): Promise<void> {
  const show = async () => {
    const page = studioOf(config.dataDir);
    if (page === undefined) return;
    console.log(`The studio is at ${page}`);
    if (isOpened) await openBrowser(page);
  };
  const running = studioOf(config.dataDir);
  if (running !== undefined && (await answers(running))) return show();
  const { serve } = await import("../serve.js");
  await serve(config, times);
  await show();
}

/**
 * Returns the URL of the studio, with the token of the user who runs the gym, as the gym's token file gives it.
 * Returns undefined if no gym has written the file.
 */
function studioOf(dataDir: string): string | undefined {
  try {
    const { url, token } = JSON.parse(readFileSync(join(dataDir, localTokenFile), "utf8"));
    return `${url}/t/${token}/ui/`;
  } catch {
    return undefined;
  }
}

/** Returns whether a gym accepts the token of the URL. A killed gym leaves its file behind. */
async function answers(studio: string): Promise<boolean> {
  try {
    const reply = await fetch(new URL("../v1/usage", studio), { signal: AbortSignal.timeout(giveUpMs) });
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
