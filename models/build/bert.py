"""A BERT encoder as an ONNX graph, from plain weights under their Hugging Face names."""

import os

import numpy as np
from onnx import numpy_helper
from safetensors.numpy import load_file

from common import FLOAT, INT64, Graph, out_folder, write_tokenizer

MASKED = -1e4
SMALLEST = 1e-12


class Rows:
    """Activations as bytes (zero point 128) with one scale a token, so that a result never depends on what else is in the batch."""

    def __init__(self, g, x, width):
        flat = g.reshape(x, -1, width)
        low, high = (g.op(kind, flat, g.ints(1), keepdims=0) for kind in ('ReduceMin', 'ReduceMax'))
        scale = g.op('Mul', g.op('Max', high, g.op('Neg', low), g.number(SMALLEST)), g.number(1 / 127))
        middle = g.op('ConstantOfShape', g.op('Shape', scale), value=numpy_helper.from_array(np.array([128], np.uint8)))
        self.bytes = g.op('QuantizeLinear', flat, scale, middle, axis=0)
        self.scale = g.op('Unsqueeze', scale, g.ints(1))
        self.shape = g.op('Concat', g.op('Slice', g.op('Shape', x), g.ints(0), g.ints(2)), g.ints(-1), axis=0)


def linear(g, rows, weight, bias, name):
    """x · weightᵀ (+ bias) with signed bytes for weights, one scale an output channel."""
    scale = np.abs(weight).max(1) / 127
    quants = np.rint(weight / scale[:, None]).astype(np.int8)
    zero, middle = g.constant(np.array(0, np.int8)), g.constant(np.array(128, np.uint8))
    product = g.op('MatMulInteger', rows.bytes, g.constant(quants.T, name + '.weight'), middle, zero)
    channels = g.op('Mul', g.op('Cast', product, to=FLOAT), g.constant(scale.astype(np.float32), name + '.scale'))
    y = g.op('Reshape', g.op('Mul', channels, rows.scale), rows.shape)
    return y if bias is None else g.op('Add', y, g.constant(bias, name + '.bias'))


def table(g, ids, rows, name):
    """Rows of an embedding table, stored as bytes with one scale a row."""
    scale = np.abs(rows).max(1, keepdims=True) / 127
    scale = np.maximum(scale, SMALLEST)
    q = np.rint(rows / scale) + 128
    row = g.op('Cast', g.op('Gather', g.constant(q.astype(np.uint8), name), ids), to=FLOAT)
    return g.op('Mul', g.op('Sub', row, g.number(128)), g.op('Gather', g.constant(scale.astype(np.float32), name + '.scale'), ids))


