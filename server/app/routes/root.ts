/** `GET /`: a page for browsers, and the same information as JSON for programs. */
import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { countOf } from "../../../envs/registry.js";
import type { Gym } from "../../episodes/gym.js";
import { counted } from "../../formats/counted.js";
import { environmentList } from "../../operations/environment-list.js";
import type { EnvironmentInfo } from "../../operations/schemas/environment.js";
import { version } from "../../version.js";

type Environment = z.input<typeof EnvironmentInfo>;

/** The links are relative, so that they also work behind a path prefix and below `/t/<token>/`. */
const links = {
  studio: { href: "ui/", summary: "the studio, a web page: see, play, fork and compare episodes" },
  openapi: { href: "openapi.json", summary: "all paths, bodies and errors, as an OpenAPI document" },
  environments: { href: "v1/environments", summary: "the environments, with their splits, options and prompts" },
  episodes: { href: "v1/episodes", summary: "your episodes; POST opens one" },
  metrics: { href: "metrics", summary: "metrics for Prometheus" },
  ready: { href: "readyz", summary: "whether the gym takes new work" },
} as const;

const Root = z
  .object({
    name: z.literal("palestra"),
    version: z.string(),
    needsToken: z.boolean().describe("Whether this caller needs a bearer token for all other paths."),
    environments: z.array(z.string()).describe("`id@version`; empty for a caller who needs a token."),
    links: z.record(z.string(), z.string()).describe("Links, relative to this URL."),
  })
  .meta({ id: "Root" });

const style = `
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
table { border-collapse: collapse; width: 100% }
td, th { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid #ddd }
code, td:first-child { font-family: ui-monospace, monospace; white-space: nowrap }
a { color: #0645ad } small { color: #666 }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #181818 } a { color: #8ab4f8 } td, th { border-color: #444 } small { color: #aaa } }
`;

const headers = {
  "cache-control": "no-store",
  // The URL of the page may contain a token.
  "referrer-policy": "no-referrer",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  vary: "Accept, Authorization",
};

const noEnvironments: readonly Environment[] = [];

/** The newest page of each list of environments, as UTF-8. */
class Pages {
  private readonly made = new WeakMap<readonly Environment[], Buffer>();

  of(environments: readonly Environment[], needsToken: boolean): Buffer {
    const bytes = this.made.get(environments) ?? Buffer.from(page(environments, needsToken));
    this.made.set(environments, bytes);
    return bytes;
  }
}

export function registerRoot(app: FastifyInstance, gym: Gym): void {
  const pages = new Pages();
  const summary = "Describes the gym: a page for browsers, chosen by the Accept header, and JSON for programs.";
  const schema = { tags: ["health"], operationId: "root", summary, response: { 200: Root.describe("The result.") } };
  app.get("/", { config: { callerOptional: true }, schema }, async (request, reply) => {
    const needsToken = request.caller === undefined;
    const environments = needsToken ? noEnvironments : (await environmentList(gym)).environments;
    reply.headers(headers);
    if (prefersHtml(request.headers.accept)) {
      return reply.type("text/html; charset=utf-8").send(pages.of(environments, needsToken));
    }
    return {
      name: "palestra" as const,
      version,
      needsToken,
      environments: environments.map(nameOf),
      links: Object.fromEntries(Object.entries(links).map(([name, { href }]) => [name, href])),
    };
  });
}

/** Whether the Accept header prefers HTML to JSON. Browsers prefer HTML, and HTTP libraries do not. */
function prefersHtml(accept = ""): boolean {
  const ranges = accept.split(",").map((range) => range.trim().toLowerCase());
  const find = (type: string) => {
    const at = ranges.findIndex((range) => range.split(";", 1)[0]?.trim() === type);
    return { at, quality: at < 0 ? 0 : Number(/;\s*q=([0-9.]+)/.exec(ranges[at] as string)?.[1] ?? 1) };
  };
  const [html, json] = [find("text/html"), find("application/json")];
  if (html.quality !== json.quality) return html.quality > json.quality;
  return html.quality > 0 && html.at < json.at;
}

function page(environments: readonly Environment[], needsToken: boolean): string {
  const rows = Object.values(links).map(
    ({ href, summary }) => `<tr><td>${link(href, href)}</td><td>${summary}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Palestra</title>
<style>${style}</style>
</head>
<body>
<h1>Palestra <small>${escaped(version)}</small></h1>
<p>A gym for LLM agents. This server offers the environments below over HTTP and WebSocket.</p>
${needsToken ? tokenNeeded : environmentTable(environments)}
<h2>For programs</h2>
<table>
${rows.join("\n")}
</table>
<p>Clients of AgentGym use <code>agentgym/textcraft</code>, <code>agentgym/babyai</code> or <code>agentgym/sciworld</code> below this address.
On the command line: <code>npx palestra --help</code>.</p>
</body>
</html>
`;
}

const tokenNeeded = `<p>Callers need a token here. The operator of this gym creates one with <code>npx palestra token create --name &lt;name&gt;</code>.
With a token, this page is at <code>t/&lt;token&gt;/</code> below this address.</p>`;

function environmentTable(environments: readonly Environment[]): string {
  return `<h2>Environments</h2>
<table>
<tr><th>Environment</th><th>Summary</th><th>Tasks</th></tr>
${environments.map(environmentRow).join("\n")}
</table>`;
}

function environmentRow(environment: Environment): string {
  const { summary, splits, defaultSplit, requirements } = environment;
  const name = nameOf(environment);
  const path = `v1/environments/${encodeURIComponent(name)}`;
  const missing = requirements.filter(({ available }) => !available);
  const needs = missing
    .map((each) => `<br><small>needs ${escaped(each.name)}: ${escaped(each.howToGet)}</small>`)
    .join("");
  const others = Object.keys(splits).length - 1;
  const count = `${escaped(defaultSplit)}: ${countOf(splits[defaultSplit] as { size: number })}`;
  const more = others > 0 ? `<br><small>and ${counted(others, "more split")}</small>` : "";
  return `<tr><td>${link(path, escaped(name))}</td><td>${escaped(summary)}${needs}</td><td>${link(`${path}/tasks`, count)}${more}</td></tr>`;
}

function nameOf({ id, version }: Environment): string {
  return `${id}@${version}`;
}

/** @param text HTML */
function link(href: string, text: string): string {
  return `<a href="${escaped(href)}">${text}</a>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
