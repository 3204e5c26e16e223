/** The curve of the default training run on held-out tasks, drawn by the report of a run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright";
import { trainingHtml } from "#palestra/trainer/report/training-html.js";
import { openView, schemes } from "./browser.js";

interface DefaultRun {
  /** Evaluations by the train step. `success` has the share of solved episodes by task set. */
  readonly heldOut: readonly { readonly step: number; readonly success: Record<string, number> }[];
}

/**
 * A recorded run, since a run takes twelve minutes of two cores, and no two asynchronous runs have equal curves. The file has
 * the command, the commit and the machine of the run.
 */
export const defaultRun = JSON.parse(
  readFileSync(new URL("./data/default-run.json", import.meta.url), "utf8"),
) as DefaultRun;

/** @returns PNG files by their names */
export async function curvePictures(browser: Browser): Promise<Record<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), "palestra-images-"));
  try {
    const records = defaultRun.heldOut.map((held_out) => ({ step: held_out.step, time: 0, held_out }));
    const report = join(folder, "report.html");
    writeFileSync(report, trainingHtml({ title: "default", records, settings: {} }));
    const pictures: Record<string, Buffer> = {};
    for (const scheme of schemes) {
      const view = { scheme, width: 760, height: 620 };
      const page = await openView(browser, pathToFileURL(report).href, view, (page) =>
        page.locator("figure.chart canvas").first().waitFor(),
      );
      pictures[`held-out-${scheme}.png`] = await page.locator("figure.chart").first().screenshot();
      await page.close();
    }
    return pictures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
