/** Bundles the studio's page for reports as one file without requests: dist/server/ui/report.html. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const outDir = join(root, "dist/server/ui");

/** Puts the script and the styles into the page, and allows this script alone. */
const inline = {
  name: "inline",
  enforce: "post",
  generateBundle(_options, bundle) {
    const files = Object.values(bundle);
    const page = files.find(({ fileName }) => fileName.endsWith(".html"));
    const code = files.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("");
    const css = files.flatMap(({ fileName, source }) => (fileName.endsWith(".css") ? [source] : [])).join("");
    // A script element ends at the first such text, also within a string.
    const script = code.replaceAll("</script", "<\\/script");
    const hash = createHash("sha256").update(script).digest("base64");
    const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:`;
    const source = page.source
      .replace(/\s*(<script type="module"[^>]*><\/script>|<link rel="stylesheet"[^>]*>)/g, "")
      .replace("</title>", () => `</title><meta http-equiv="Content-Security-Policy" content="${policy}">`)
      .replace("</head>", () => `<style>${css}</style></head>`)
      .replace("</body>", () => `<script type="module">${script}</script></body>`);
    for (const { fileName } of files) delete bundle[fileName];
    this.emitFile({ type: "asset", fileName: "report.html", source });
  },
};

export default {
  root: join(root, "server/ui/report"),
  base: "./",
  publicDir: false,
  plugins: [inline],
  build: {
    outDir,
    // The studio is in the same folder.
    emptyOutDir: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: false } },
  },
};
