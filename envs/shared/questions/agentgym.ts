/**
 * AgentGym numbers its SearchQA questions in file order: first `test.parquet`, then `train.parquet`. The two files
 * contain questions of seven FlashRAG datasets (Jin et al. 2024).
 */

/** Name of AgentGym's question set. */
export const agentgymName = "agentgym";

/** Number of questions from each dataset, in the order of AgentGym's question ids. */
export const agentgymParts = [
  { file: "test", dataset: "nq", size: 3_610 },
  { file: "test", dataset: "triviaqa", size: 11_313 },
  { file: "test", dataset: "popqa", size: 14_267 },
  { file: "test", dataset: "hotpotqa", size: 7_405 },
  { file: "test", dataset: "2wikimultihopqa", size: 12_576 },
  { file: "test", dataset: "musique", size: 2_417 },
  { file: "test", dataset: "bamboogle", size: 125 },
  { file: "train", dataset: "nq", size: 79_168 },
  { file: "train", dataset: "hotpotqa", size: 90_447 },
] as const;

export const agentgymSize = agentgymParts.reduce((sum, { size }) => sum + size, 0);
