"""
Trains with TRL's GRPOTrainer, unchanged, for three steps in TextCraft, by the environment of the Python package.

The model is a very small Qwen3 with random weights, which is first trained to make the expert's tool calls. It is run by
hand, because torch has more than a gigabyte:

  pip install trl==1.16.0 accelerate datasets jmespath torch && pip install openapi/python
  PALESTRA_LOCAL_EXPERT=true palestra serve
  python test/peers/trl-grpo.py http://127.0.0.1:8700 TOKENIZER

TOKENIZER is a folder with the tokenizer of a model with the tokens <|im_start|> and <|im_end|>, such as SmolLM2 or Qwen. It
prints one line of JSON for each step, with the rewards and the tool calls, and fails if no tool was called.
"""

import json
import re
import sys
import tempfile
import urllib.request
from pathlib import Path

import torch
import trl
from datasets import Dataset
from palestra.trl import environment
from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

gym, tokenizer_folder = sys.argv[1:3]
tasks = [0, 1, 3]
question = "Craft the goal."


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{gym}/v1{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def tool_call(action):
    verb, count, item, ingredients = re.fullmatch(r"(get|craft) (\d+) (.*?)(?: using (.*))?", action).groups()
    more = {} if ingredients is None else {"ingredients": ingredients.split(", ")}
    return {"type": "function", "function": {"name": verb, "arguments": {"count": int(count), "item": item, **more}}}


def expert_messages(index):
    """Returns the conversation of the expert's play, as GRPOTrainer writes it."""
    episode = call("/episodes", {"environment": "textcraft", "task": {"split": "train", "index": index}})
    path = f"/episodes/{episode['episodeId']}"
    messages = [{"role": "user", "content": question + episode["observation"]}]
    step = {"terminated": False}
    for at in range(20):
        if step["terminated"]:
            break
        action = call(f"{path}/expert")["action"]
        step = call(f"{path}/step", {"index": at, "action": action})
        messages.append({"role": "assistant", "content": "", "tool_calls": [tool_call(action)]})
        messages.append({"role": "tool", "name": action.split()[0], "content": step["observation"]})
    return [*messages, {"role": "assistant", "content": "Done."}]


def small_model(tokenizer):
    torch.manual_seed(1)
    size = {"hidden_size": 96, "intermediate_size": 192, "num_hidden_layers": 2, "head_dim": 32}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": True}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), max_position_embeddings=4096, **size, **heads))


def imitate(model, tokenizer, tools, epochs=100):
    """Trains the model on the assistant's messages of the expert."""
    plays = [expert_messages(index) for index in tasks]
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0.02, total_iters=epochs * len(plays))
    for epoch in range(epochs):
        for messages in plays:
            optimizer.zero_grad()
            for at, message in enumerate(messages):
                if message["role"] == "assistant":
                    loss_of(model, tokenizer, tools, messages[: at + 1]).backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
        print(f"imitation: epoch {epoch}", file=sys.stderr)


def loss_of(model, tokenizer, tools, messages):
    def ids(part, **more):
        text = tokenizer.apply_chat_template(part, tools=tools, tokenize=False, enable_thinking=True, **more)
        return tokenizer(text, add_special_tokens=False, return_tensors="pt").input_ids

    prompt = ids(messages[:-1], add_generation_prompt=True)
    # The template ends a conversation with a line break, which the model does not write.
    whole = ids(messages)[:, :-1]
    given = prompt.shape[1]
    # Logits of the reply alone: those of the whole prompt would take most of the time.
    hidden = model.model(input_ids=whole).last_hidden_state[0, given - 1 : -1]
    return torch.nn.functional.cross_entropy(model.lm_head(hidden), whole[0, given:])


factory = environment(gym, "textcraft")
tokenizer = AutoTokenizer.from_pretrained(tokenizer_folder)
templates = Path(trl.__file__).parent / "chat_templates"
# GRPOTrainer keeps the thoughts of earlier turns, as this template does, but knows the model by its other template.
tokenizer.chat_template = (templates / "qwen3_training.jinja").read_text()
tokenizer.eos_token = tokenizer.pad_token = "<|im_end|>"
model = small_model(tokenizer)
own = factory()
tools = [getattr(own, name) for name in ("get", "craft", "inventory")]
imitate(model, tokenizer, tools)
tokenizer.chat_template = (templates / "qwen3.jinja").read_text()
folder = tempfile.mkdtemp()
model.save_pretrained(folder)
tokenizer.save_pretrained(folder)

rows = [{"prompt": [{"role": "user", "content": question}], "split": "train", "index": index} for index in tasks * 4]
settings = {"per_device_train_batch_size": 12, "num_generations": 4, "max_completion_length": 400, "learning_rate": 1e-4}
quiet = {"report_to": "none", "logging_steps": 1, "save_strategy": "no", "use_cpu": True, "bf16": False}
trainer = GRPOTrainer(
    model=folder,
    args=GRPOConfig(output_dir=folder, max_steps=3, chat_template_kwargs={"enable_thinking": True}, **settings, **quiet),
    processing_class=tokenizer,
    environment_factory=factory,
    train_dataset=Dataset.from_list(rows),
)
trainer.train()
names = ("reward", "reward_std", "tools/call_frequency", "tools/failure_frequency", "grad_norm", "num_tokens")
steps = [{name: entry[name] for name in names if name in entry} for entry in trainer.state.log_history if "reward" in entry]
for at, step in enumerate(steps):
    print(json.dumps({"step": at + 1, **step}))
if not any(float(step["tools/call_frequency"]) > 0 for step in steps):
    sys.exit("expected tool calls")
