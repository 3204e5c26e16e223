/** Writes the event files of test/support/train-records.ts into a folder: see tensorboard-events.py. */
import { writeEvents } from "../support/train-records.js";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("expected a folder, but received none");
writeEvents(folder);
