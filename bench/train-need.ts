/**
 * Trains the classifier of src/text/need.ts and writes src/text/need-weights.ts.
 *
 *   npx tsx bench/train-need.ts [--rel DIR] [--sets DIR] [--cache FILE] [--report | --transfer] [--verbose]
 *
 * `--rel` is the folder of question–evidence pairs, `--sets` that of the bench sets (default: beside the bench). `--report` measures the
 * weights that are there and writes nothing; `--transfer` trains without the gate, admission and PrefEval sets and writes nothing: what the
 * classifier knows of messages of quite another source. `--cache` keeps the embeddings between runs.
 * Of the bench sets only what has an even index trains: texts that occur in an odd half too are left out. Odd halves are only measured.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openNodeModels } from '../src/models/node.ts'
import { need, NEED_FEATURES, needFeatures } from '../src/text/need.ts'
import { at } from '../scripts/layout.mjs'
import { benchRoot, readSet, type Chat, type Shapes } from './sets.ts'

const argument = (name: string) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)
const flag = (name: string) => process.argv.includes(name)
const setsDir = argument('--sets') ?? join(benchRoot(), 'sets')
const relDir = argument('--rel') ?? join(benchRoot(), '../rel')
const cacheFile = argument('--cache')

/** A small generator with a fixed seed: the same data every time. */
let seed = 20261130
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0
  return seed / 2 ** 32
}
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
const sample = <T>(list: readonly T[], n: number): T[] => {
  const rest = [...list]
  const out: T[] = []
  while (out.length < n && rest.length) out.push(rest.splice(Math.floor(random() * rest.length), 1)[0]!)
  return out
}
const unique = <T>(list: readonly T[]): T[] => [...new Set(list)]
const half = <T>(list: readonly T[], which: 0 | 1): T[] => list.filter((_, i) => i % 2 === which)

// ---------------------------------------------------------------- sets

const set = (name: string) => readSet(join(setsDir, `${name}.json.gz`))
const gate = set('gate') as Shapes['gate']
const ignore = (set('admission') as Shapes['admission']).ignore
const { personas } = set('drift-5x350') as Shapes['drift']
const prefQueries = (set('prefeval-all') as Chat[]).flatMap(chat => chat.queries.map(query => query.text))
// Every chat of the set is the same stretch of talk with another preference in front.
const distractors = unique(
  (set('prefeval-one') as Chat[]).flatMap(chat => chat.turns.filter(turn => turn.role === 'user' && turn.id !== 'pref').map(t => t.text)),
)
const probes = unique(personas.flatMap(persona => persona.probes.map(probe => probe.query))).sort()
const told = ['locomo', 'beam100k', 'memdaily'].map(name => ({ name, chats: set(name) as Chat[] }))

const measured = {
  needs: half(gate.needs, 1),
  needless: half(gate.needless, 1),
  prefQueries: half(prefQueries, 1),
  distractors: half(distractors, 1),
  probes: half(probes, 1),
  told: told.map(({ name, chats }) => ({
    name,
    texts: sample(
      half(chats, 1).flatMap(chat => chat.queries.map(q => q.text)),
      200,
    ),
  })),
}
const heldOut = new Set([...measured.needs, ...measured.needless, ...measured.prefQueries, ...half(ignore, 1), ...measured.distractors])

// ---------------------------------------------------------------- invented messages

