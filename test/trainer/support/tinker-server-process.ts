/** The server of `tinker-server.ts` in a process of its own: tsx tinker-server-process.ts BASE FOLDER [PORT] */
import { Engine } from "#palestra/native/api/index.js";
import { TinkerTestServer } from "./tinker-server.js";

const [base = "", folder = "", port = "0"] = process.argv.slice(2);
const engine = await Engine.create({ device: "cpu", threads: 1 });
const server = await TinkerTestServer.start({ engine, base, folder, port: Number(port) });
console.log(server.url);
process.once("SIGTERM", () => process.exit(0));
