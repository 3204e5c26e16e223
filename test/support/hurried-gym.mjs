/**
 * The program `palestra` with the usual times multiplied by a factor, for tests that wait until a gym counts as dead:
 * `node hurried-gym.mjs FACTOR serve --port 9000`.
 */

import { timesScaledBy } from "#palestra/server/config/times.js";
import { createProgram } from "#palestra/server/program/program.js";

const [factor, ...args] = process.argv.slice(2);
const program = createProgram((text) => process.stderr.write(text), timesScaledBy(Number(factor)));
await program.parseAsync(args, { from: "user" });
