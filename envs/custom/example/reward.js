/** 1 for a right answer, a little less where it took long; 0.1 for a wrong one that was looked for with a tool. */
export default function reward({ task, answer, steps, tokens, calls }, { exact, numeric }) {
  const isRight = right({ task, answer }, { exact, numeric });
  const used = calls.filter(({ isError }) => !isError).map(({ tool }) => tool);
  const info = { isRight, steps, tokens, tools: used };
  if (!isRight) return { reward: used.length > 0 ? 0.1 : 0, info };
  return { reward: 1 - Math.min(0.2, 0.01 * (steps - 1)), info };
}

/** Numbers by their value, words by their letters. */
function right(submission, { exact, numeric }) {
  if (submission.task.family !== "search") return numeric(submission) === 1;
  return exact(submission, { ignoreCase: true }) === 1;
}
