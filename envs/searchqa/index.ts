import type { AsyncEnvironmentSpec } from "../env.js";
import { questions } from "../shared/questions/requirement.js";
import { answerIn, scored } from "../shared/questions/scored.js";
import { questionSets } from "../shared/questions/sets.js";
import { QuestionSplits } from "../shared/questions/splits.js";
import { sourceOf } from "../shared/retrieval/sources.js";
import { SearchQa } from "./env.js";
import { nextAction } from "./expert.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

const tasks = new QuestionSplits(questionSets());

const searchqa: AsyncEnvironmentSpec<SearchQa> = {
  isAsync: true,
  id: "searchqa",
  version: 1,
  summary: "Answer a question by searching a collection of pages, with Search-R1's tags and AgentGym's texts.",
  splits: tasks.splits,
  options: {
    answers: {
      summary: "Whether the episode continues after a wrong answer.",
      values: {
        retry: { summary: "The episode continues until the answer is right, as in AgentGym." },
        once: { summary: "The first answer ends the episode, as in Search-R1." },
      },
    },
    reward: {
      summary: "Reward of an answer.",
      values: {
        exact: { summary: "1 for a golden answer, after SQuAD's normalisation; 0 for any other." },
        f1: { summary: "F1 score of its words with the best-matching golden answer." },
      },
    },
  },
  maxSteps: 10,
  rewardRange: [0, 1],
  solvedReward: 1,
  familyKey: "family",
  prompt,
  tools,
  requirements: [questions],
  restore: "replay",
  deadlineMs: 120_000,
  create: (context) =>
    new SearchQa(context, (task) => {
      const { question, source } = tasks.problemOf(task);
      return { question, source: sourceOf(source, context.sandboxes.browsers) };
    }),
  expert: async ({ question, past }) => (question ? nextAction(question, past) : null),
  verdict: async (environment, end) => verdict(environment, end),
  async verify({ task, options, answer: text }) {
    const answer = answerIn(text);
    const { golden } = tasks.problemOf(task).question;
    const { reward, ...scores } = scored(answer, golden, options.reward);
    return { reward, info: { answer, ...scores }, expected: [...golden] };
  },
};

export default searchqa;
