/** Bundles the studio, the web page of the gym. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

export default {
  root: join(root, "server/ui"),
  // Relative, so that the page works below a path prefix and below /t/<token>/.
  base: "./",
  publicDir: false,
  build: {
    outDir: join(root, "dist/server/ui"),
    emptyOutDir: true,
    // An asset as a data: URL would be refused by the page's content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
};
