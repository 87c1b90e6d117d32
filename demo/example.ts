/** From coffee to tea, after the worked example of PreCoMem: a habit, a first hint, growing evidence, a clear change, a question. */
export const example = [
  'I like drinking coffee.',
  'I had another americano this morning, I really enjoy coffee.',
  'Today I tried green tea and it felt good on my stomach.',
  'I enjoy drinking tea.',
  'I like tea more and more.',
  'I have completely given up coffee, from now on I only drink tea.',
  'What do I like to drink?',
] as const
