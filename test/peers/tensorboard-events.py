"""Records test/fixtures/trainer/tensorboard.json: what TensorBoard itself reads in event files of the trainer.

    node --import tsx test/peers/tensorboard-events.ts FOLDER && python test/peers/tensorboard-events.py FOLDER

With CPython 3.11 and the package tensorboard.
"""

import base64
import json
import sys
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

OUT = Path(__file__).resolve().parent.parent / "fixtures" / "trainer" / "tensorboard.json"


def values(histogram):
    names = ["min", "max", "num", "sum", "sum_squares", "bucket_limit", "bucket"]
    return [getattr(histogram, name) for name in names]


def main():
    folder = Path(sys.argv[1])
    reader = EventAccumulator(str(folder), size_guidance={"scalars": 0, "histograms": 0})
    reader.Reload()
    tags = reader.Tags()
    read = {
        "scalars": {tag: [[e.wall_time, e.step, e.value] for e in reader.Scalars(tag)] for tag in tags["scalars"]},
        "histograms": {
            tag: [[e.wall_time, e.step, *values(e.histogram_value)] for e in reader.Histograms(tag)]
            for tag in tags["histograms"]
        },
        "files": [base64.b64encode(path.read_bytes()).decode() for path in sorted(folder.iterdir())],
    }
    OUT.write_text(json.dumps(read, indent=1) + "\n")
    print(json.dumps({key: read[key] for key in ("scalars", "histograms")}))


if __name__ == "__main__":
    main()
