/** Desktops for tests, on the engine of `findEngine`, with the image of `palestra setup desktop`. */
import { PNG } from "pngjs";
import { afterAll, expect, type TestContext } from "vitest";
import { Desktop } from "#palestra/envs/desktop/env.js";
import type { StepResult, TaskRef } from "#palestra/envs/env.js";
import { makeDesktopImage } from "#palestra/sandboxes/docker/debian-image.js";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { Engine } from "#palestra/sandboxes/docker/engine.js";
import type { MachineProvider } from "#palestra/sandboxes/sandbox.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";
import { testDocker } from "../../support/docker.js";

let provider: DockerProvider | undefined;
afterAll(() => provider?.close());

/** Defines a test that opens desktops. It is skipped with the reason if the image is not available. */
export function testDesktop(
  title: string,
  run: (machines: MachineProvider, context: TestContext) => Promise<void>,
  timeoutMs = 120_000,
): void {
  testDocker(
    title,
    async (address, context) => {
      const missing = await makeDesktopImage(new Engine(address), () => {}).then(() => undefined, refusalOf);
      if (missing !== undefined) return context.skip(missing);
      provider ??= new DockerProvider({ engines: [address], warm: 1 });
      await run(provider, context);
    },
    // The first test may have to build the image.
    timeoutMs + 600_000,
  );
}

/**
 * Returns the reason why the machine cannot have the image, such as a missing mmdebstrap. A failed build is an error
 * instead.
 */
function refusalOf(error: unknown): string {
  if (error instanceof SandboxError && error.code === "REFUSED") return error.message;
  throw error;
}

export const signal = () => AbortSignal.timeout(100_000);

/** Opens a desktop for a task, passes it to `use`, and closes it. */
export async function withDesktop<T>(
  machines: MachineProvider,
  task: TaskRef,
  use: (desktop: Desktop) => Promise<T>,
): Promise<T> {
  const desktop = new Desktop({ sandboxes: { machines } });
  try {
    await desktop.reset({ task, seed: 0, options: {} }, signal());
    return await use(desktop);
  } finally {
    await desktop.close();
  }
}

/** Returns the screenshot of a step, after checking that it shows the whole screen. */
export function expectPicture({ parts = [] }: StepResult): PNG {
  const [part, ...others] = parts;
  if (part?.type !== "image") throw new Error(`expected a picture, but received ${JSON.stringify(part)}`);
  const picture = PNG.sync.read(Buffer.from(part.data, "base64"));
  expect({ others, mediaType: part.mediaType, width: picture.width, height: picture.height }).toEqual({
    others: [],
    mediaType: "image/png",
    width: 1024,
    height: 768,
  });
  return picture;
}
