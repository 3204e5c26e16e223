import { specOf } from "../spec.js";

export default specOf("airline");
