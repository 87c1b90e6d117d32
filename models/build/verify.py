"""Proves the built graphs equal to their sources.

    python models/build/verify.py --texts FILE --nli WEIGHTS_FOLDER --evidence WEIGHTS_FOLDER

FILE is JSON: {"sentences": [text], "chinese": [text], "nli": [[premise, hypothesis]], "evidence": [[query, memory]], "lm": [[context, query]]}.
Ends with an error if a figure misses its bound.
"""

import argparse
import functools
import json
import os
import sys
import tempfile

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from scipy.stats import spearmanr
from transformers import AutoModelForCausalLM, BertForSequenceClassification

import embedder
import embedder_zh
import lm
from run import CrossEncoder, Embedder, Encoder, Scorer, built

BATCH = 16


def batches(run, items):
    return np.concatenate([run(items[k : k + BATCH]) for k in range(0, len(items), BATCH)])


def report(what, n, figure, least):
    passed = figure >= least
    print(f'{what}: {figure:.5f} (n = {n}, at least {least}) {"ok" if passed else "FAILED"}', flush=True)
    return passed


def embedder_figure(sentences):
    model, _ = embedder.source()
    with tempfile.NamedTemporaryFile(suffix='.onnx') as file:
        file.write(model)
        file.flush()
        hidden = [Encoder(file.name, built('embedder', 'tokenizer.json'))([sentence])[0, 0] for sentence in sentences]
    source = np.array([row / np.linalg.norm(row) for row in hidden])
    cosines = (source * batches(Embedder(), sentences)).sum(1)
    print(f'embedder: lowest cosine {cosines.min():.5f}')
    return report('embedder, mean cosine with fp32', len(sentences), cosines.mean(), 0.995)


def chinese_figure(sentences):
    """The source is projected in fp32 by the graph's own matrix: what the projection itself leaves out is measured by retrieval (models/README.md)."""
    graph = onnx.load(built('embedder-zh')).graph
    kept = next(numpy_helper.to_array(i) for i in graph.initializer if i.name == 'projection')
    source = embedder_zh.source_vectors(*embedder_zh.source(), sentences) @ kept
    source /= np.linalg.norm(source, axis=1, keepdims=True)
    cosines = (source * batches(Embedder('embedder-zh'), sentences)).sum(1)
    print(f'embedder-zh: lowest cosine {cosines.min():.5f}')
    return report('embedder-zh, mean cosine with fp32', len(sentences), cosines.mean(), 0.995)


def source_logits(folder, pairs, tokenizer):
    model = BertForSequenceClassification.from_pretrained(folder, dtype=torch.float32).eval()
    logits = []
    for pair in pairs:
        encoded = tokenizer.encode(*pair)
        with torch.no_grad():
            given = model(input_ids=torch.tensor([encoded.ids]), token_type_ids=torch.tensor([encoded.type_ids]))
        logits.append(given.logits[0].numpy())
    return np.array(logits)


def cross_encoder_figures(role, folder, pairs):
    encoder = CrossEncoder(role)
    ours, theirs = batches(encoder, pairs), source_logits(folder, pairs, encoder.tokenizer)
    print(f'{role}: mean difference of a logit {np.abs(ours - theirs).mean():.4f}, largest {np.abs(ours - theirs).max():.4f}')
    if ours.shape[1] == 1:
        return report(f'{role}, rank correlation with fp32', len(pairs), spearmanr(ours[:, 0], theirs[:, 0]).statistic, 0.99)
    return report(f'{role}, same label as fp32', len(pairs), (ours.argmax(1) == theirs.argmax(1)).mean(), 0.97)


def source_saliences(scorer, pairs):
    with tempfile.TemporaryDirectory() as folder:
        path = lm.source(folder)
        model = AutoModelForCausalLM.from_pretrained(os.path.dirname(path), gguf_file=os.path.basename(path), dtype=torch.float32).eval()

    @functools.cache
    def logprob(context, query):
        before, after = scorer.ids(context, query)
        with torch.no_grad():
            scores = model(torch.tensor([before + after])).logits[0, len(before) - 1 : -1].log_softmax(-1)
        return scores[torch.arange(len(after)), torch.tensor(after)].sum().item()

    return np.array([logprob(*pair) - logprob('', pair[1]) for pair in pairs])


def lm_figure(pairs):
    scorer = Scorer()
    both = [batches(lambda some: scorer(some)[0], some) for some in (pairs, [['', query] for _, query in pairs])]
    ours, theirs = both[0] - both[1], source_saliences(scorer, pairs)
    print(f'lm: mean difference of Sal_q {np.abs(ours - theirs).mean():.4f} (standard deviation of Sal_q {theirs.std():.2f})')
    return report('lm, correlation of Sal_q with the source weights in fp32', len(pairs), np.corrcoef(ours, theirs)[0, 1], 0.99)


def main():
    parser = argparse.ArgumentParser()
    for name in ('texts', 'nli', 'evidence'):
        parser.add_argument('--' + name, required=True)
    given = parser.parse_args()
    with open(given.texts) as file:
        texts = json.load(file)
    passed = [embedder_figure(texts['sentences']), chinese_figure(texts['chinese'])]
    passed += [cross_encoder_figures(role, getattr(given, role), texts[role]) for role in ('nli', 'evidence')]
    passed.append(lm_figure(texts['lm']))
    sys.exit(0 if all(passed) else 1)


if __name__ == '__main__':
    main()
