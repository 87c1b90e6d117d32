"""Fine-tunes one causal language model as controller and reader together, on the records of `trainingRecords(await memory.export())`.

    python models/build/train/joint.py MODEL RECORDS.jsonl OUT --epochs 3

MODEL is a folder with a model and its tokenizer in the form of transformers, such as SmolLM2-135M-Instruct. Each record is a chat; the loss counts
the tokens of its last message only: the controller's JSON (its negatives are records with "trigger": false), or the reader's answer. Both tasks share
all weights, so that each learns from the other, as in Memory Retrieval for Changing Preferences. The records hold a person's words: train where they
may be, and treat what comes out as private too.
"""

import argparse
import json
import random

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

IGNORED = -100


def example(tokenizer, messages, longest):
    """Ids and labels; what is too long loses its beginning, never the answer."""
    prompt = tokenizer.apply_chat_template(messages[:-1], tokenize=False, add_generation_prompt=True)
    whole = tokenizer.apply_chat_template(messages, tokenize=False)
    before = tokenizer(prompt, add_special_tokens=False)['input_ids']
    answer = tokenizer(whole[len(prompt) :], add_special_tokens=False)['input_ids']
    ids = (before + answer)[-longest:]
    return ids, ([IGNORED] * len(before) + answer)[-longest:]


def padded(batch, pad):
    width = max(len(ids) for ids, _ in batch)
    ids = torch.tensor([ids + [pad] * (width - len(ids)) for ids, _ in batch])
    labels = torch.tensor([labels + [IGNORED] * (width - len(labels)) for _, labels in batch])
    mask = torch.tensor([[1] * len(ids) + [0] * (width - len(ids)) for ids, _ in batch])
    return {'input_ids': ids, 'attention_mask': mask, 'labels': labels}


def balanced(records, chance):
    """As many closed gates as open ones: without negatives the controller would always recall, with too many never."""
    shut = [r for r in records if r['task'] == 'controller' and '"trigger":false' in r['messages'][-1]['content']]
    opened = [r for r in records if r['task'] == 'controller' and r not in shut]
    few = min(len(shut), len(opened)) or max(len(shut), len(opened))
    kept = chance.sample(shut, min(few, len(shut))) + chance.sample(opened, min(few, len(opened)))
    return kept + [r for r in records if r['task'] == 'reader']


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('model')
    parser.add_argument('records')
    parser.add_argument('out')
    parser.add_argument('--epochs', type=int, default=3)
    parser.add_argument('--rate', type=float, default=2e-5)
    parser.add_argument('--batch', type=int, default=8)
    parser.add_argument('--longest', type=int, default=1024)
    options = parser.parse_args()

    chance = random.Random(1)
    torch.manual_seed(1)
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    model = AutoModelForCausalLM.from_pretrained(options.model)
    with open(options.records) as file:
        records = balanced([json.loads(line) for line in file], chance)
    examples = [example(tokenizer, record['messages'], options.longest) for record in records]
    pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    optimizer = torch.optim.AdamW(model.parameters(), lr=options.rate, weight_decay=0.01)

    model.train()
    for epoch in range(options.epochs):
        chance.shuffle(examples)
        total = 0.0
        for start in range(0, len(examples), options.batch):
            batch = examples[start : start + options.batch]
            loss = model(**padded(batch, pad)).loss
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            optimizer.zero_grad()
            total += loss.item() * len(batch)
        print(f'epoch {epoch + 1}: loss {total / len(examples):.3f} on {len(examples)} records')
    model.save_pretrained(options.out)
    tokenizer.save_pretrained(options.out)


if __name__ == '__main__':
    main()
