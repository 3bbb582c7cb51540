"""Train a built-in parser on a treebank; ten to forty minutes.

    python -m tools.parser.train TREEBANKS en [--evaluate]

The encoder stays frozen; its middle layers are read once. Prints one JSON line with the result. With
--evaluate the tool trains nothing and measures the file in assets/models on the treebank's dev part.
"""

from __future__ import annotations

import json
import math
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from core.backends.encoder.transformer import TransformerEncoder
from core.backends.parser.benepar import Head, HeadConfig, new_parser, save_head, shipped_path
from tools.parser.evaluation import evaluate
from tools.parser.features import Features, make_features
from tools.parser.loss import Spans, best_trees, hinge_loss, span_scores, square
from tools.parser.trees import CHAIN, Agreement, Tree, known_chain, label_chains, read_trees

RATE, DECAY, WARM_UP, CLIP = 1e-3, 0.01, 100, 5.0
D_MODEL = {"en": 512, "ja": 384}
BATCH = {"en": 16, "ja": 24}
DROPOUT = {"en": 0.25, "ja": 0.2}

Moments = tuple[NDArray[np.float32], NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the treebank with its features and, by label number, its spans."""

    trees: list[Tree]
    features: Features
    gold: list[Spans]

    def batch(self, rows: Sequence[int], moments: Moments) -> tuple[torch.Tensor, torch.Tensor, list[int]]:
        """Standardised features padded with zeros, the mask of the words, and the lengths."""
        lengths = [len(self.trees[row].words) for row in rows]
        mean, std = moments
        values = np.zeros((len(rows), max(lengths) + 2, len(mean)), np.float32)
        for place, row in enumerate(rows):
            values[place, : lengths[place] + 2] = (self.features[row].astype(np.float32) - mean) / std
        valid = np.arange(max(lengths) + 2)[None] < np.array(lengths)[:, None] + 2
        return torch.from_numpy(values), torch.from_numpy(valid), lengths


def batches(part: Part, size: int, random: np.random.Generator | None) -> Iterator[list[int]]:
    """Batches of rows of similar length; in random order with a generator."""
    noise = random.random(len(part.trees)) * 4 if random else np.zeros(len(part.trees))
    order = np.argsort([len(tree.words) for tree in part.trees] + noise, kind="stable")
    groups = [order[start : start + size].tolist() for start in range(0, len(order), size)]
    if random:
        random.shuffle(groups)
    yield from groups


def dev_score(parser: torch.nn.Module, part: Part, labels: Sequence[str], moments: Moments) -> Agreement:
    """F1 of the parser in training, with the features and decoder of the training."""
    parser.eval()
    agreement = Agreement()
    for rows in batches(part, 24, None):
        values, valid, lengths = part.batch(rows, moments)
        with torch.inference_mode():
            scores = square(span_scores(parser, values, valid), max(lengths))
        for row, spans in zip(rows, best_trees(scores, lengths), strict=True):
            found = [
                (start, last + 1, label)
                for start, last, chain in spans
                if chain
                for label in labels[chain - 1].split(CHAIN)
            ]
            agreement.add(part.trees[row].brackets, found)
    parser.train()
    return agreement


def train(
    parser: torch.nn.Module, part: Part, dev: Part, config: HeadConfig, args: Namespace, moments: Moments
) -> list[float]:
    """Run the epochs; returns the dev F1 after each epoch."""
    size = args.batch or BATCH[args.lang]
    steps = args.epochs * math.ceil(len(part.trees) / size)
    optimizer = torch.optim.AdamW(parser.parameters(), lr=RATE, betas=(0.9, 0.98), weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min(1, step / WARM_UP) * (0.02 + 0.98 * (1 + math.cos(math.pi * step / steps)) / 2),
    )
    random = np.random.default_rng(args.seed)
    curve, began = [], time.monotonic()
    for epoch in range(args.epochs):
        lost = 0.0
        for rows in batches(part, size, random):
            values, valid, lengths = part.batch(rows, moments)
            scores = span_scores(parser, values, valid)
            loss = hinge_loss(scores, max(lengths), [part.gold[row] for row in rows], lengths) / len(rows)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parser.parameters(), CLIP)
            optimizer.step()
            schedule.step()
            lost += loss.item() * len(rows)
        curve.append(dev_score(parser, dev, config.labels, moments).f1)
        told = f"loss {lost / len(part.trees):.3f}, dev {curve[-1]}, {time.monotonic() - began:.0f} s"
        print(f"epoch {epoch + 1}: {told}", flush=True)
    return curve


def numbered(trees: Sequence[Tree], labels: Sequence[str]) -> list[Spans]:
    """Each tree's spans with the numbers of the labels that the head has for them."""
    numbers = {label: index + 1 for index, label in enumerate(labels)} | {"": 0}
    chains = {chain: numbers[known_chain(chain, labels)] for tree in trees for _, _, chain in tree.chains}
    return [[(s, e - 1, chains[c]) for s, e, c in tree.chains if chains[c]] for tree in trees]


def chosen_trees(args: Namespace) -> dict[str, list[Tree]]:
    """The trees of the training part (or a sample of them) and of the dev part."""
    trees = {part: read_trees(args.treebanks, args.lang, part) for part in ("train", "dev")}
    if args.sentences:
        order = np.random.default_rng(args.seed).permutation(len(trees["train"]))
        trees["train"] = [trees["train"][index] for index in order[: args.sentences]]
    return trees


def run(args: Namespace) -> dict[str, object]:
    """Train and write one head."""
    began = time.monotonic()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    encoder = TransformerEncoder("embedded")
    trees = chosen_trees(args)
    config = HeadConfig(
        lang=args.lang,
        encoder=encoder.fingerprint,
        layers=tuple(map(int, args.layers.split(","))),
        labels=label_chains(trees["train"]),
        d_model=args.d_model or D_MODEL[args.lang],
        num_layers=args.num_layers,
    )
    with tempfile.TemporaryDirectory() as folder:
        parts = {}
        for name, part in trees.items():
            features = make_features(part, encoder, config.layers, Path(folder) / f"{name}.npy")
            parts[name] = Part(part, features, numbered(part, config.labels))
        print(f"features after {time.monotonic() - began:.0f} s", flush=True)
        moments = parts["train"].features.moments(args.seed)
        parser = new_parser(config, len(moments[0]), dropout=args.dropout or DROPOUT[args.lang])
        curve = train(parser.train(), parts["train"], parts["dev"], config, args, moments)
    state = {name: value.detach().numpy() for name, value in parser.state_dict().items()}
    args.out.parent.mkdir(parents=True, exist_ok=True)
    save_head(Head(config, *moments, state), args.out)
    return {
        "lang": args.lang,
        "sentences": len(trees["train"]),
        "seed": args.seed,
        "epochs": args.epochs,
        "dev_f1": curve[-1],
        "minutes": round((time.monotonic() - began) / 60, 1),
        "megabytes": round(args.out.stat().st_size / 1e6, 2),
    }


def main() -> None:
    """Read the command line."""
    options = ArgumentParser(description=__doc__)
    options.add_argument("treebanks", type=Path, help="the folder that holds the treebanks")
    options.add_argument("lang", choices=("en", "ja"))
    options.add_argument("--evaluate", action="store_true", help="measure the finished file; train nothing")
    options.add_argument("--out", type=Path, help="default: assets/models")
    options.add_argument("--epochs", type=int, default=15)
    options.add_argument("--layers", default="3,4,6,7,8,9")
    options.add_argument("--d-model", type=int)
    options.add_argument("--num-layers", type=int, default=2)
    options.add_argument("--batch", type=int)
    options.add_argument("--dropout", type=float)
    options.add_argument("--sentences", type=int, help="train on this many sentences only")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=1)
    args = options.parse_args()
    args.out = args.out or shipped_path(args.lang)
    done = evaluate(args.treebanks, args.lang, args.out) if args.evaluate else run(args)
    print(json.dumps(done))


if __name__ == "__main__":
    main()