const SLOTS: Record<string, string[]> = {
  lang: ['French', 'German', 'Spanish', 'Japanese', 'Portuguese', 'Italian', 'Polish', 'English', 'Chinese', 'Arabic'],
  code: ['Python', 'JavaScript', 'C++', 'Java', 'Rust', 'Go', 'SQL', 'bash', 'TypeScript', 'PHP', 'Kotlin', 'R', 'C#', 'Haskell'],
  task: [
    'reverses a linked list',
    'parses a CSV file',
    'sends an HTTP request',
    'sorts a list of dates',
    'counts the words of a file',
    'resizes an image',
    'checks whether a number is prime',
    'merges two dictionaries',
    'draws a maze',
    'reads a line from the terminal',
    'caches results on disk',
    'validates an e-mail address',
    'finds the shortest path in a graph',
  ],
  fix: [
    'a null pointer exception',
    'an off-by-one error',
    'a CORS error',
    'a type error',
    'a memory leak',
    'an infinite loop',
    'a merge conflict',
  ],
  topic: [
    'the French Revolution',
    'photosynthesis',
    'compound interest',
    'binary search',
    'black holes',
    'the Silk Road',
    'closures',
    'vaccines',
    'the offside rule',
    'plate tectonics',
    'supply and demand',
    'the water cycle',
    'blockchain',
    'quantum tunnelling',
    'the Treaty of Westphalia',
    'neural networks',
    'electric motors',
    'the fishing industry',
    'high-speed railways',
    'semiconductor makers',
  ],
  place: [
    'Norway',
    'Kenya',
    'Lisbon',
    'Japan',
    'Vienna',
    'Canada',
    'the Alps',
    'New Orleans',
    'Edinburgh',
    'Crete',
    'Seoul',
    'Peru',
    'Montreal',
  ],
  form: [
    'a poem',
    'an essay',
    'a short story',
    'a haiku',
    'a limerick',
    'a product description',
    'a press release',
    'a tweet',
    'a rap',
    'a speech',
  ],
  about: [
    'the sea',
    'a lonely robot',
    'autumn',
    'teamwork',
    'a dragon and a baker',
    'time travel',
    'a lighthouse',
    'an electric car',
    'the moon',
  ],
  thing: [
    'laptop',
    'tent',
    'coffee machine',
    'mattress',
    'camera',
    'bike',
    'vacuum cleaner',
    'phone',
    'desk chair',
    'jacket',
    'watch',
    'sofa',
    'car',
  ],
  media: [
    'book',
    'film',
    'series',
    'podcast',
    'album',
    'board game',
    'video game',
    'documentary',
    'novel',
    'playlist',
    'concert',
    'museum',
  ],
  meal: ['dinner', 'breakfast', 'lunch', 'a snack', 'a picnic', 'a birthday cake', 'a quick supper', 'a dessert', 'a barbecue', 'brunch'],
  hobby: [
    'gardening',
    'running',
    'pottery',
    'chess',
    'photography',
    'hiking',
    'swimming',
    'painting',
    'knitting',
    'the guitar',
    'yoga',
    'climbing',
  ],
  kin: [
    'wife',
    'husband',
    'sister',
    'son',
    'daughter',
    'mother',
    'father',
    'best friend',
    'boss',
    'partner',
    'brother-in-law',
    'kids',
    'dog',
    'cat',
  ],
  person: ['Nora', 'Felix', 'Amir', 'Yuki', 'Carla', 'Ben', 'Ines', 'Oskar', 'Lena', 'Ravi', 'Zoe', 'Paul'],
  when: ['tonight', 'this weekend', 'tomorrow', 'next month', 'on Friday', 'for the holidays', 'this summer', 'after work'],
  event: [
    'the wedding',
    'the job interview',
    'the operation',
    'the concert',
    'the trip',
    'the exam',
    'the move',
    'the school play',
    'the argument',
  ],
  word: ['ephemeral', 'nostalgia', 'serendipity', 'kiosk', 'window', 'algebra', 'salary', 'gregarious', 'their', 'whom'],
  field: ['marketing', 'data science', 'cooking', 'web design', 'economics', 'statistics', 'history', 'public speaking', 'a new language'],
  n: ['3', '5', '7', '10', '12', '20', '50', '100'],
  role: [
    'a pirate',
    'a Linux terminal',
    'a travel guide',
    'an interviewer',
    'a dungeon master',
    'a stand-up comedian',
    'Socrates',
    'a lawyer',
  ],
}

