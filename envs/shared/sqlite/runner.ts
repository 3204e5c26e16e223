/** Program of a process that runs SQL on SQLite files. */
import { serve } from "../processes/serve.js";
import { answerAbout } from "./answer.js";
import { OpenDatabases, openFile } from "./databases.js";
import type { DatabaseRequest } from "./request.js";

const databases = new OpenDatabases(openFile);

await serve<DatabaseRequest<string>>(() => (request, begin) => {
  const database = databases.of(request.database);
  // The time limit starts here, because reading rows of a view may take as long as any query.
  if (request.op === "describe") begin();
  return answerAbout(database, request, begin);
});
