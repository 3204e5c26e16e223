/**
 * Undoes what a test file has changed in its process, since the next file may run in the same process: environment variables,
 * the working folder, clocks, and functions and globals that vitest has replaced.
 */
import { afterAll, vi } from "vitest";

const variables = { ...process.env };
const folder = process.cwd();

afterAll(() => {
  for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
  Object.assign(process.env, variables);
  process.chdir(folder);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
