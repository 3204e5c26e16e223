"""What the drivers share. A driver prints one line of JSON: for each task its return, or the name of its error."""

import json
import os

tasks = json.loads(os.environ["TASKS"])
model_url = os.environ["MODEL_URL"]
chat_url = f"{model_url}/chat/completions"


def report(outcomes):
    print(json.dumps([type(each).__name__ if isinstance(each, BaseException) else each for each in outcomes]))
