/** Program of a thread that ends its process with the gym: the main thread may be within code that never ends. */
import { Socket } from "node:net";
import { lifeDescriptor } from "./messages.js";

const end = () => process.kill(process.pid, "SIGKILL");
new Socket({ fd: lifeDescriptor }).on("end", end).on("error", end).resume();