const NEEDS = [
  'Can you recommend a good {media}?',
  'Recommend me a {media} for {when}.',
  'What {media} should I pick {when}?',
  'Suggest a {media} I would like.',
  'Which {thing} should I buy?',
  "I'm looking for a new {thing}. Any suggestions?",
  'What are some good {thing} options for me?',
  'My {thing} is broken. What should I get instead?',
  'What should I cook {when}?',
  'Any ideas for {meal}?',
  'Give me some ideas for {meal} {when}.',
  'What can I make for {meal}?',
  "I'm hungry, what should I order?",
  'What are the best restaurants in {place}?',
  'Where should I eat in {place}?',
  'What are some fun things to do in {place}?',
  "I'm planning a trip to {place}. What should I see?",
  'Plan a weekend in {place} for us.',
  'Which hotel in {place} would suit me?',
  'Where should we go {when}?',
  'I have a free afternoon {when}. What could I do?',
  'What gift should I get for my {kin}?',
  'How should I tell my {kin} about {event}?',
  'What would my {kin} like to do {when}?',
  'Is {hobby} something for me?',
  'I want to take up {hobby}. How should I start?',
  'How can I get better at {hobby}?',
  'Which {hobby} class would you advise?',
  'What is a good way for me to learn {field}?',
  'I want to learn {field}. Which courses would you suggest?',
  'Should I take the new job?',
  'How should I invest my savings?',
  'How do I sleep better?',
  'Plan my week.',
  'Plan a {n}-day trip to {place}.',
  'Make an itinerary for {place}.',
  'Write a cover letter for me.',
  'Write a short bio of me.',
  'Write a toast for my {kin}.',
  'Explain {topic} with an example from my job.',
  'What is my login for the library?',
  "what's my shoe size",
  'My knee hurts. What could help?',
  'Which {thing} is best?',
  'give me a {n} minute workout',
  'Make me a training plan.',
  'Write a shopping list for my week.',
  'Draft a birthday card for my {kin}.',
  'Write an email to my boss about {event}.',
  'Put together a playlist for my run.',
  'Pick a colour for my bedroom.',
  'What should I wear to {event}?',
  'Which outfit would suit me for {event}?',
  'What are some healthy treats for my {kin}?',
  'What workouts would you recommend?',
  'How could I relax {when}?',
  'Help me choose a {thing}.',
  'Help me decide what to do about {event}.',
  'Find a dentist near me.',
  'Book a table for us {when}.',
  'What did I tell you about {event}?',
  'When is my appointment?',
  'When did I last see {person}?',
  'What does {person} do for a living?',
  'Where does my {kin} live?',
  'How did {event} go for {person}?',
  "What was {person}'s new hobby?",
  'Who came with {person} to {event}?',
  'When did {person} start {hobby}?',
  'What is my {kin} called?',
  'Where do I work?',
  'Which {thing} do I use?',
  'What do I usually have for breakfast?',
  'Do I like {hobby}?',
  'Am I allergic to anything?',
  'What was the plan we made for {event}?',
  'What do you know about me?',
  'How long have I been doing {hobby}?',
  'Remind me what {person} said about {event}.',
  'Summarise what I told you about {event}.',
  'How many times have I been to {place}?',
  'Set the alarm to my usual time.',
  'Turn the lights to the way I like them.',
  'Which of these would be better for me?',
  'What are some popular {media} recommendations this year?',
  'What are some top-rated {thing}s I should consider?',
  'Could you suggest activities for my {kin} {when}?',
  "I'm going to {place} {when} and need a {thing}. What would you suggest?",
  'What {thing} accessories would you recommend?',
  'Any {media} you think I would enjoy?',
  'Answer the way I prefer.',
  'Explain {topic} the way I like it.',
  'How should you answer me?',
  'How long should your replies to me be?',
  'Kannst du mir ein Buch für den Urlaub empfehlen?',
  'Was soll ich heute Abend kochen?',
  'Wo habe ich {person} kennengelernt?',
  'Welches Fahrrad passt zu mir?',
  'Wie heißt mein Zahnarzt?',
  'Wann hat meine Schwester Geburtstag?',
  '¿Qué restaurante me recomiendas en {place}?',
  '¿Qué debería regalarle a mi hermana?',
  '¿Dónde trabajo?',
  '¿Qué me pongo para la boda?',
  '¿Cómo se llama el perro de {person}?',
  'Que devrais-je faire ce week-end ?',
  'Quel vélo me conseillez-vous ?',
  "Où est-ce que j'habite ?",
  'Comment {person} a-t-elle trouvé le concert ?',
  '我周末应该做什么？',
  '推荐一家适合我的餐厅',
  '我妹妹的生日是哪天？',
  '我的同事叫什么名字？',
  '我上次去看牙医是什么时候？',
  '我表哥住在哪里？',
  '我应该买哪种手机？',
  '我参加的那个会议什么时候开始？',
]

