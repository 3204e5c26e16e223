/** Rewards from this on count as solved. */
export const solvedReward = 0.8;

/** 1 for a right answer, less 0.01 for each step before it; 0.1 for a wrong answer after a tool was used; else 0. */
export default function reward({ task, answer, steps, tokens, calls }, { exact, numeric }) {
  const used = calls.filter(({ isError }) => !isError).map(({ tool }) => tool);
  const info = { tokens, tools: used };
  const isRight =
    task.family === "search" ? exact({ task, answer }, { ignoreCase: true }) === 1 : numeric({ task, answer }) === 1;
  if (!isRight) return { reward: used.length > 0 ? 0.1 : 0, info };
  return { reward: 1 - Math.min(0.2, 0.01 * (steps - 1)), info };
}
