/** MiniWoB++'s pages for tests, set up as by `palestra setup miniwob`, in a separate data folder. */
import { setUpPages } from "#palestra/envs/miniwob/setup.js";
import { scratchDir } from "./gym.js";

/** Makes this process use the installed MiniWoB++ pages. @returns the reason if there are none, or undefined */
export async function getPages(): Promise<string | undefined> {
  process.env.XDG_DATA_HOME = scratchDir();
  try {
    await setUpPages();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
