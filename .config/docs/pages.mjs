/** Reads the Markdown pages of the repository, and rewrites their links for the site. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { root, SetupError } from "../step.mjs";

/** Files that the site offers for download under their own paths. */
const downloads = /^(openapi\/gym\.[\w.]+|server\/deploy\/[\w.-]+|\.config\/(docker|kubernetes)\/[\w.-]+)$/;

/** Pictures, which the pages of the site show. */
const pictures = /^\.github\/images\/[\w.-]+\.(png|svg)$/;

/** Instructions of tasks, which agents read. */
const isInstruction = (path) => path.includes("/data/");

/** @returns paths of the repository's files, those not committed yet included */
export function filesOfRepository() {
  const args = ["ls-files", "-co", "--exclude-standard", "-z"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0").filter(Boolean);
}

/** @returns paths of all Markdown pages */
export function pagesOfRepository(files) {
  return files.filter((path) => path.endsWith(".md") && !isInstruction(path));
}

/** @returns path of a page in the site: `server/README.md` is `server/index.md`, and `.github/SECURITY.md` is `project/security.md` */
export function siteFile(page) {
  const lower = page
    .replace(/^\.github\//, "project/")
    .replace(/^\.config\//, "")
    .replace(/[A-Z]{3,}\.md$/, (name) => name.toLowerCase());
  return lower.replace(/(^|\/)readme\.md$/, "$1index.md");
}

/** @returns the address of a page in the site, from its root: `/server/`, `/openapi/mcp.html` */
export function addressOf(page) {
  return `/${siteFile(page)}`.replace(/(^|\/)index\.md$/, "$1").replace(/\.md$/, ".html");
}

/** The anchor of a heading, as GitHub makes it. */
export function anchorOf(title) {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\- _]/gu, "")
    .replaceAll(" ", "-");
}

/**
 * Reads a page for the site.
 *
 * @param repository URL of the repository's files on the web, or undefined: then a link to a source file is its path
 * @param source text of the page, by default that of its file
 * @returns `{ page, title, summary, text, downloads }`: the text with the site's links, and the files to download that it links to
 */
export function readPage(page, files, repository, source = sourceOf(page, files)) {
  const content = source.replace(/^<!--.*?-->\s*/s, "");
  const [, title] = /^# (.+)$/m.exec(content) ?? [];
  if (title === undefined) throw new SetupError(`expected a heading "# ..." in ${page}, but found none`);
  const linked = [];
  const text = outsideOfCode(content, (prose) =>
    withPictures(page, prose).replace(/(!?)\[((?:[^\]\\]|\\.)*)\]\(([^)\s]+)\)/g, (_, image, label, link) =>
      rewrite({ page, files, repository, linked, image, label, link }),
    ),
  );
  return { page, title: plain(title), summary: summaryOf(content), text, downloads: linked };
}

function sourceOf(page, files) {
  if (!files.includes(page))
    throw new SetupError(`expected the page ${page} of .config/docs/sidebar.mjs, but found none`);
  return readFileSync(join(root, page), "utf8");
}

/** A picture in HTML with a dark variant, as GitHub shows it. */
const picture =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img ([^>]*)>\s*<\/picture>/g;

/** Writes pictures in HTML as two images in Markdown, of which the style of the site hides one. */
function withPictures(page, prose) {
  const written = prose.replace(picture, (_, dark, image) => {
    const [light, alt] = ["src", "alt"].map((name) => new RegExp(`\\b${name}="([^"]*)"`).exec(image)?.[1]);
    if (light === undefined || !alt)
      throw new SetupError(`expected src and alt of each picture in ${page}, but received <img ${image}>`);
    return `![${alt}](${light}){.only-light} ![${alt}](${dark}){.only-dark}`;
  });
  if (/^<(picture|img)\b/m.test(written))
    throw new SetupError(
      `expected a <picture> in ${page} to have a dark source and an image, but received another form`,
    );
  return written;
}

/** Replaces text outside of blocks of code. Code in a line is kept apart too, except in the label of a link. */
function outsideOfCode(source, replace) {
  return source
    .split(/(^ *```[\s\S]*?^ *```$)/m)
    .map((part, at) => (at % 2 === 1 ? part : replace(part)))
    .join("");
}

function rewrite({ page, files, repository, linked, image, label, link }) {
  if (/^[a-z]+:/.test(link)) return `${image}[${label}](${link})`;
  const [path, anchor] = link.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (path === "") return `[${label}](${hash})`;
  const target = posix.normalize(posix.join(posix.dirname(page), path)).replace(/\/$/, "");
  const readme = `${target}/README.md`;
  if (target.endsWith(".md") || files.includes(readme)) {
    const other = target.endsWith(".md") ? target : readme;
    if (!files.includes(other))
      throw new SetupError(`expected the page ${other}, to which ${page} links, but found none`);
    return `[${label}](${addressOf(other)}${hash})`;
  }
  if (!files.some((file) => file === target || file.startsWith(`${target}/`)))
    throw new SetupError(`expected the file ${target}, to which ${page} links, but found none`);
  if (image && !pictures.test(target))
    throw new SetupError(`expected a picture of .github/images/ in ${page}, but received ${target}`);
  if (downloads.test(target) || image) {
    linked.push(target);
    return `${image}[${label}](${downloadOf(target)})`;
  }
  if (repository !== undefined) return `[${label}](${repository}/${target}${hash})`;
  return plain(label) === target || plain(label) === basename(target)
    ? `\`${plain(label)}\``
    : `${label} (\`${target}\`)`;
}

/** @returns the address of a file to download */
export function downloadOf(file) {
  return `/${file.replace(/^\.(config|github)\//, "")}`;
}

/** The first paragraph of a page, as one line of plain text. */
function summaryOf(source) {
  const blocks = source.split(/\n\s*\n/).map((block) => block.trim());
  const first = blocks.find((block) => /^[A-Za-z`[*]/.test(block)) ?? "";
  return plain(first.replace(/\s+/g, " "));
}

/** Markdown of one line without marks. */
export function plain(text) {
  return text
    .replace(/\[((?:[^\]\\]|\\.)*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\\(.)/g, "$1")
    .trim();
}
