/**
 * Instructions for a model, which explain WebArena's actions and observations. The wording is not copied from WebArena.
 */
import type { WebTask } from "./tasks/web-task.js";

const actions = `Each reply gives a short reasoning and then one action between three backticks, such as \`\`\`click [1234]\`\`\`. These are the actions:

\`click [id]\`: click on the element with this number.
\`type [id] [text] [press_enter_after=0|1]\`: type the text into the field with this number. Enter is pressed afterwards unless the last part is 0. Text that stands in the field stays.
\`hover [id]\`: move the mouse over the element with this number.
\`press [key_comb]\`: press a key, or keys together, such as Ctrl+v.
\`scroll [direction=down|up]\`: scroll the page down or up.
\`new_tab\`: open a new, empty tab.
\`tab_focus [tab_index]\`: bring the tab with this index, from 0, to the front.
\`close_tab\`: close the tab in front.
\`goto [url]\`: go to an address.
\`go_back\`: go to the page before.
\`go_forward\`: go to the page that \`go_back\` has left.
\`stop [answer]\`: say that the task is done. A task that asks for information wants it as the answer. Answer "N/A" if the task cannot be done.`;

export function promptFor(sites: string): string {
  return `You carry out tasks on web sites in a browser. You are shown:
the task, as OBJECTIVE; the open tabs and the page in front as an accessibility tree, as OBSERVATION, in which each element has a number in brackets; the address of the page, as URL; and what you did last, as PREVIOUS ACTION. Only the part of the page that fits into the window is shown.

${sites}

${actions}`;
}

/** Form of answers for WebArena-Verified, whose evaluators read JSON. */
const verifiedForm = `Answer with one line of JSON: {"task_type": "RETRIEVE" (find information), "MUTATE" (change something) or "NAVIGATE" (open a page), "status": "SUCCESS", "NOT_FOUND_ERROR", "ACTION_NOT_ALLOWED_ERROR", "PERMISSION_DENIED_ERROR", "DATA_VALIDATION_ERROR" or "UNKNOWN_ERROR", "retrieved_data": a list of what was found (numbers and booleans without quotes), or null, "error_details": why the task failed, or null}.`;

/** Returns the instruction of a task, with the required form of the answer if the evaluators require a form. */
export function objectiveOf({ intent, evaluation }: WebTask): string {
  return evaluation.kind === "verified" ? `${intent}\n${verifiedForm}` : intent;
}
