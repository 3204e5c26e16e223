/** Lowest reward that counts as solved. */
export const solvedReward = 0.8;

/** Returns 1 - 0.01 per earlier step for a right answer, 0.1 for a wrong answer after a tool call, else 0. */
export default function reward({ task, answer, steps, tokens, calls }, { exact, numeric }) {
  const used = calls.filter(({ isError }) => !isError).map(({ tool }) => tool);
  const info = { tokens, tools: used };
  const isRight =
    task.family === "search" ? exact({ task, answer }, { ignoreCase: true }) === 1 : numeric({ task, answer }) === 1;
  if (!isRight) return { reward: used.length > 0 ? 0.1 : 0, info };
  return { reward: 1 - Math.min(0.2, 0.01 * (steps - 1)), info };
}
