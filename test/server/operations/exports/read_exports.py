"""Reads exported files with the readers of Inspect and Harbor, and prints what they found as JSON.

Usage: read_exports.py LOG.eval TRAJECTORY.json...
"""

import json
import sys
from datetime import datetime

from harbor.models.trajectories.trajectory import Trajectory
from inspect_ai.log import read_eval_log, read_eval_log_sample, read_eval_log_sample_summaries

path, *trajectories = sys.argv[1:]
log = read_eval_log(path)
header = read_eval_log(path, header_only=True)
summaries = read_eval_log_sample_summaries(path)
one = read_eval_log_sample(path, id=summaries[0].id)


def ms(time):
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def read(path):
    with open(path) as file:
        return Trajectory.model_validate_json(file.read())


print(
    json.dumps(
        {
            "header": {
                "status": header.status,
                "task": header.eval.task,
                "samples": header.samples,
                "times": [ms(time) for time in (header.stats.started_at, header.stats.completed_at) if time],
                "results": {
                    score.name: {name: metric.value for name, metric in score.metrics.items()}
                    for score in header.results.scores
                },
            },
            "summaries": [
                {"id": s.id, "input": s.input, "scores": {k: v.value for k, v in s.scores.items()}, "count": s.message_count, "limit": s.limit, "times": [*(ms(time) for time in (s.started_at, s.completed_at) if time), s.total_time]}
                for s in summaries
            ],
            "samples": [
                {
                    "id": s.id,
                    "metadata": s.metadata,
                    "scores": {k: v.value for k, v in s.scores.items()},
                    "messages": [[m.role, m.text, sum(c.type == "image" for c in m.content_list)] for m in s.messages],
                    "completion": s.output.completion,
                }
                for s in log.samples
            ],
            "one": one.id,
            "trajectories": [
                {
                    "steps": [[s.source, s.message] for s in t.steps],
                    "times": [ms(s.timestamp) for s in t.steps],
                    "pictures": t.has_multimodal_content(),
                    "return": t.final_metrics.extra["return"],
                }
                for t in map(read, trajectories)
            ],
        }
    )
)