const NEEDLESS = [
  'Write a {code} function that {task}.',
  'write {code} code which {task}',
  'how do i write a {code} program that {task}',
  'fix {fix} in this code',
  'How do I fix {fix} in {code}?',
  'Why does this {code} code throw {fix}?',
  'refactor this {code} class',
  'write {n} unit tests for it',
  'write {n} more',
  'give me {n} more examples',
  'convert this to {code}',
  'Port the function to {code}.',
  'add comments to the code',
  'make it shorter',
  'make it sound more formal',
  'more',
  'go on',
  'continue',
  'explain that again step by step',
  'show your reasoning',
  'are you sure?',
  'try again',
  'that is wrong, redo it',
  'what is the output of this program?',
  'what does this regex match?',
  'explain line {n}',
  'Which design pattern fits a class that {task}?',
  'how to install {code} on linux',
  'How do I declare a constant in {code}?',
  'how do i undo a commit',
  'How can I align text to the right in HTML?',
  'How do I write a loop in {code}?',
  'What does error code {n} mean?',
  'In {code}, how do I make a program that {task}?',
  'what is the time complexity of an algorithm that {task}',
  'write a dockerfile for a {code} service',
  'Only output the code, no explanation.',
  'Use only the standard library.',
  'Translate to {lang}: the meeting starts at nine.',
  'translate this into {lang}',
  'how do you say good evening in {lang}',
  "Is this sentence correct: She don't like tea.",
  'Correct the grammar: he go to school yesterday',
  'Fill in the blank: I have ____ apples than you.',
  'rewrite the paragraph in simple words',
  'Paraphrase this: the results were not what anyone had expected.',
  'Summarize the following article.',
  'summarise the text above in {n} bullet points',
  'give a title for this text',
  'synonyms for {word}',
  'another word for {word}',
  'what does {word} mean',
  'where does the word {word} come from',
  'use {word} in a sentence',
  'Write {form} about {about}.',
  'write me {form} about {about} in {n} lines',
  'generate {n} names for a company that sells {about}',
  'Write a slogan for a {thing} shop.',
  'Create a midjourney prompt for {about}.',
  'continue the story: the door opened and',
  'Act as {role}.',
  'I want you to act as {role}. Reply only with the output.',
  'You are {role}. Stay in character.',
  "let's play a guessing game, you start",
  'roll a dice {n} times',
  'Explain {topic}.',
  'explain {topic} like i am five',
  'What is {topic}?',
  'tell me about {topic}',
  'Write an essay on {topic}.',
  'compare {topic} and {topic}',
  'What are the main causes of {topic}?',
  'list {n} facts about {topic}',
  'List the leading companies in {topic}.',
  'pros and cons of {topic}',
  'Make a quiz with {n} questions on {topic}.',
  'Write a lesson plan about {topic}.',
  'create a table comparing {topic} with {topic}',
  'Discuss the history of {topic} in {n} words.',
  'how does {topic} work',
  'who invented {topic}',
  'What is the capital of {place}?',
  'how many people live in {place}',
  'show {place} on a map',
  'what time zone is {place} in',
  'What is {n} times {n}?',
  'solve 3x + {n} = 0',
  'Calculate the derivative of x^{n}.',
  'a train travels {n} km in 2 hours, how fast is it',
  'convert {n} miles to kilometres',
  'which is larger, 9.11 or 9.9',
  'what is the tallest building in the world',
  'how deep is the ocean',
  'Why is the sky blue?',
  'How do planes fly?',
  'what language model are you',
  'who made you',
  'what can you do',
  'hello',
  'hi there',
  'good morning!',
  'thanks',
  'thank you, that helps',
  'ok',
  'yes please',
  'test',
  'tell me a joke',
  'Tell me a riddle.',
  'Write a cover letter template.',
  'write an email template for a late delivery',
  'Draft a contract clause about {topic}.',
  'How is {form} structured?',
  'What is the plot of Hamlet?',
  'who wrote Don Quixote',
  'list all the {media}s by the same author',
  'Name {n} philosophers.',
  'What are the specs of the new {thing}?',
  'how is a {thing} made',
  'Schreibe ein Gedicht über {about}.',
  'Übersetze ins Englische: Der Zug fährt um neun ab.',
  'escribe un cuento corto sobre el mar',
  'traduce al inglés: el tren sale a las nueve',
  'corrige este texto',
  'écris un poème sur la lune',
  'explique la photosynthèse',
  'escreva um texto sobre energia solar',
  'Was ist die Hauptstadt von Kenia?',
  'Schreibe eine Funktion, die eine Liste sortiert.',
  'Fasse den folgenden Text zusammen.',
  'Danke!',
  'gracias',
  'merci beaucoup',
  '¿Cuál es la capital de Noruega?',
  'haz una tabla con los planetas',
  'résume ce texte en trois phrases',
  'quelle est la hauteur de la tour Eiffel',
  '谢谢',
  '你好',
  '继续',
  '光速是多少？',
  '写一首关于月亮的诗',
  '修改这段代码的错误',
  '写一个排序函数',
  '把这句话翻译成英文：火车九点出发。',
  '解释一下黑洞是什么',
]
const fill = (pattern: string) => pattern.replace(/\{(\w+)\}/g, (_, name: string) => pick(SLOTS[name]!))
const invented = (patterns: string[], times: number) =>
  unique(
    patterns
      .flatMap(pattern => Array.from({ length: pattern.includes('{') ? times : 1 }, () => fill(pattern)))
      .map(text => (random() < 0.25 ? text.toLowerCase() : text)),
  )

