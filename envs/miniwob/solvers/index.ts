/** All solvers, by the name of the task. */
import type { Solver } from "../view.js";
import { choiceSolvers } from "./choices.js";
import { clickSolvers } from "./clicks.js";
import { dateSolvers } from "./dates.js";
import { dragSolvers } from "./drags.js";
import { formSolvers } from "./forms.js";
import { mailSolvers } from "./mail.js";
import { numberSolvers } from "./numbers.js";
import { shapeSolvers } from "./shapes.js";

export const solvers: Readonly<Record<string, Solver>> = {
  ...clickSolvers,
  ...formSolvers,
  ...choiceSolvers,
  ...mailSolvers,
  ...dateSolvers,
  ...numberSolvers,
  ...shapeSolvers,
  ...dragSolvers,
};
