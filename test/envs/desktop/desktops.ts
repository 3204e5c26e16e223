/** Desktops for the tests, at the engine that `findEngine` finds, with the image that `palestra setup desktop` makes. */
import { PNG } from "pngjs";
import { afterAll, expect, type TestContext } from "vitest";
import { Desktop } from "#palestra/envs/desktop/env.js";
import type { StepResult, TaskRef } from "#palestra/envs/env.js";
import { makeDesktopImage } from "#palestra/sandboxes/docker/desktop-image.js";
import { DockerProvider } from "#palestra/sandboxes/docker/docker-provider.js";
import { Engine } from "#palestra/sandboxes/docker/engine.js";
import type { MachineProvider } from "#palestra/sandboxes/sandbox.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";
import { testDocker } from "../../support/docker.js";

let provider: DockerProvider | undefined;
afterAll(() => provider?.close());

/** A test that opens desktops. It skips, with the reason, where no image of one can be had. */
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
    // The first test may have to make the image.
    timeoutMs + 600_000,
  );
}

/** A machine that cannot have the image, as one without mmdebstrap and a registry, differs from one that fails to make it. */
function refusalOf(error: unknown): string {
  if (error instanceof SandboxError && error.code === "REFUSED") return error.message;
  throw error;
}

export const signal = () => AbortSignal.timeout(100_000);

/** Gives a desktop at the start of a task to `use`, and closes it. */
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

/** The picture of a step, which shows the whole screen. */
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
