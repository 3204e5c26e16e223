/** The options of `palestra setup`. */
import { type Command, InvalidArgumentError } from "commander";
import type { Internet, SetUpChoices, SiteFamily, VerifierMachine } from "../../../envs/env.js";
import { shown } from "../../errors.js";
import { didYouMean } from "../../formats/did-you-mean.js";
import type { Context } from "../context.js";
import { choiceOption } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

interface SetupFlags extends SetUpChoices {
  jar?: string;
  json: boolean;
}

export function addSetupCommand(program: Command, context: Context): void {
  const command = program
    .command("setup [name] [from]")
    .description("install requirements that are not part of Palestra; `list` shows what is there")
    .option("--jar <path>", "path of your own jar, used instead of the published jar")
    .option("--as <name>", "name of the split for the tasks (default: the name of their folder)")
    .addOption(
      choiceOption(
        "--internet <kind>",
        "network of tasks that require open network access (default: such tasks are refused)",
        ["none", "http"] satisfies Internet[],
      ),
    )
    .addOption(
      choiceOption(
        "--verifier <machine>",
        "machine of the tasks' verifiers: the agent's, with its processes, or a new one (default: as each task states)",
        ["agent", "new"] satisfies VerifierMachine[],
      ),
    )
    .option(
      "--source <source>",
      "pages to search for answers: bundled, index:NAME, retrieve:URL or opensearch:URL/ALIAS",
    )
    .option("--json", "print the JSON object {name, done}, or with `list` {installables}", false)
    .action((name: string | undefined, path: string | undefined, { jar, json, ...choices }: SetupFlags) =>
      runSetup(context, name, { ...choices, ...fromOf(jar ?? path) }, json),
    );
  addSiteOptions(command);
  guide(command, "server/README.md#commands", {
    "palestra setup list": "List what can be installed, and what is there",
    "palestra setup browser": "Find or install Chromium, for environments with web pages",
    "palestra setup tasks ./my-tasks --as mine": "Add tasks in Harbor's format as the split `mine` of workbench",
    "palestra setup questions questions.jsonl --source index:wiki": "Add questions for deepsearch",
    "palestra setup webarena --sites --family verified": "Write a compose file for WebArena's sites",
  });
}

function addSiteOptions(command: Command): void {
  const families = ["webarena", "verified"] satisfies SiteFamily[];
  command
    .option("--sites", "with `webarena`: write a compose file and settings of its sites into a folder, [from]")
    .option("--host <name>", "with --sites: host name of the machine with the sites (default: localhost)")
    .addOption(choiceOption("--family <images>", "with --sites: images of the sites (default: webarena)", families))
    .option("--force", "with --sites: replace existing files");
}

async function runSetup(
  context: Context,
  name: string | undefined,
  choices: SetUpChoices,
  json: boolean,
): Promise<void> {
  const { installables, listInstallables, setup } = await import("../handlers/setup.js");
  const [registry, config] = [await context.registry(), await context.config()];
  const known = installables(registry, config);
  if (name === "list" || (name === undefined && json)) return listInstallables(registry, config, { json });
  if (name === undefined) return console.log([...known.keys()].join("\n"));
  const installable = known.get(name);
  if (!choices.sites && (choices.host ?? choices.family ?? choices.force) !== undefined)
    throw new InvalidArgumentError("expected --sites with --host, --family and --force, but received no --sites");
  if (installable) return setup(name, installable, choices, json);
  const received = `${shown(name)}${didYouMean(name, known.keys())}`;
  throw new InvalidArgumentError(`expected one of ${[...known.keys()].join(", ")}, but received ${received}`);
}

function fromOf(path: string | undefined): Pick<SetUpChoices, "from"> {
  return path === undefined ? {} : { from: path };
}
