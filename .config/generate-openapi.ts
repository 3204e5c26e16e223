/**
 * `npm run generate`: writes the files of openapi/ that are generated from the schemas and the error table. It reads dist/,
 * which is the shipped code. test/server/app/openapi.test.ts fails while the committed files differ.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import openapiTypes, { astToString } from "openapi-typescript";
import { buildApp } from "#palestra/server/app/app.js";
import { loadConfig } from "#palestra/server/config/settings.js";
import { type ErrorCode, type ErrorEntry, errorTable, type FailureClass } from "#palestra/server/errors.js";
import { pythonTypes } from "./python-types.js";
import { isProgram, root } from "./step.mjs";

/** Schemas that the Python package returns. */
const schemasInPython = [
  ...["Episode", "EpisodePage", "StepReply", "Transcript", "Advice", "Picture"],
  ...["Environment", "TaskPage"],
];

/** Returns the text of each generated file, by its path from the root. */
export async function generate(): Promise<Record<string, string>> {
  const document = `${JSON.stringify(await openapiDocument(), null, 2)}\n`;
  return {
    "openapi/gym.openapi.json": document,
    "openapi/gym.d.ts": await typesOf(document),
    "openapi/errors.md": errorsPage(),
    "openapi/python/palestra/types.py": pythonTypes(document, schemasInPython),
  };
}

async function openapiDocument(): Promise<object> {
  const dataDir = mkdtempSync(join(tmpdir(), "palestra-generate-"));
  try {
    const flags = { dataDir, logLevel: "silent", hosts: { count: 1 } };
    const app = await buildApp(loadConfig({ env: {}, flags }));
    await app.ready();
    const document = await app.openapi();
    await app.close();
    return document;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function typesOf(document: string): Promise<string> {
  const types = astToString(await openapiTypes(document, { silent: true, defaultNonNullable: false }));
  return `/** Generated from gym.openapi.json by \`npm run generate\`. Do not edit. */\n${types}`;
}

const classes: Record<FailureClass, string> = {
  action: "The caller's mistake. The same request gives the same error again.",
  environment: "A bug in the environment. The episode has failed for good; other episodes continue.",
  infrastructure: "The gym's machinery failed. Mask the trajectory instead of giving it a return of zero.",
  capacity: "A temporary limit was reached. Try again later.",
};

function errorsPage(): string {
  const rows = (Object.keys(errorTable) as ErrorCode[]).map((code) => {
    const { status, class: failureClass, when, remedy }: ErrorEntry = errorTable[code];
    return `| \`${code}\` | ${status} | ${failureClass} | ${remedy === undefined ? when : `${when} ${remedy}`} |`;
  });
  return `<!-- Generated from server/errors.ts by \`npm run generate\`. Do not edit. -->
# Errors

The body of every error reply of \`/v1\` has this format. The table below lists the HTTP status of each error.

\`\`\`json
{"error": {"code": "STEP_INDEX", "class": "action", "message": "expected the step index 3, but received 5", "details": {"nextIndex": 3}}}
\`\`\`

| field | contents |
|---|---|
| \`code\` | the error's code, for programs; the meaning of a code never changes |
| \`class\` | the cause of the failure: the caller, the environment, the gym, or a limit |
| \`message\` | a text for people: the expected and the received value, and the remedy if the table below has one |
| \`details\` | optional values for programs, such as the next step index |

In the results of \`createMany\` and \`stepMany\`, a failed entry is an object of the same format. On [the socket](socket.md),
the reply has the fields \`id\` and \`error\`.

| class | meaning |
|---|---|
${Object.entries(classes)
  .map(([name, meaning]) => `| ${name} | ${meaning} |`)
  .join("\n")}

| code | status | class | when |
|---|---|---|---|
${rows.join("\n")}
`;
}

if (isProgram(import.meta.url)) {
  for (const [path, text] of Object.entries(await generate())) {
    writeFileSync(join(root, path), text);
    console.log(path);
  }
}
