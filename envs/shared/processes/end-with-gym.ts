/** Worker thread that kills its own process when the gym exits, even if the main thread is in an endless loop. */
import { Socket } from "node:net";
import { lifeDescriptor } from "./messages.js";

const end = () => process.kill(process.pid, "SIGKILL");
new Socket({ fd: lifeDescriptor }).on("end", end).on("error", end).resume();
