/** Writes the smallest ONNX graph there is to test with: row i of a table for token i. What it answers can be worked out by hand. */

const int64 = 7
const float = 1
const float16 = 10

type Field = readonly [number: number, value: number | string | Uint8Array | readonly Field[]]

function message(fields: readonly Field[]): Uint8Array {
  const bytes: number[] = []
  const varint = (value: number) => {
    for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128)
    bytes.push(value)
  }
  for (const [number, value] of fields) {
    if (typeof value === 'number') {
      varint(number << 3)
      varint(value)
    } else {
      const content =
        typeof value === 'string'
          ? new TextEncoder().encode(value)
          : value instanceof Uint8Array
            ? value
            : message(value as readonly Field[])
      varint((number << 3) | 2)
      varint(content.length)
      for (const byte of content) bytes.push(byte)
    }
  }
  return Uint8Array.from(bytes)
}

function value(name: string, type: number, shape: readonly (string | number)[]): readonly Field[] {
  const dims = shape.map((dim): Field => [1, [typeof dim === 'number' ? [1, dim] : [2, dim]]])
  return [
    [1, name],
    [
      2,
      [
        [
          1,
          [
            [1, type],
            [2, dims],
          ],
        ],
      ],
    ],
  ]
}

/**
 * `output` [batch, tokens, width] = table[input_ids]; with `cache`, the key-value cache of one layer comes out as it went in; with `half`, the table and
 * what is looked up in it are of half precision, for numbers ≥ 0.
 */
export function tableGraph(
  output: string,
  table: readonly (readonly number[])[],
  cache?: { heads: number; size: number },
  half = false,
): Uint8Array<ArrayBuffer> {
  const width = table[0]!.length
  const raw = new Uint8Array((half ? Uint16Array.from(table.flat(), toHalf) : Float32Array.from(table.flat())).buffer)
  const kinds = cache ? ['key', 'value'] : []
  const kv = (name: string) => value(name, float, ['batch', cache!.heads, 'past', cache!.size])
  const graph: Field[] = [
    [
      1,
      [
        [1, 'table'],
        [1, 'input_ids'],
        [2, half ? 'found' : output],
        [4, 'Gather'],
      ],
    ],
    ...(half
      ? [
          [
            1,
            [
              [1, 'found'],
              [2, output],
              [4, 'Cast'],
              [
                5,
                [
                  [1, 'to'],
                  [3, float],
                  [20, 2],
                ],
              ],
            ],
          ] as Field,
        ]
      : []),
    ...kinds.map((kind): Field => [
      1,
      [
        [1, `past_key_values.0.${kind}`],
        [2, `present.0.${kind}`],
        [4, 'Identity'],
      ],
    ]),
    [2, 'table'],
    [
      5,
      [
        [1, table.length],
        [1, width],
        [2, half ? float16 : float],
        [8, 'table'],
        [9, raw],
      ],
    ],
    [11, value('input_ids', int64, ['batch', 'tokens'])],
    [11, value('attention_mask', int64, ['batch', 'all'])],
    ...(cache ? [[11, value('position_ids', int64, ['batch', 'tokens'])] as Field] : []),
    ...kinds.map((kind): Field => [11, kv(`past_key_values.0.${kind}`)]),
    [12, value(output, float, ['batch', 'tokens', width])],
    ...kinds.map((kind): Field => [12, kv(`present.0.${kind}`)]),
  ]
  return new Uint8Array(
    message([
      [1, 8],
      [7, graph],
      [
        8,
        [
          [1, ''],
          [2, 17],
        ],
      ],
    ]),
  )
}

function toHalf(value: number): number {
  if (value === 0) return 0
  const exponent = Math.floor(Math.log2(value))
  return ((exponent + 15) << 10) | Math.round((value / 2 ** exponent - 1) * 1024)
}
