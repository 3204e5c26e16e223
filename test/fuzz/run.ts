/** `npm run fuzz -- --frames 10000`: fuzzes its own server and prints one object. Exits with 1 after a violation. */
import { Command } from "commander";
import { scratchDir, startGym } from "../support/server-process.js";
import { fuzzSession } from "./session.js";

const program = new Command("fuzz")
  .description("send broken frames to a server's socket, with right ones in between")
  .option("--frames <count>", "how many frames", Number, 10_000)
  .option("--seed <number>", "the same seed sends the same frames", Number, 1)
  .parse();
const { frames, seed } = program.opts<{ frames: number; seed: number }>();

const data = scratchDir();
const server = await startGym({ dataDir: data.path, showErrors: true, env: { PALESTRA_LOCAL_EXPERT: "true" } });
try {
  const report = await fuzzSession(server, frames, seed);
  console.log(JSON.stringify({ seed, ...report }, null, 2));
  const left = report.openSockets + report.liveEpisodes;
  process.exitCode = report.alive && report.wrong.length + left === 0 ? 0 : 1;
} finally {
  await server.process.stop();
  data.remove();
}
