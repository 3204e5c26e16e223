/**
 * Undoes what a test file has changed in its process, since the next file may run in the same process: gyms and folders,
 * environment variables, the working folder, clocks, and functions and globals that vitest has replaced.
 */
import { afterAll, vi } from "vitest";
import { cleanUpFile } from "./when-done.js";

const variables = { ...process.env };
const folder = process.cwd();

afterAll(async () => {
  await cleanUpFile();
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
  process.chdir(folder);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
