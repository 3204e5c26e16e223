/**
 * `npm run images`: makes the pictures of the README in .github/images/ from fixed episodes. `-- --out FOLDER` writes them
 * elsewhere. Two runs on one machine give equal bytes.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isProgram, main, root, SetupError, say, step } from "../step.mjs";
import { openBrowser } from "./browser.js";
import { curvePictures } from "./curve-pictures.js";
import { played } from "./episodes.js";
import { madeWith } from "./made-with.js";
import { studioPictures } from "./studio-pictures.js";
import { recordTerminal } from "./terminal.js";
import { terminalSvg } from "./terminal-svg.js";

/** Makes the pictures. @returns name and content of each file */
export async function makeImages(): Promise<Record<string, string | Buffer>> {
  const recording = await recordTerminal(played.command, played.actions);
  const browser = await openBrowser();
  try {
    const pictures = { ...(await studioPictures(browser)), ...(await curvePictures(browser)) };
    return {
      ...pictures,
      "terminal.svg": terminalSvg(played.command, recording),
      "made-with.json": `${JSON.stringify(await madeWith(browser), null, 2)}\n`,
    };
  } finally {
    await browser.close();
  }
}

if (isProgram(import.meta.url)) {
  const [flag, given, ...more] = process.argv.slice(2);
  main(async () => {
    if ((flag !== undefined && (flag !== "--out" || given === undefined)) || more.length > 0)
      throw new SetupError(`expected no argument or --out FOLDER, but received ${process.argv.slice(2).join(" ")}`);
    const folder = given === undefined ? join(root, ".github/images") : resolve(given);
    const images: Record<string, string | Buffer> = await step("Making the pictures", makeImages);
    mkdirSync(folder, { recursive: true });
    for (const [name, content] of Object.entries(images)) writeFileSync(join(folder, name), content);
    say(`The pictures are in ${folder}.`);
  });
}
