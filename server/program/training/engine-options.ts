/** Options of commands that start the engine. */
import { InvalidArgumentError, Option } from "commander";
import { TrainerError } from "../../../trainer/errors.js";
import { parseDevice } from "../../../trainer/settings/device.js";
import { choiceOption } from "../terminal/arguments.js";

/** Makes the option `--device`. @param of prefix of the help text, such as "native policy: " */
export function deviceOption(of = ""): Option {
  const option = new Option("--device <name>", `${of}device: auto, cpu, cuda:0 and so on (default: auto)`);
  return option.argParser(orInvalid(parseDevice));
}

export function dtypeOption(of = ""): Option {
  return choiceOption(
    "--dtype <name>",
    `${of}type of the factors of matrix products (default: bf16 on a GPU, else f32)`,
    ["f32", "bf16"],
  );
}

/** Wraps a parser so that commander reports its errors as invalid arguments. */
function orInvalid<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text);
    } catch (error) {
      if (error instanceof TrainerError) throw new InvalidArgumentError(error.message);
      throw error;
    }
  };
}
