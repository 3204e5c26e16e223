/** The base image of sandboxes: Debian 12 with a shell's usual programs, Python and what small tasks need. */
import { type DebianImage, makeDebianImage, type OnProgress } from "./debian-image.js";
import type { Engine } from "./engine.js";
import { base } from "./images.js";

const image: DebianImage = {
  ...base,
  packages: [
    ...["bash", "coreutils", "findutils", "grep", "sed", "gawk", "diffutils", "patch", "less", "file", "procps"],
    ...["ca-certificates", "curl", "git", "jq", "xz-utils", "zip", "unzip", "bsdextrautils", "iproute2"],
    ...["python3", "sqlite3", "make", "gcc", "libc6-dev", "poppler-utils"],
  ],
};

/** As `makeDebianImage`. */
export function makeBaseImage(engine: Engine, onProgress: OnProgress, from?: string): Promise<string> {
  return makeDebianImage(image, engine, onProgress, from);
}
