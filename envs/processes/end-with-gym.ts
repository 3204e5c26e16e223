/** Program of a thread that ends its process when the gym exits, even if the main thread runs an endless loop. */
import { Socket } from "node:net";
import { lifeDescriptor } from "./messages.js";

const end = () => process.kill(process.pid, "SIGKILL");
new Socket({ fd: lifeDescriptor }).on("end", end).on("error", end).resume();
