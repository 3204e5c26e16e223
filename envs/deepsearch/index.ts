import type { AsyncEnvironmentSpec } from "../env.js";
import { questions } from "../shared/questions/requirement.js";
import { questionSets } from "../shared/questions/sets.js";
import { QuestionSplits } from "../shared/questions/splits.js";
import { sourceOf } from "../shared/retrieval/sources.js";
import { DeepSearch } from "./env.js";
import { nextAction } from "./expert.js";
import { hasJudge, isJudgedRight } from "./judged.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

const tasks = new QuestionSplits(questionSets());

const deepsearch: AsyncEnvironmentSpec<DeepSearch> = {
  isAsync: true,
  id: "deepsearch",
  version: 1,
  summary: "Answer a question with many searches, read pages, and cite the pages that prove the answer.",
  splits: tasks.splits,
  options: {
    reward: {
      summary: "Reward of an answer.",
      values: {
        exact: { summary: "1 for a golden answer, after SQuAD's normalisation; 0 for any other." },
        f1: { summary: "F1 score of its words with the best-matching golden answer." },
        ...(hasJudge() && {
          judge: { summary: "1 if the judge, the model at PALESTRA_JUDGE_URL, says that it is right." },
        }),
      },
    },
  },
  maxSteps: 128,
  rewardRange: [0, 1],
  familyKey: "family",
  prompt,
  tools,
  requirements: [questions],
  restore: "replay",
  deadlineMs: 180_000,
  create: (context) =>
    new DeepSearch(
      context,
      (task) => {
        const { question, source } = tasks.problemOf(task);
        return { question, source: sourceOf(source, context.sandboxes.browsers) };
      },
      isJudgedRight,
    ),
  expert: async ({ question, past }) => (question ? nextAction(question, past) : null),
  verdict: async (environment, end) => verdict(environment, end),
};

export default deepsearch;
