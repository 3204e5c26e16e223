import { fileURLToPath } from "node:url";

/** Path of the program `palestra`, with which a run can start a gym of its own. */
export const gymProgram = fileURLToPath(new URL("./cli.js", import.meta.url));