/** Work on a pasted text or pasted code, with the wish before it, behind it or left out. */
const ON_TEXT = [
  'Rewrite this:',
  'Translate to {lang}:',
  'Summarize:',
  'is this sentence correct',
  'Proofread the following text.',
  'other ways to say',
  'improve my text',
  'Make this grammatically correct:',
  'explain this',
  '',
]
const ON_CODE = [
  'fix this',
  'what does this code do?',
  'Refactor:',
  'suggestions to improve this?',
  'why is this wrong',
  'add a test for it',
  'convert to {code}',
  'how to implement this?',
  '',
]
const pasted = (wishes: string[], text: string) => {
  const wish = fill(pick(wishes))
  const gap = pick([' ', '\n', '\n\n'])
  return (random() < 0.7 ? wish + gap + text : text + gap + wish).trim()
}

// ---------------------------------------------------------------- examples

interface Example {
  text: string
  /** The wanted probability: 1 needs the person, 0 does not; between where the kind of message leaves it open. */
  y: number
  weight: number
}
const examples: Example[] = []
/** `mass` is what all texts of a group weigh together, in hundreds of examples. */
function add(texts: readonly string[], y: number, mass: number) {
  const kept = unique(texts.map(text => text.trim())).filter(text => text !== '' && !heldOut.has(text))
  for (const text of kept) examples.push({ text, y, weight: (100 * mass) / kept.length })
}

interface Row {
  q: string
  pos: string[]
  kind?: string
}
const rel = (name: string) => readSet(join(relDir, `${name}.jsonl.gz`)) as Row[]
const questions = (name: string, n: number, accept: (row: Row) => boolean = () => true) =>
  sample(
    unique(
      rel(name)
        .filter(accept)
        .map(r => r.q),
    ),
    n,
  )
