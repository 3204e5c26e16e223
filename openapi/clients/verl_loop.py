"""verl: an agent loop that plays a task of a Palestra gym."""

import os
from uuid import uuid4

from palestra import AsyncGym, retrying
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopOutput, register


@register("palestra")
class PalestraLoop(AgentLoopBase):
    @retrying()
    async def run(self, sampling_params, **row):
        call, limit = {"request_id": uuid4().hex, "sampling_params": sampling_params}, self.rollout_config.response_length
        gym, total = AsyncGym(os.environ["PALESTRA_URL"], capacity_wait=600), 0.0
        async with gym, gym.episode(**row["task"], format="react") as episode:
            messages, mask, logs = episode.messages(), [], []
            ids = await self.ct_build_initial_tokens(messages)
            while True:
                reply = await self.server_manager.generate(prompt_ids=ids, **call)
                given = (logs, reply.log_probs) if reply.log_probs else (None, None)
                merged, mask, logs = await self.ct_merge_assistant_token(ids, reply.token_ids, mask, *given)
                ids, text = merged.token_ids, self.tokenizer.decode(reply.token_ids, skip_special_tokens=True)
                await gym.step(episode, text)
                total += episode.reward
                before = [*messages, {"role": "assistant", "content": text}]
                messages = [*before, {"role": "user", "content": episode.observation}]
                merged, *metadata = await self.ct_merge_context_msg(before, messages, ids, mask, logs)
                if episode.ended or len(metadata[0]) >= limit:
                    break
                ids, (mask, logs) = merged.token_ids, metadata
        tokens = {"prompt_ids": ids[: len(ids) - len(mask)], "response_ids": ids[-len(mask) :][:limit]}
        aligned = {"response_mask": mask[:limit], "response_logprobs": logs and logs[:limit], "reward_score": total}
        extra = {"turn_scores": [], "tool_rewards": []}
        return AgentLoopOutput(**tokens, **aligned, metrics={}, extra_fields=extra)
