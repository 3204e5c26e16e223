/** Program of a process that runs SQL and generates databases and questions from seeds. */
import { serve } from "../../shared/processes/serve.js";
import { answerAbout } from "../../shared/sqlite/answer.js";
import { makeProblem } from "../questions/problem.js";
import { schemaOf } from "../schemas/index.js";
import { databaseOf } from "./databases.js";
import type { Answers, EngineRequest } from "./request.js";

await serve<EngineRequest>(() => answer);

function answer(request: EngineRequest, begin: () => void): Answers[EngineRequest["op"]] {
  if (request.op !== "task") return answerAbout(databaseOf(request.database), request, begin);
  const { schema, seeds, family, seed } = request;
  const databases = seeds.map((each) => databaseOf({ schema, seed: each }));
  return makeProblem(schemaOf(schema), databases, family, seed);
}
