"""Runs the built graphs on the CPU, for the manifest's references and the proof."""

import os

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

from common import MODELS

START = 0


def session(path):
    return onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider'])


def padded(rows, kind=np.int64):
    out = np.zeros((len(rows), max(map(len, rows))), kind)
    for k, row in enumerate(rows):
        out[k, : len(row)] = row
    return out


class Encoder:
    """A graph over token ids; texts or pairs in, the first output out, all in one batch."""

    def __init__(self, graph, tokenizer, longest=512):
        self.session = session(graph)
        self.names = {i.name for i in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def __call__(self, items):
        encoded = self.tokenizer.encode_batch([tuple(item) if isinstance(item, list) else item for item in items])
        feed = {
            'input_ids': padded([e.ids for e in encoded]),
            'attention_mask': padded([e.attention_mask for e in encoded]),
            'token_type_ids': padded([e.type_ids for e in encoded]),
        }
        return self.session.run(None, {name: value for name, value in feed.items() if name in self.names})[0]


def built(role, name='model.onnx'):
    return os.path.join(MODELS, role, name)


def Embedder(role='embedder'):
    return Encoder(built(role), built(role, 'tokenizer.json'))


def CrossEncoder(role):
    return Encoder(built(role), built(role, 'tokenizer.json'))


class Scorer:
    """Pairs (context, query) in one batch; summed and single log-probabilities of the query's tokens."""

    def __init__(self):
        self.session = session(built('lm'))
        self.tokenizer = Tokenizer.from_file(built('lm', 'tokenizer.json'))
        self.empty = [i for i in self.session.get_inputs() if i.name.startswith('past_key_values.')]

    def ids(self, context, query):
        return [START] + self.tokenizer.encode(context.strip() + '\n').ids, self.tokenizer.encode(query.strip()).ids

    def __call__(self, pairs):
        encoded = [self.ids(*pair) for pair in pairs]
        feed = {
            'input_ids': padded([a + b for a, b in encoded]),
            'attention_mask': padded([[1] * len(a + b) for a, b in encoded]),
            'target_positions': padded([range(len(a) - 1, len(a + b) - 1) for a, b in encoded]),
            'target_ids': padded([b for _, b in encoded]),
            'target_mask': padded([[1] * len(b) for _, b in encoded], np.float32),
        }
        feed.update({i.name: np.zeros((len(pairs), i.shape[1], 0, i.shape[3]), np.float32) for i in self.empty})
        return self.session.run(['logprob', 'token_logprobs'], feed)
