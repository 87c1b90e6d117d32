"""Evidence cross-encoder (query, memory): one logit, does the memory bear on it?   python models/build/evidence.py WEIGHTS_FOLDER"""

import sys

from bert import cross_encoder

if __name__ == '__main__':
    cross_encoder('evidence', sys.argv[1], layers=6, labels=1)
