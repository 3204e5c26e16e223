/** The options of `palestra index`, which manages the collections of pages that environments search. */
import type { Command } from "commander";
import { wholeFrom } from "../arguments.js";

const mostSearched = 100;
const mostShards = 1_024;
const atOption = ["--at <cluster>", "opensearch:URL of a cluster (default: this machine)"] as const;

export function addIndexCommands(program: Command): void {
  const index = program.command("index").description("manage the collections of pages that environments search");
  index
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
    .action(async (corpus, flags) => (await import("../index.js")).build(corpus, flags));
  index
    .command("list")
    .description("list the indexes of this machine, or of a cluster")
    .option(...atOption)
    .option("--json", "print JSON", false)
    .action(async (flags) => (await import("../index.js")).list(flags));
  index
    .command("search <name> <query...>")
    .description("print the best passages of an index")
    .option(...atOption)
    .option("--count <number>", "number of passages", wholeFrom(1, mostSearched), 3)
    .option("--json", "print JSON", false)
    .action(async (name, words, flags) => (await import("../index.js")).search(name, words, flags));
  index
    .command("remove <name>")
    .description("delete an index, or an interrupted build")
    .option(...atOption)
    .action(async (name, flags) => (await import("../index.js")).remove(name, flags));
}
