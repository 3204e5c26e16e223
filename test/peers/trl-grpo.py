"""
Trains with TRL's GRPOTrainer, unchanged, for three steps in `math`, by the environment of the Python package.

The model is a very small Qwen3 with random weights and a tokenizer of the dialogues' own words. It is first trained to
submit an answer by a tool call: for each task, the expert's answer and a wrong one, so that a group has both. It is run by
hand, because torch has more than a gigabyte:

  pip install trl==1.16.0 accelerate datasets jmespath torch && pip install openapi/python
  PALESTRA_LOCAL_EXPERT=true palestra serve
  python test/peers/trl-grpo.py http://127.0.0.1:8700

It prints one line of JSON for each step. It fails unless in each step tools are called, rewards of a group differ, and the
gradient is not zero.
"""

import json
import sys
import tempfile
import urllib.request
from pathlib import Path

import torch
import trl
from datasets import Dataset
from palestra.trl import environment
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM
from trl import GRPOConfig, GRPOTrainer

[gym] = sys.argv[1:]
tasks = [0, 1, 2]
question = "Solve. "
thinking = {"enable_thinking": True}


def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{gym}/v1{path}", data, {"content-type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return json.load(reply)


def begun(index):
    return call("/episodes", {"environment": "math", "task": {"split": "easy", "index": index}})


def answer_of(index):
    """Returns the answer that the expert submits."""
    path = f"/episodes/{begun(index)['episodeId']}"
    for at in range(20):
        action = call(f"{path}/expert")["action"]
        if action.startswith("submit "):
            return action.removeprefix("submit ")
        call(f"{path}/step", {"index": at, "action": action})
    sys.exit("expected an answer of the expert within 20 steps")


def messages_of(index, answer):
    """Returns the conversation of a play that submits an answer at once, as GRPOTrainer writes it."""
    episode = begun(index)
    step = call(f"/episodes/{episode['episodeId']}/step", {"index": 0, "action": f"submit {answer}"})
    submit = {"type": "function", "function": {"name": "submit", "arguments": {"answer": answer}}}
    return [
        {"role": "user", "content": question + episode["observation"]},
        {"role": "assistant", "content": "", "tool_calls": [submit]},
        {"role": "tool", "name": "submit", "content": step["observation"]},
        {"role": "assistant", "content": "Done."},
    ]


def tokenizer_of(texts):
    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer, bare.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    marks = ["<|im_start|>", "<|im_end|>"]
    letters = pre_tokenizers.ByteLevel.alphabet()
    bare.train_from_iterator(
        texts, trainers.BpeTrainer(vocab_size=1_000, special_tokens=marks, initial_alphabet=letters, show_progress=False)
    )
    return PreTrainedTokenizerFast(tokenizer_object=bare, eos_token="<|im_end|>", pad_token="<|im_end|>")


def small_model(tokenizer):
    torch.manual_seed(1)
    size = {"hidden_size": 96, "intermediate_size": 192, "num_hidden_layers": 2, "head_dim": 32}
    heads = {"num_attention_heads": 4, "num_key_value_heads": 2, "tie_word_embeddings": True}
    return Qwen3ForCausalLM(Qwen3Config(vocab_size=len(tokenizer), max_position_embeddings=4096, **size, **heads))


def labelled(tokenizer, tools, messages):
    """Returns the tokens of a conversation, and those of the assistant's messages at their places."""

    def ids(part, **more):
        text = tokenizer.apply_chat_template(part, tools=tools, tokenize=False, **thinking, **more)
        return tokenizer(text, add_special_tokens=False).input_ids

    whole = ids(messages)
    labels = [-100] * len(whole)
    for at, message in enumerate(messages):
        if message["role"] == "assistant":
            start = len(ids(messages[:at], add_generation_prompt=True))
            # The template ends a message with a line break, which the model does not write.
            end = len(ids(messages[: at + 1])) - 1
            labels[start:end] = whole[start:end]
    return torch.tensor(whole), torch.tensor(labels)


def imitate(model, examples, steps=250):
    """Trains the model on the assistant's messages, on all plays in each step."""
    pad = torch.nn.utils.rnn.pad_sequence
    ids = pad([ids for ids, _ in examples], batch_first=True)
    labels = pad([labels for _, labels in examples], batch_first=True, padding_value=-100)[:, 1:]
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0.02, total_iters=steps)
    for step in range(steps):
        # Logits of the replies alone: those of the prompts would take most of the time.
        hidden = model.model(input_ids=ids).last_hidden_state[:, :-1][labels >= 0]
        loss = torch.nn.functional.cross_entropy(model.lm_head(hidden), labels[labels >= 0])
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 10 == 9:
            print(f"imitation: step {step + 1}, loss {loss.item():.3f}", file=sys.stderr)


factory = environment(gym, "math")
own = factory()
tools = [own.calculate, own.submit]
answers = {index: answer_of(index) for index in tasks}
plays = [messages_of(index, answer) for index in tasks for answer in (answers[index], str(int(answers[index]) + 1))]
templates = Path(trl.__file__).parent / "chat_templates"
# GRPOTrainer keeps the thoughts of earlier turns, as this template does, but knows the model by its other template.
training = (templates / "qwen3_training.jinja").read_text()
texts = tokenizer_of([]).apply_chat_template(plays, tools=tools, tokenize=False, chat_template=training, **thinking)
tokenizer = tokenizer_of(texts)
tokenizer.chat_template = training
model = small_model(tokenizer)
imitate(model, [labelled(tokenizer, tools, play) for play in plays])
tokenizer.chat_template = (templates / "qwen3.jinja").read_text()
folder = tempfile.mkdtemp()
model.save_pretrained(folder)
tokenizer.save_pretrained(folder)

rows = [{"prompt": [{"role": "user", "content": question}], "split": "easy", "index": index} for index in tasks * 4]
settings = {"per_device_train_batch_size": 12, "num_generations": 4, "max_completion_length": 200, "learning_rate": 1e-4}
quiet = {"report_to": "none", "logging_steps": 1, "save_strategy": "no", "use_cpu": True, "bf16": False}
trainer = GRPOTrainer(
    model=folder,
    args=GRPOConfig(output_dir=folder, max_steps=3, chat_template_kwargs=thinking, **settings, **quiet),
    processing_class=tokenizer,
    environment_factory=factory,
    train_dataset=Dataset.from_list(rows),
)
trainer.train()
names = ("reward", "reward_std", "tools/call_frequency", "tools/failure_frequency", "grad_norm", "num_tokens")
steps = [{name: float(entry[name]) for name in names} for entry in trainer.state.log_history if "reward" in entry]
for at, step in enumerate(steps):
    print(json.dumps({"step": at + 1, **step}))
if len(steps) < 3 or not all(step[name] > 0 for step in steps for name in ("reward_std", "grad_norm", "tools/call_frequency")):
    sys.exit("expected three steps with tool calls, rewards that differ and a gradient")
