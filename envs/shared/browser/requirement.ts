/** Requirement for environments whose tasks run in a browser. */
import { findBrowser } from "../../../sandboxes/browser/executable.js";
import { setUpBrowser, versionOf } from "../../../sandboxes/browser/install.js";
import type { Requirement } from "../../env.js";

const probeMs = 900;

export const browser: Requirement & Required<Pick<Requirement, "setUp">> = {
  name: "browser",
  isSandbox: true,
  howToGet:
    "Run `palestra setup browser`, install Chromium (Debian: `apt-get install chromium fonts-liberation`), or set " +
    "PALESTRA_SANDBOXES_BROWSER to its path.",
  async probe() {
    try {
      const path = await findBrowser();
      // On a slow machine, loading 300 MB may exceed the time limit although the file exists.
      const version = await versionOf(path, probeMs).catch(({ cause }) => (cause?.killed ? "Chromium" : undefined));
      if (version !== undefined) return { available: true, detail: `${version} at ${path}` };
      return { available: false, detail: `${path} --version failed` };
    } catch (error) {
      return { available: false, detail: (error as Error).message };
    }
  },
  async setUp(choices) {
    if (choices?.from !== undefined)
      throw new Error(
        "expected no file or folder, because setup downloads Chromium. Set `sandboxes.browser` to use your own.",
      );
    return setUpBrowser();
  },
};
