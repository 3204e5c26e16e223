/** The command `palestra token` manages the tokens of users on other machines. */
import { type Command, InvalidArgumentError } from "commander";
import { shown } from "../errors.js";
import { type TokenStore, tokenRights } from "../tokens.js";
import { wholeFrom } from "./arguments.js";

/** @param tokens opens the token file that the program's options select */
export function addTokenCommands(program: Command, tokens: () => TokenStore): void {
  const token = program.command("token").description("manage the tokens of users on other machines");

  token
    .command("create")
    .description("create a token, which is shown only once")
    .requiredOption("--name <name>", "name of the user", parseName)
    .option("--expert", "allow asking the expert", false)
    .option("--max-episodes <number>", "most live episodes at a time", wholeFrom(1), 10_000)
    .option("--max-log-mb <number>", "most MiB of episodes in the log (default: no limit)", wholeFrom(1))
    .option("--json", "print JSON", false)
    .action((options: { name: string; expert: boolean; maxEpisodes: number; maxLogMb?: number; json: boolean }) => {
      const rights = options.expert ? [...tokenRights] : [];
      const { name, maxEpisodes, maxLogMb } = options;
      const { token, secret } = tokens().create({ name, rights, maxEpisodes, ...(maxLogMb && { maxLogMb }) });
      console.log(options.json ? JSON.stringify({ id: token.id, token: secret }) : secret);
    });

  token
    .command("list")
    .description("list the tokens, without their secrets")
    .option("--json", "print JSON", false)
    .action((options: { json: boolean }) => {
      const listed = tokens()
        .list()
        .map(({ sha256, ...rest }) => rest);
      if (options.json) return console.log(JSON.stringify({ tokens: listed }, null, 2));
      for (const { id, name, rights, maxEpisodes, maxLogMb, createdAt } of listed) {
        const most = `at most ${maxEpisodes} episodes${maxLogMb === undefined ? "" : ` and ${maxLogMb} MiB`}`;
        console.log(`${id}  ${name}  ${rights.join(",") || "-"}  ${most}  since ${createdAt}`);
      }
    });

  token
    .command("revoke <id-or-name>")
    .description("refuse a token from now on; its episodes stay in the log")
    .action((idOrName: string) => {
      if (tokens().revoke(idOrName)) return;
      throw new InvalidArgumentError(`expected the id or name of an existing token, but received ${shown(idOrName)}`);
    });
}

/** Checks the name of a token, which is shown in lists and typed to revoke the token. */
function parseName(text: string): string {
  if (/^[^\p{C}\p{Z}]([^\p{C}]{0,98}[^\p{C}\p{Z}])?$/u.test(text)) return text;
  const name = "a name of 1 to 100 characters without control characters and without spaces at its start and end";
  throw new InvalidArgumentError(`expected ${name}, but received ${shown(text)}`);
}
