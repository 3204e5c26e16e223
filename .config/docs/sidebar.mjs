/** The order of the pages of the site. */

/** Sections of paths of Markdown files. A page has its first heading as its title, unless a title is beside its path. */
const ordered = [
  { title: "Start", pages: [["README.md", "Introduction"]] },
  {
    title: "Host a gym",
    pages: [
      "server/README.md",
      "server/deploy/README.md",
      ".config/docker/README.md",
      ".config/kubernetes/README.md",
      "server/ui/README.md",
      ".github/SECURITY.md",
    ],
  },
  {
    title: "Connect",
    pages: [
      "openapi/library.md",
      ["openapi/python/README.md", "Python and Gymnasium"],
      ["openapi/clients/README.md", "Trainers"],
      "openapi/clients/trl.md",
      "openapi/clients/verifiers.md",
      "openapi/openenv.md",
      "openapi/openreward.md",
      "openapi/agentgym.md",
      "openapi/nemo-gym.md",
      ["openapi/mcp.md", "MCP"],
      "openapi/clients/desktops.md",
    ],
  },
  {
    title: "Environments",
    pages: [
      ["envs/README.md", "Overview"],
      "envs/verdicts.md",
      "envs/textcraft/README.md",
      "envs/textcraft/pair/README.md",
      "envs/babyai/README.md",
      "envs/sciworld/README.md",
      "envs/searchqa/README.md",
      "envs/deepsearch/README.md",
      "envs/math/README.md",
      "envs/sql/README.md",
      "envs/bargain/README.md",
      "envs/memory/README.md",
      "envs/service/README.md",
      "envs/delegate/README.md",
      "envs/assistant/README.md",
      "envs/tau2/README.md",
      "envs/webarena-lab/README.md",
      "envs/webarena/README.md",
      "envs/miniwob/README.md",
      "envs/workbench/README.md",
      "envs/desktop/README.md",
      "envs/custom/README.md",
      "envs/mounted/README.md",
    ],
  },
  {
    title: "Search and data",
    pages: ["envs/shared/retrieval/README.md", "envs/shared/knowledge/README.md", "envs/shared/synthesis/README.md"],
  },
  {
    title: "Evaluate and train",
    pages: [
      "trainer/README.md",
      "trainer/report/README.md",
      "trainer/endpoint/README.md",
      "trainer/algorithms/README.md",
      "trainer/RESULTS.md",
    ],
  },
  {
    title: "Protocol",
    pages: [["openapi/socket.md", "WebSocket"], "openapi/events.md", "openapi/errors.md"],
    hasReference: true,
  },
  {
    title: "Inside",
    pages: ["native/README.md", "native/RESULTS.md", "native/lab/README.md", "sandboxes/README.md"],
  },
  {
    title: "Project",
    pages: [
      ".github/CONTRIBUTING.md",
      "test/README.md",
      "test/fixtures/native/README.md",
      "test/fixtures/webarena/README.md",
      ".github/CHANGELOG.md",
    ],
  },
];

/**
 * Returns the sections with all pages of the repository. A page that has no place above follows the pages of its folder.
 *
 * @param pages paths of the pages of the repository
 */
export function sectionsOf(pages) {
  const sections = ordered.map((section) => ({ ...section, pages: section.pages.map((entry) => [entry].flat()) }));
  const places = sections.flatMap((section) => section.pages.map(([page]) => ({ page, section })));
  for (const page of pages.filter((path) => !places.some((place) => place.page === path))) {
    const near = places.map((place) => ({ ...place, shared: sharedFolders(place.page, page) }));
    const [{ section }] = near.sort((one, other) => other.shared - one.shared);
    section.pages.push([page]);
  }
  return sections;
}

function sharedFolders(one, other) {
  const folders = one.split("/").slice(0, -1);
  const others = other.split("/");
  const parted = folders.findIndex((name, at) => name !== others[at]);
  return parted === -1 ? folders.length : parted;
}
