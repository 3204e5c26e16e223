/** The options of `palestra index`, which manages the collections of pages that environments search. */
import type { Command } from "commander";
import { wholeFrom } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

const mostSearched = 100;
const mostShards = 1_024;
const atOption = ["--at <cluster>", "opensearch:URL of a cluster (default: this machine)"] as const;

export function addIndexCommands(program: Command): void {
  const index = program.command("index").description("manage the collections of pages that environments search");
  const build = index
    .command("build <corpus>")
    .description("build an index from a .jsonl, .jsonl.gz or .parquet file of pages; an interrupted build is resumed")
    .requiredOption("--name <name>", "name of the index; environments search it as index:NAME")
    .option(...atOption)
    .option(
      "--shards <number>",
      "shards of the index in a cluster; about one per 30 GB of text (default: 1)",
      wholeFrom(1, mostShards),
    )
    .option("--skip-bad-lines", "skip lines that are not pages, and repeated ids", false)
    .option("--restart", "start over, and discard an interrupted build", false)
    .option("--json", "print the JSON object {name, pages, passages, resumedAt, skipped}", false)
    .action(async (corpus, flags) => (await import("../handlers/index-files.js")).build(corpus, flags));
  const list = index
    .command("list")
    .description("list the indexes of this machine, or of a cluster")
    .option(...atOption)
    .option("--json", "print the JSON object {indexes}", false)
    .action(async (flags) => (await import("../handlers/index-files.js")).list(flags));
  const search = index
    .command("search <name> <query...>")
    .description("print the best passages of an index")
    .option(...atOption)
    .option("--count <number>", "number of passages", wholeFrom(1, mostSearched), 3)
    .option("--json", "print the JSON object {passages}", false)
    .action(async (name, words, flags) => (await import("../handlers/index-files.js")).search(name, words, flags));
  const remove = index
    .command("remove <name>")
    .description("delete an index, or an interrupted build")
    .option(...atOption)
    .option("--json", "print the JSON object {removed}", false)
    .action(async (name, flags) => (await import("../handlers/index-files.js")).remove(name, flags));
  guideThrough({ index, build, list, search, remove });
}

function guideThrough({
  index,
  build,
  list,
  search,
  remove,
}: Record<"index" | "build" | "list" | "search" | "remove", Command>): void {
  const page = "envs/shared/retrieval/README.md";
  guide(index, page, { "palestra index list": "List the indexes of this machine" });
  guide(build, page, {
    "palestra index build wiki.parquet --name wiki": "Build an index that environments search as index:wiki",
    "palestra index build wiki.jsonl.gz --name wiki --at opensearch:http://10.0.0.5:9200 --shards 4":
      "Build an index in a cluster",
  });
  guide(list, page, {
    "palestra index list": "List the indexes of this machine",
    "palestra index list --at opensearch:http://10.0.0.5:9200 --json": "List those of a cluster, for a program",
  });
  guide(search, page, {
    "palestra index search wiki who discovered hafnium": "Print the three best passages",
    "palestra index search wiki hafnium --count 10 --json": "Print ten passages as JSON",
  });
  guide(remove, page, { "palestra index remove wiki": "Delete an index" });
}
