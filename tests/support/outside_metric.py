"""A small metric of somebody else, as a program: the share of the hypothesis's letters that it saw before.

`python outside_metric.py WAY`: how it behaves.
"""

import json
import os
import subprocess
import sys
import time

way = sys.argv[1]


def say(line):
    sys.stdout.write(f"{line}\n")


if way == "leaves":  # a helper that goes on
    helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
    with open(sys.argv[2], "w") as file:
        file.write(str(helper.pid))
pairs = [json.loads(line) for line in sys.stdin]
if way == "few":
    pairs = pairs[1:]
while way == "flood":
    say("0.5 " * 1000)
for number, pair in enumerate(pairs):
    if way == "crash" and number == 2:
        sys.stderr.write("Traceback …\nMemoryError: no room for the model\n")
        sys.stdout.flush()
        sys.stdout.write("0.12")  # torn
        sys.stdout.flush()
        os._exit(3)
    if way == "slow" and number == 1:
        sys.stdout.flush()
        time.sleep(60)
    seen = pair.get("reference", pair.get("source", ""))
    score = sum(letter in seen for letter in pair["hypothesis"]) / max(len(pair["hypothesis"]), 1)
    if way == "objects":
        say(json.dumps({"score": score, "length": len(pair["hypothesis"]), "note": "no number"}))
    elif way == "environment":
        say(json.dumps({"score": 0, **dict.fromkeys(os.environ, 1)}))
    elif way == "odd":
        say(["None", "nan", "a text", '{"missing": "too long"}', "[1]", "7"][number % 6])
    elif way == "fields":
        say(json.dumps({"score": len(pair), "source": float("source" in pair)}))
    else:
        say(score)
