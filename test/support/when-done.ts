/** Cleans up after a test or a file, wherever the code that asks for it runs: in a test, in a hook or in the file itself. */
import { onTestFinished, TestRunner } from "vitest";

type CleanUp = () => void | Promise<void>;

const ofFile: CleanUp[] = [];

/** Calls `cleanUp` at the end of the test, or of the file outside of a test. */
export function whenDone(cleanUp: CleanUp): void {
  if (TestRunner.getCurrentTest() === undefined) ofFile.push(cleanUp);
  else onTestFinished(cleanUp);
}

/** Cleans up at the end of a file, in reverse order. A hook of vitest would be ignored if another hook declared it. */
export async function cleanUpFile(): Promise<void> {
  const errors: unknown[] = [];
  for (let next = ofFile.pop(); next; next = ofFile.pop())
    try {
      await next();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw new AggregateError(errors, `Cleaning up after the file failed: ${errors.join("; ")}`);
}
