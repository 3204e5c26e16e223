/** Removes reasoning and the tokens of a chat template from a reply. */

/** Ends of reasoning. The reply is what follows the last one. */
const reasoningEnds = ["</think>", "</thinking>", "[/THINK]", "<|channel|>final<|message|>"];

/** Tokens with which chat templates end a turn. Servers that keep special tokens leave them at the end of the text. */
const turnEnds = ["<|im_end|>", "<|eot_id|>", "<|end|>", "<|return|>", "<|endoftext|>", "<end_of_turn>", "</s>"];

/** Returns the answer in a reply. A reply without reasoning and without tokens of a template is returned unchanged. */
export function answerOf(text: string): string {
  let answer = text;
  for (const end of reasoningEnds) {
    const at = answer.lastIndexOf(end);
    if (at >= 0) answer = answer.slice(at + end.length).trimStart();
  }
  const kept = answer.trimEnd();
  const end = turnEnds.find((token) => kept.endsWith(token));
  return end === undefined ? answer : kept.slice(0, -end.length).trimEnd();
}
