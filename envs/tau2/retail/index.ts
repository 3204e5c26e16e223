import { specOf } from "../spec.js";

export default specOf("retail");
