"""What both trainings share: reading rows, padding pairs, and a timed loop with warm-up and linear decay."""

import gzip
import json
import os
import time

import numpy as np
import torch
from tokenizers import Tokenizer
from transformers import BertConfig, BertForSequenceClassification


def rows(folder, source):
    with gzip.open(os.path.join(folder, source + '.jsonl.gz'), 'rt') as file:
        return [json.loads(line) for line in file]


def pair_tokenizer(path, longest):
    tokenizer = Tokenizer.from_file(path)
    tokenizer.enable_truncation(longest, strategy='longest_first')
    tokenizer.no_padding()
    return tokenizer


def padded(encodings):
    longest = max(len(e.ids) for e in encodings)

    def table(field):
        return torch.tensor([list(getattr(e, field)) + [0] * (longest - len(e.ids)) for e in encodings])

    return {'input_ids': table('ids'), 'token_type_ids': table('type_ids'), 'attention_mask': table('attention_mask')}


def classifier(backbone, layers, **head):
    """A fresh head on a pretrained encoder (weights under BertModel's names); the word embeddings stay as they are."""
    shape = {'hidden_size': 384, 'num_hidden_layers': layers, 'num_attention_heads': 12, 'intermediate_size': 1536}
    model = BertForSequenceClassification(BertConfig(**shape, **head))
    model.bert.load_state_dict(backbone, strict=False)
    return model


def train(model, batches, loss_of, out, minutes, rate, warm_up):
    """Takes batches (endless) until the time is over; saves half precision weights to the folder."""
    model.bert.embeddings.word_embeddings.weight.requires_grad = False
    learned = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {'params': [p for p in learned if p.ndim > 1], 'weight_decay': 0.01},
        {'params': [p for p in learned if p.ndim < 2], 'weight_decay': 0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=rate, betas=(0.9, 0.98))
    model.train()
    start, recent = time.time(), []
    for step, batch in enumerate(batches):
        spent = (time.time() - start) / (60 * minutes)
        if spent >= 1:
            break
        for group in optimizer.param_groups:
            group['lr'] = rate * min(1, step / warm_up) * max(0.02, 1 - spent)
        loss = loss_of(model, batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        recent.append(loss.item())
        if step % 100 == 99:
            print(f'step {step + 1}, {spent:.0%} of the time, loss {np.mean(recent[-100:]):.4f}', flush=True)
    model.half().save_pretrained(out)
