/** The options of `palestra setup`. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Internet, SetUpChoices } from "../../../envs/env.js";
import { didYouMean } from "../../did-you-mean.js";
import { shown } from "../../errors.js";
import type { Context } from "./context.js";

interface SetupFlags extends SetUpChoices {
  jar?: string;
}

export function addSetupCommand(program: Command, context: Context): void {
  program
    .command("setup [name] [from]")
    .description("install requirements that are not part of Palestra; without a name, list them")
    .option("--jar <path>", "path of your own jar, used instead of the published jar")
    .option("--as <name>", "name of the split for the tasks (default: the name of their folder)")
    .addOption(
      new Option(
        "--internet <kind>",
        "network of tasks that require open network access (default: such tasks are refused)",
      ).choices(["none", "http"] satisfies Internet[]),
    )
    .option(
      "--source <source>",
      "pages to search for answers: bundled, index:NAME, retrieve:URL or opensearch:URL/ALIAS",
    )
    .action((name: string | undefined, path: string | undefined, { jar, ...choices }: SetupFlags) =>
      runSetup(context, name, jar ?? path, choices),
    );
}

async function runSetup(
  context: Context,
  name: string | undefined,
  from: string | undefined,
  choices: SetUpChoices,
): Promise<void> {
  const { installables, setup } = await import("../setup.js");
  const known = installables(await context.registry(), await context.config());
  if (name === undefined) return console.log([...known.keys()].join("\n"));
  const installable = known.get(name);
  if (installable) return setup(name, installable, { ...choices, ...(from !== undefined && { from }) });
  const received = `${shown(name)}${didYouMean(name, known.keys())}`;
  throw new InvalidArgumentError(`expected one of ${[...known.keys()].join(", ")}, but received ${received}`);
}