/** A partner's question about oneself as one would ask it of a memory: "what do you do" → "what do I do". */
const aboutMe = (text: string) =>
  text
    .replace(/^(?:so|and|well|oh)[, ]+/i, '')
    .replace(/\bare you\b/gi, 'am I')
    .replace(/\byou(?:'re| are)\b/gi, 'I am')
    .replace(/\byou\b/gi, 'I')
    .replace(/\byours?\b/gi, 'my')

function collect() {
  const own = !flag('--transfer')
  add(
    [...rel('derived_persona_requests'), ...rel('derived_persona_cards')].map(row => row.q),
    1,
    2,
  )
  add(invented(NEEDS, 8), 1, 4)
  add(
    questions('laps_prefs', 300, row => row.kind === 'request_to_pref'),
    0.9,
    0.7,
  )
  add(
    questions('ikat_ptkb', 400, row => row.pos.length > 0),
    0.8,
    0.7,
  )
  add(questions('realmem', 150), 0.75, 0.3)
  add(questions('proactive_membench', 150), 0.7, 0.3)
  add(questions('madial_bench', 100), 0.6, 0.2)
  add(
    questions('conditionalqa', 150, row => /\b(?:I|my)\b/.test(row.q)),
    0.75,
    0.3,
  )
  add(
    questions('vehicle_membench', 300).map(text => /'([^']{12,}?)['’.]*$/.exec(text)?.[1] ?? ''),
    0.9,
    0.4,
  )
  add(questions('synthetic_persona_chat_qa', 500, row => /\byou/i.test(row.q) && row.q.includes('?')).map(aboutMe), 1, 1.2)
  for (const { name, chats } of told)
    add(
      sample(
        half(chats, 0).flatMap(chat => chat.queries.map(query => query.text)),
        200,
      ),
      name === 'beam100k' ? 0.75 : 0.65,
      name === 'memdaily' ? 1 : 0.7,
    )
  add(questions('friendsqa', 150), 0.6, 0.3)
  add(half(probes, 0), 1, 0.5)

  add(invented(NEEDLESS, 8), 0, 5)
  const sentences = sample(unique(rel('squad_nqg_sent').flatMap(row => row.pos)), 260)
  add(
    sentences.map(text => pasted(ON_TEXT, text)),
    0,
    1,
  )
  const personal = sample(unique(rel('personachat_grounding').flatMap(row => row.pos)), 120)
  add(
    personal.map(text =>
      pasted(
        random() < 0.4 ? ['Translate', 'How do you say', 'Rephrase', 'Correct'] : ON_TEXT.slice(0, -1),
        random() < 0.6 ? `"${text}"` : text,
      ),
    ),
    0,
    1,
  )
  const sources = ['fast-check/lib/fast-check.js', 'prettier/doc.mjs'].map(file =>
    readFileSync(at(`node_modules/${file}`), 'utf8').split('\n'),
  )
  const code = Array.from({ length: 160 }, () => {
    const lines = pick(sources)
    const from = Math.floor(random() * lines.length)
    return lines
      .slice(from, from + 1 + Math.floor(random() * 8))
      .join('\n')
      .slice(0, 500)
  })
  add(
    code.map(text => pasted(ON_CODE, random() < 0.3 ? `"""\n${text}\n"""` : text)),
    0,
    1,
  )
  // Questions on the world: a little below even, since a thing of that name may have been told about.
  add(
    ['squad_nqg_sent', 'qnli_dev', 'selqa', 'canard_quac'].flatMap(name => questions(name, 120)),
    0.35,
    0.6,
  )
  add(questions('qed_nq', 150), 0.2, 0.4)
  add(questions('trecqa_wang', 100), 0.25, 0.2)
  add(questions('strategyqa_facts', 200), 0.15, 0.4)
  add(questions('openbookqa_facts', 150), 0.1, 0.3)
  add(questions('squad_es_dev', 80), 0.35, 0.1)
  add(questions('cmrc2018', 100), 0.4, 0.1)

  if (own) {
    add([...half(gate.needs, 0), ...half(prefQueries, 0)], 1, 4)
    add([...half(gate.needless, 0), ...half(ignore, 0), ...half(distractors, 0)], 0, 4)
    // The rest of the noise is talk between friends: mostly nothing is asked.
    const known = new Set(distractors)
    const talk = personas.slice(0, 3).flatMap(persona => persona.turns.filter(turn => turn.act === 'noise' && !known.has(turn.text)))
    add(sample(unique(talk.map(turn => turn.text)), 200), 0.4, 0.3)
  }
}

// ---------------------------------------------------------------- embeddings

const models = await openNodeModels({ modelsDir: at('models'), roles: ['embedder'] })
const vectors = new Map<string, Float32Array>()
if (cacheFile && existsSync(cacheFile)) {
  const { stamp, keys } = JSON.parse(readFileSync(cacheFile, 'utf8')) as { stamp: string; keys: string[] }
  const bytes = readFileSync(`${cacheFile}.bin`)
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  if (stamp === models.vectorStamp) keys.forEach((key, i) => vectors.set(key, all.slice(i * 384, (i + 1) * 384)))
}

async function embedAll(texts: readonly string[]) {
  const missing = unique(texts)
    .filter(text => !vectors.has(text))
    .sort((a, b) => a.length - b.length)
  for (let i = 0; i < missing.length; i += 64) {
    const batch = missing.slice(i, i + 64)
    const made = await models.embed(batch, 'query')
    batch.forEach((text, j) => vectors.set(text, made[j]!))
    if (i % 640 === 0) console.error(`  embedded ${i} of ${missing.length}`)
  }
  if (missing.length === 0 || !cacheFile) return
  const keys = [...vectors.keys()]
  const all = new Float32Array(keys.length * 384)
  keys.forEach((key, i) => all.set(vectors.get(key)!, i * 384))
  writeFileSync(cacheFile, JSON.stringify({ stamp: models.vectorStamp, keys }))
  writeFileSync(`${cacheFile}.bin`, Buffer.from(all.buffer))
}

// ---------------------------------------------------------------- training

/** Logistic regression with L2 by Adam over all examples, both sides brought to the same weight; rounded to 8 bits. */
function train(): { weights: Int8Array; scale: number } {
  const rows = examples.map(e => needFeatures(e.text, vectors.get(e.text)!))
  const mass = (side: (y: number) => number) => examples.reduce((sum, e) => sum + e.weight * side(e.y), 0)
  const yes = mass(y => y)
  const no = mass(y => 1 - y)
  const w = new Float64Array(NEED_FEATURES)
  const m = new Float64Array(NEED_FEATURES)
  const v = new Float64Array(NEED_FEATURES)
  const g = new Float64Array(NEED_FEATURES)
  const l2 = Number(argument('--l2') ?? 0.002)
  const steps = Number(argument('--steps') ?? 400)
  for (let step = 1; step <= steps; step++) {
    let loss = 0
    for (let k = 0; k < w.length; k++) g[k] = k === 0 ? 0 : l2 * w[k]!
    rows.forEach((x, i) => {
      const { y, weight } = examples[i]!
      let s = 0
      for (let k = 0; k < w.length; k++) s += w[k]! * x[k]!
      const p = 1 / (1 + Math.exp(-s))
      const forYes = (weight * y) / (2 * yes)
      const forNo = (weight * (1 - y)) / (2 * no)
      loss -= forYes * Math.log(p + 1e-12) + forNo * Math.log(1 - p + 1e-12)
      const slope = forNo * p - forYes * (1 - p)
      for (let k = 0; k < w.length; k++) g[k]! += slope * x[k]!
    })
    const rate = 0.03 * (1 - (step - 1) / steps)
    for (let k = 0; k < w.length; k++) {
      m[k] = 0.9 * m[k]! + 0.1 * g[k]!
      v[k] = 0.999 * v[k]! + 0.001 * g[k]! * g[k]!
      w[k]! -= (rate * (m[k]! / (1 - 0.9 ** step))) / (Math.sqrt(v[k]! / (1 - 0.999 ** step)) + 1e-10)
    }
    if (step % 100 === 0) console.error(`  step ${step}, loss ${loss.toFixed(4)}`)
  }
  const scale = w.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
  return { weights: Int8Array.from(w, value => Math.round(value / scale)), scale }
}

// ---------------------------------------------------------------- report

type Score = (text: string) => number

const format = (value: number) => value.toFixed(2).padStart(6)
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1)

function separation(name: string, wanted: string[], unwanted: string[], score: Score) {
  const above = wanted.map(score)
  const below = unwanted.map(score).sort((a, b) => b - a)
  const wins = above.reduce((sum, a) => sum + below.reduce((n, b) => n + (a > b ? 1 : a === b ? 0.5 : 0), 0), 0)
  const threshold = below[Math.floor(0.03 * below.length)]!
  const share = (t: number) => above.filter(value => value > t).length / above.length
  const zero = below.filter(value => value > 0).length / below.length
  console.log(
    `${name.padEnd(44)} n ${wanted.length}/${unwanted.length}  AUC ${(wins / (above.length * below.length)).toFixed(4)}  ` +
      `at 3 % (log-odds ${threshold.toFixed(2)}): ${(100 * share(threshold)).toFixed(1)} %  at 0: ${(100 * share(0)).toFixed(1)} % / ${(100 * zero).toFixed(1)} %  ` +
      `mean ${mean(above).toFixed(2)} / ${mean(below).toFixed(2)}`,
  )
  if (!flag('--verbose')) return
  for (const text of [...unwanted].sort((a, b) => score(b) - score(a)).slice(0, 14))
    console.log(`    ${format(score(text))} - ${text.slice(0, 110).replace(/\n/g, '⏎')}`)
  for (const text of [...wanted].sort((a, b) => score(a) - score(b)).slice(0, 14))
    console.log(`    ${format(score(text))} + ${text.slice(0, 110).replace(/\n/g, '⏎')}`)
}

function spreadOf(name: string, texts: string[], score: Score) {
  const scores = texts.map(score).sort((a, b) => a - b)
  const at = (q: number) => format(scores[Math.floor(q * (scores.length - 1))]!)
  console.log(
    `${name.padEnd(44)} n ${texts.length}  mean ${format(mean(scores))}  10 %/50 %/90 % ${at(0.1)} ${at(0.5)} ${at(0.9)}  ` +
      `≥ 0: ${((100 * scores.filter(s => s >= 0).length) / scores.length).toFixed(1)} %  > −1: ${((100 * scores.filter(s => s > -1).length) / scores.length).toFixed(1)} %`,
  )
  if (!flag('--verbose')) return
  for (const text of [...texts].sort((a, b) => score(a) - score(b)).slice(0, 8))
    console.log(`    ${format(score(text))}   ${text.slice(0, 110).replace(/\n/g, '⏎')}`)
}

async function report(score: Score) {
  const all = flag('--transfer')
  const groups = {
    needs: all ? gate.needs : measured.needs,
    needless: all ? gate.needless : measured.needless,
    prefQueries: all ? prefQueries : measured.prefQueries,
    distractors: all ? distractors : measured.distractors,
  }
  await embedAll([...Object.values(groups).flat(), ...measured.probes, ...measured.told.flatMap(t => t.texts)])
  const which = all ? 'all' : 'odd half'
  separation(`gate, ${which}`, groups.needs, groups.needless, score)
  separation(`PrefEval queries / its talk's turns, ${which}`, groups.prefQueries, groups.distractors, score)
  for (const { name, texts } of measured.told) spreadOf(`${name} queries, odd half`, texts, score)
  spreadOf('drift probes, odd half', measured.probes, score)
}

if (flag('--report')) await report(text => need(text, vectors.get(text)))
else {
  collect()
  console.error(`${examples.length} messages`)
  await embedAll(examples.map(e => e.text))
  const { weights, scale } = train()
  if (!flag('--transfer')) {
    const base64 = Buffer.from(weights.buffer).toString('base64')
    const made = `/** Made by bench/train-need.ts; do not edit. ${NEED_FEATURES} features, 8 bits each. */\n\nexport const NEED_SCALE = ${scale.toPrecision(6)}\n// prettier-ignore\nexport const NEED_WEIGHTS =\n  '${base64}'\n`
    writeFileSync(at('src/text/need-weights.ts'), made)
  }
  await report(text => {
    const x = needFeatures(text, vectors.get(text)!)
    return scale * x.reduce((sum, value, k) => sum + value * weights[k]!, 0)
  })
}
await models.dispose()
