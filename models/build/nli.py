"""3-way NLI cross-encoder (premise: what was just said; hypothesis: the belief).   python models/build/nli.py WEIGHTS_FOLDER"""

import sys

from bert import cross_encoder

if __name__ == '__main__':
    cross_encoder('nli', sys.argv[1], layers=12, labels=3)