def encoder(g, weights, layers, pairs, heads=12):
    """Hidden state of the first token, [B, 1, width]. The last layer is worked out for that token only.

    weights: name to array, as in BertModel's state dictionary. pairs: whether token_type_ids is an input (otherwise all 0).
    """
    w = weights
    ids = g.input('input_ids', INT64, ['batch', 'tokens'])
    mask = g.input('attention_mask', INT64, ['batch', 'tokens'])
    positions = w['embeddings.position_embeddings.weight']
    types = w['embeddings.token_type_embeddings.weight']
    length = g.op('Slice', g.op('Shape', ids), g.ints(1), g.ints(2))
    if not pairs:
        positions = positions + types[0]
    position = g.op('Slice', g.constant(positions, 'positions'), g.ints(0), length, g.ints(0))
    x = g.op('Add', table(g, ids, w['embeddings.word_embeddings.weight'], 'words'), position)
    if pairs:
        x = g.op('Add', x, g.op('Gather', g.constant(types, 'types'), g.input('token_type_ids', INT64, ['batch', 'tokens'])))
    norm = [g.constant(w[f'embeddings.LayerNorm.{p}'], f'embeddings.norm.{p}') for p in ('weight', 'bias')]
    x = g.op('LayerNormalization', x, *norm, epsilon=1e-12)
    hidden = g.op('Cast', g.reshape(mask, 0, 1, 1, -1), to=FLOAT)
    bias = g.op('Mul', g.op('Sub', g.number(1), hidden), g.number(MASKED))
    width = positions.shape[1]
    size = width // heads

    def weight_of(layer, *parts):
        prefix = f'encoder.layer.{layer}.'
        return [np.concatenate([w[f'{prefix}{part}.{kind}'] for part in parts]) for kind in ('weight', 'bias')]

    def by_head(value, transposed=False):
        return g.op('Transpose', g.reshape(value, 0, 0, heads, size), perm=[0, 2, 3, 1] if transposed else [0, 2, 1, 3])

    def residual(value, added, added_bias, layer, norm):
        gamma, beta = (g.constant(w[f'encoder.layer.{layer}.{norm}.{p}'], f'layer.{layer}.{norm}.{p}') for p in ('weight', 'bias'))
        added_bias = g.constant(added_bias, f'layer.{layer}.{norm}.added')
        return g.op('SkipLayerNormalization', added, value, gamma, beta, added_bias, epsilon=1e-12)

    for layer in range(layers):
        name = f'layer.{layer}.'
        parts = [weight_of(layer, f'attention.self.{part}') for part in ('query', 'key', 'value')]
        parts[0] = [a / np.sqrt(size).astype(np.float32) for a in parts[0]]
        rows = Rows(g, x, width)
        if layer < layers - 1:
            joined = [np.concatenate(arrays) for arrays in zip(*parts)]
            q, k, v = g.op('Split', linear(g, rows, *joined, name + 'qkv'), g.ints(width, width, width), axis=2, outputs=3)
        else:
            joined = [np.concatenate(arrays) for arrays in zip(*parts[1:])]
            k, v = g.op('Split', linear(g, rows, *joined, name + 'kv'), g.ints(width, width), axis=2, outputs=2)
            x = g.op('Slice', x, g.ints(0), g.ints(1), g.ints(1))
            q = linear(g, Rows(g, x, width), *parts[0], name + 'q')
        scores = g.op('Add', g.op('MatMul', by_head(q), by_head(k, True)), bias)
        mixed = g.op('MatMul', g.op('Softmax', scores, axis=-1), by_head(v))
        mixed = g.reshape(g.op('Transpose', mixed, perm=[0, 2, 1, 3]), 0, 0, width)
        out, out_bias = weight_of(layer, 'attention.output.dense')
        x = residual(x, linear(g, Rows(g, mixed, width), out, None, name + 'attention'), out_bias, layer, 'attention.output.LayerNorm')
        inner = g.op('Gelu', linear(g, Rows(g, x, width), *weight_of(layer, 'intermediate.dense'), name + 'up'))
        out, out_bias = weight_of(layer, 'output.dense')
        x = residual(x, linear(g, Rows(g, inner, out.shape[1]), out, None, name + 'down'), out_bias, layer, 'output.LayerNorm')
    return x


def classifier(g, first, weights):
    """BertForSequenceClassification's pooler and head on the first token: logits [B, labels]."""

    def dense(x, name):
        weight, bias = (g.constant(weights[f'{name}.{part}'], f'{name}.{part}') for part in ('weight', 'bias'))
        return g.op('Gemm', x, weight, bias, transB=1)

    pooled = g.op('Tanh', dense(g.op('Squeeze', first, g.ints(1)), 'bert.pooler.dense'))
    return dense(pooled, 'classifier')


def cross_encoder(role, folder, layers, labels):
    """Builds models/<role> from a folder with model.safetensors (BertForSequenceClassification) and tokenizer.json."""
    stored = {k: v.astype(np.float32) for k, v in load_file(os.path.join(folder, 'model.safetensors')).items()}
    bare = {k.removeprefix('bert.'): v for k, v in stored.items()}
    g = Graph()
    g.output(classifier(g, encoder(g, bare, layers, pairs=True), stored), 'logits', FLOAT, ['batch', labels])
    out = out_folder(role)
    g.save(os.path.join(out, 'model.onnx'))
    with open(os.path.join(folder, 'tokenizer.json'), 'rb') as file:
        write_tokenizer(role, file.read())
