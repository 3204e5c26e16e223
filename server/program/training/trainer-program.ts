/** The commands of the trainer as a program of their own: some of their options have the names of options of `palestra`. */
import { Command } from "commander";
import type { GymProgram } from "../../../trainer/gym/gym-process.js";
import { addAskCommand } from "../commands/ask.js";
import { addConvertCommand } from "../commands/convert.js";
import { addEndpointCommand } from "../commands/endpoint.js";
import { addEvalCommand, type EvalPlace } from "../commands/eval.js";
import { addExportCommand } from "../commands/export.js";
import { addTrainCommand } from "../commands/train.js";
import { complain, shapeHelp, usageText } from "../terminal/command-line.js";

/** @param place data directory of a gym of this user, the program that serves one, and the folders of evaluations */
export function trainerProgram(place: EvalPlace & { program: GymProgram }): Command {
  const program = new Command("palestra")
    .exitOverride()
    .configureOutput({ outputError: (text) => complain("ARGUMENT_INVALID", usageText(text)) });
  shapeHelp(program);
  addAskCommand(program, place.program);
  addEvalCommand(program, place);
  addTrainCommand(program, place);
  addExportCommand(program, place);
  addConvertCommand(program);
  addEndpointCommand(program);
  return program;
}
