import type { EnvironmentSpec } from "../env.js";
import { MathProblem } from "./env.js";
import { facts, verify } from "./facts.js";
import { problems } from "./requirement.js";
import { prompt, tools } from "./tools.js";

const math: EnvironmentSpec<MathProblem> = {
  ...facts,
  version: 3,
  summary: "Solve a problem of mathematics with a calculator, and submit the answer.",
  prompt,
  tools,
  requirements: [problems],
  restore: "clone",
  create: () => new MathProblem(),
  expert: (problem) => problem.advise(),
  verdict: (problem, end) => problem.verdict(end),
  verify,
};

export default math;
