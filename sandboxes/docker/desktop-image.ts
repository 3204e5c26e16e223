/**
 * The image of a desktop: Debian 12 with an X server that draws into memory, a window manager, a file manager with a text
 * editor (xfe), a calculator and a terminal. A download of about 136 MB, and an image of 345 MB.
 */
import { type DebianImage, makeDebianImage, type OnProgress } from "./debian-image.js";
import type { Engine } from "./engine.js";
import { desktop } from "./images.js";

const image: DebianImage = {
  ...desktop,
  packages: [
    ...["bash", "coreutils", "procps", "python3-minimal", "libpython3-stdlib"],
    ...["xvfb", "x11-xkb-utils", "xkb-data", "openbox", "xdotool", "libx11-6"],
    ...["xfe", "x11-apps", "xterm", "fonts-dejavu-core"],
  ],
  // Drivers of graphics cards and fonts of printers: two thirds of what the packages would take on disk.
  without: ["/usr/lib/*/libLLVM*", "/usr/lib/*/dri/*", "/usr/lib/*/libz3*", "/usr/share/fonts/*/urw-base35/*"],
};

/** As `makeDebianImage`. */
export function makeDesktopImage(engine: Engine, onProgress: OnProgress, from?: string): Promise<string> {
  return makeDebianImage(image, engine, onProgress, from);
}
