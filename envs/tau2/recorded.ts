/** Evaluates a recorded episode of tau2-bench: an entry `simulations` of its results. */
import type { AnswerReward, Submission } from "../env.js";
import type { DomainName } from "./domains/domain.js";
import { evaluationInfo } from "./env.js";
import { endings, evaluate } from "./episode/evaluate.js";
import { messagesIn } from "./episode/message.js";
import { Reader } from "./episode/reader.js";
import type { Tau2Task } from "./episode/task.js";
import { NotReplayable } from "./episode/world.js";
import { neededFolder } from "./folder.js";
import { readJson } from "./python/read.js";
import { taskOf } from "./tasks.js";

/** Scores the JSON text of a recorded episode. Any other text gets 0, and the info has the reason. */
export function scoreRecorded(domain: DomainName, { task, answer }: Pick<Submission, "task" | "answer">): AnswerReward {
  const known = taskOf(domain, task);
  try {
    const { reward, ...rest } = evaluate(neededFolder(), domain, episodeIn(answer, known));
    return { reward, info: evaluationInfo({ reward, ...rest }) };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof NotReplayable || error instanceof NoEpisode)) throw error;
    return { reward: 0, info: { error: error.message } };
  }
}

class NoEpisode extends Error {}

function episodeIn(text: string, task: Tau2Task) {
  const value = readJson(text);
  try {
    const simulation = new Reader(value, "the episode");
    const id = simulation.optional("task_id")?.text() ?? task.id;
    if (id !== task.id) throw new Error(`expected an episode of the task ${task.id}, but received one of ${id}`);
    const judged = simulation.optional("reward_info")?.optional("nl_assertions")?.list();
    return {
      task,
      ending: simulation.get("termination_reason").oneOf(endings),
      messages: messagesIn(simulation.get("messages")),
      ...(judged && { verdicts: judged.map((each) => each.get("met").value === true) }),
    };
  } catch (error) {
    throw new NoEpisode((error as Error).message);
  }
}
