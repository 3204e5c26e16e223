/**
 * Shifts the wall clock of a process and of its threads: node --import shifted-clock.mjs. The file CLOCK_SHIFT_FILE has
 * the shift in milliseconds, and may change at any time.
 */
import { readFileSync } from "node:fs";

const rightNow = Date.now;
Date.now = () => rightNow() + Number(readFileSync(process.env.CLOCK_SHIFT_FILE, "utf8"));
