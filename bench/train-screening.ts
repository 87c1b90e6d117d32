/**
 * Trains the classifier of src/text/classifier.ts and writes src/text/screening-weights.ts.
 *
 *   npx tsx bench/train-screening.ts [--cache DIR] [--report]
 *
 * `--report` measures the weights that are there and writes nothing. `--cache` keeps the embeddings between runs.
 * Data: the pairs beside the bench (../shared/rel, ../shared/nli), sentences invented below, and of the bench sets the halves for development:
 * admission and world facts with an even index, drift personas 0–2, BEAM conversations with an even index. The other halves are only measured.
 */

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLASSES, FEATURES, features, KEPT, type StatementClass } from '../src/text/classifier.ts'
import { language, propositions, screen, screenByRule, type Proposition } from '../src/text/index.ts'
import { KEEP_THRESHOLD } from '../src/text/screening.ts'
import { openNodeModels } from '../src/models/node.ts'
import { at } from '../scripts/layout.mjs'
import { benchRoot, readSet, type Chat, type Shapes } from './sets.ts'

const argument = (name: string) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined)
const reportOnly = process.argv.includes('--report')
const cacheDir = argument('--cache')

// ---------------------------------------------------------------- invented sentences

/** A small generator with a fixed seed: the same data every time. */
let seed = 20261130
/** The draw from the data does not depend on how many sentences are invented, so that cached embeddings stay of use. */
const DATA_SEED = 3541841804
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

// prettier-ignore
const SLOTS: Record<string, string[]> = {
  food: [
    'sushi', 'lasagne', 'ramen', 'oatmeal', 'lentil soup', 'sourdough', 'pancakes', 'curry', 'a burrito', 'muesli', 'tofu', 'blue cheese',
    'olives',
  ],
  drink: [
    'oolong', 'chamomile tea', 'a flat white', 'cold brew', 'matcha', 'orange juice', 'kombucha', 'cider', 'rooibos', 'an espresso',
    'oat milk', 'goat milk', 'soda water',
  ],
  sport: [
    'cycling', 'climbing', 'pilates', 'badminton', 'judo', 'tennis', 'jogging', 'fencing', 'yoga', 'ice skating', 'football', 'kayaking',
  ],
  city: ['Lyon', 'Osaka', 'Boston', 'Leeds', 'Porto', 'Austin', 'Ghent', 'Oslo', 'Vienna', 'Toronto', 'Graz', 'Seoul'],
  person: ['Nora', 'Felix', 'Amir', 'Yuki', 'Carla', 'Ben', 'Ines', 'Oskar', 'Lena', 'Ravi', 'Zoe', 'Paul'],
  kin: [
    'wife', 'husband', 'sister', 'brother', 'son', 'daughter', 'mother', 'father', 'girlfriend', 'boyfriend', 'boss', 'roommate',
    'cousin', 'neighbour',
  ],
  job: [
    'nurse', 'carpenter', 'teacher', 'data analyst', 'baker', 'lawyer', 'bus driver', 'translator', 'plumber', 'designer', 'vet',
    'chemist',
  ],
  day: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
  thing: [
    'a Pixel', 'an iPad', 'a Kindle', 'a MacBook', 'a Nikon', 'a Toyota', 'an e-bike', 'a Dell', 'a Garmin', 'a mirrorless camera',
    'a desktop PC', 'a Samsung tablet', 'a scooter', 'a dash cam',
  ],
  genre: [
    'crime novels', 'memoirs', 'science fiction', 'jazz', 'horror films', 'podcasts', 'manga', 'history books', 'techno', 'short stories',
    'essays',
  ],
  place: [
    'school', 'the Hillside school', 'Greenfield kindergarten', 'the Bristol branch', 'the office in Turin', 'the lab',
    'the Leeds office', 'the library',
  ],
  time: ['six in the morning', 'midnight', 'ten at night', 'half past nine', 'two in the morning', 'five thirty'],
  money: ['an index fund', 'government bonds', 'a pension plan', 'shares', 'a fixed deposit', 'property', 'silver', 'crypto'],
  style: [
    'short sentences', 'numbered lists', 'plain English', 'a formal tone', 'French', 'one paragraph', 'metric units', 'simple words',
    'long explanations', 'code only', 'tables', 'bullet points',
  ],
  goal: ['a 10k', 'a triathlon', 'a half marathon', 'ten pull-ups', 'the language exam', 'a sub-four marathon', 'a hundred miles a week'],
  pet: ['a beagle', 'two cats', 'a parrot', 'a hamster', 'a greyhound', 'goldfish', 'a pony'],
  animal: ['dog', 'cat', 'rabbit', 'parrot', 'horse'],
  topic: [
    'the French Revolution', 'photosynthesis', 'compound interest', 'binary search', 'black holes', 'the Silk Road',
    'JavaScript closures', 'vaccines', 'sonnets', 'the offside rule',
  ],
  state: [
    'vegan', 'vegetarian', 'diabetic', 'coeliac', 'lactose intolerant', 'colour-blind', 'pregnant', 'retired', 'divorced',
    'a single parent', 'a night owl', 'Muslim', 'self-employed', 'hard of hearing', 'in my fifties', 'new to {city}',
  ],
  country: ['Norway', 'Kenya', 'Peru', 'Japan', 'Austria', 'Canada', 'Portugal'],
}
const fill = (pattern: string): string => pattern.replace(/\{(\w+)\}/g, (_, name: string) => fill(pick(SLOTS[name]!)))

// prettier-ignore
const INVENTED: Record<StatementClass, string[]> = {
  self: [
    "I'm {state}.", 'I am {state}.', 'My {kin} is {state}.', 'I like {food}.', 'I hate {food}.', 'I really love {genre}.',
    'My favourite drink is {drink}.', 'I prefer {drink} to {drink}.', 'I live in {city}.', "I'm a {job}.", 'I work as a {job} in {city}.',
    'My {kin} is called {person}.', 'My {kin} lives in {city}.', 'I have {pet}.', 'We have {pet} at home.', 'I use {thing} for work.',
    'My phone is {thing}.', 'I drive {thing}.', 'I go {sport} every {day}.', '{day} is my day for {sport}.', 'I train for {goal}.',
    'My goal is {goal}.', 'I go to bed at {time}.', 'I get up at {time}.', 'I keep my money in {money}.', 'My savings are in {money}.',
    'I mostly read {genre}.', 'I listen to {genre} a lot.', 'My {kin} goes to {place}.', 'I work at {place}.', "I'm allergic to {food}.",
    "I can't eat {food}.", "I don't drink {drink}.", 'I never eat {food}.', 'I speak Dutch and a little Korean.', "I'm 34 years old.",
    'My birthday is on 4 May.', 'I grew up in {city}.', 'I moved to {city} last year.', 'I just moved from {city} to {city}.',
    'I quit {sport}, I do {sport} now.', 'No more {drink} for me, {drink} from now on.', "I've switched from {drink} to {drink}.",
    'I gave up {food} for good.', "I don't do {sport} any more.", 'I sold {thing} and got {thing}.', 'I changed jobs, I am a {job} now.',
    'We broke up last week.', 'I got married in June.', 'My {kin} died last month.', 'I lost my job.', 'I started learning the cello.',
    "I'm moving to {city} in spring.", 'I have an exam on {day}.', "I'm vegan.", 'I have asthma.', "I'm training to become a {job}.",
    'I share a flat with {person}.', '{person} is my {kin}.', '{person} moved out, I live with {person} now.',
    'Our office moved from {city} to {city}.', 'For me it is always {drink}.', "I can't start the day without {drink}.",
    'Each evening ends with {drink} for me.', 'My {kin} and I run a small shop.', 'I own a house near {city}.', 'I am afraid of flying.',
    "I'm not a fan of {genre}.", 'I avoid {food} because of my stomach.', 'i live in {city}', 'i like {food}', 'my name is {person}',
    'i have {pet}', "i'm a {job}", 'i love {sport}', 'i hate {food}', 'My budget is 400 euros.', 'My flight to {city} leaves on {day}.',
    'I prefer working with {style}.', "I've decided to go with {thing}.", "I've never used {thing}.", "I've never been to {city}.",
    'I finished the first draft of my thesis.', 'My deadline moved to {day}.', 'I earn about 50,000 a year.',
    'The meeting with my {kin} is on {day} now.', 'My {animal} is nine years old.', "I'm left-handed.", 'I wear size 42 shoes.',
    'I commute by train.', "I've been playing the piano for ten years.", 'My daughter changed from {place} to {place}.',
    'They moved my class to {day}.', "I'm done with {genre}, I read {genre} these days.",
    'I pulled my money out of {money} and put it into {money}.', 'Not {goal} any more: I want to do {goal}.',
    'My doctor told me to stay away from {food}.', "Instead of {drink} I'm having {drink} in the mornings from now on.",
  ],
  latent: [
    'Had {drink} today and it felt good.', 'Another {drink}, please.', 'Just had {food} again.',
    '{food} again tonight, third time this week.', 'Went {sport} this morning, it was great for my head.',
    'Ended up {sport} on {day} again.', 'Another long day at {place}.', 'Just finished another of my {genre}.', 'Bought {thing} today.',
    'Bought another bag of {food} for the week.', 'Back from {sport}, my legs are sore.', 'In bed by {time} again.',
    'Slept well after turning in at {time}.', 'Took {thing} out for a ride today.', 'I had {drink} this morning and really liked it.',
    'I have been reaching for {drink} lately.', '{drink} feels like the right thing in the morning lately.',
    "I've been reading {genre} most of the week.", 'Typing this on {thing}.', 'Charged {thing} for the trip.',
    '{person} burnt the rice in our kitchen again.', 'Watched a film with {person} at our place.',
    '{person} left the dishes in our sink again.', "My {kin}'s teacher at {place} called.", 'My {kin} had a concert at {place} today.',
    'The printer at our {city} office is broken.', 'The lift at our {city} branch got stuck.',
    'Somebody left the window open at our {city} office.', 'Did {sport} with a colleague and had a good time.',
    'Tried {sport} with {person} and want to do it again.', 'Put a bit more into {money} this month.',
    'Happy with how {money} is doing for me.', 'Thanks for sticking to {style}.', '{style} again, just how I like it.',
    'Good that you keep to {style}.', 'Thanks for using {style}.', 'The plan for {goal} goes well.',
    'Long run today, {goal} gets closer.', 'We ran out of {drink} again.', 'Good practice on {day}, as every week.',
    '{sport} tonight, as always.', 'I could get used to {food}.', 'I skipped the usual and had {drink}.',
    'Ordered {food} for lunch as usual.', '{thing} comes with me everywhere these days.', 'Cleaned {thing} after using it.',
    'I set the alarm for {time} again.', 'Fell asleep at {time} three nights in a row.', "I'll have {drink} again.",
    'There is {drink} in my fridge again.', 'I trust {money} more and more.', 'Sore from {sport} yesterday.',
    'Picked up two cartons of {drink} for myself.', 'I was at the track on {day} again.', '{day} was quiet at the club, I liked it.',
    'Our {city} team had cake today.',
  ],
  instruction: [
    'Please answer in {style}.', 'I want you to use {style} with me.', 'Write to me in {style}, please.', 'Keep your answers short.',
    'Give me the answer first and the reasons after it.', "Don't use emojis.", 'I like your replies in {style}.',
    'Use {style} when you explain something.', 'Please talk to me like a friend.', 'Call me {person}.',
    'My name is {person}, but call me {person}.', "Please don't mention my {kin}.", "Let's stick to {style} from here on.",
    'Be blunt with me.', 'Give prices in euros when I ask about travel.', 'Include sources when I ask about health.',
    'I changed my mind, I want {style} rather than {style}.', 'Drop {style}, I would like {style} from you.',
    'Stop writing in {style}, use {style}.', 'Show code examples in Python when I ask about programming.',
    'Skip the introduction in your replies.', 'Treat me as a beginner when you explain things.', 'Be brief in general.',
    'I like it when you answer in {style}.', "I'd rather get {style} from you.",
  ],
  world: [
    'The capital of {country} is {city}.', '{person} was born in {city}.', 'The president of {country} is {person}.',
    'The headquarters of Volta is in {city}.', '{person} is married to {person}.', 'The author of that book is {person}.',
    'Water boils at 100 degrees.', 'The {day} market in {city} opens at eight.', 'Our company was founded by {person}.',
    'The conference takes place in {city}.', '{person} plays for {city}.', 'The project deadline is 3 June.',
    'The official language of {country} is English.', '{person} works in the field of chemistry.', 'The meeting starts at nine.',
    '{person} is a citizen of {country}.',
  ],
  question: [
    'what is {topic}', 'how does {topic} work', 'why is {topic} so important', 'who invented {topic}', 'tell me what {topic} means',
    'difference between {drink} and {drink}', 'best {thing} for students', 'is {food} healthy',
  ],
  request: [
    'write a poem about {topic}', 'explain {topic} to me', 'Give me five ideas for a trip to {city}.', 'Suggest a recipe with {food}.',
    'make it shorter', 'List the causes of {topic}.', 'Translate this into French.', 'now do the same for {country}',
    'show me an example', 'create a table of {country} and {country}', 'Write an email to my {kin}.', 'Find me a hotel in {city}.',
    'rewrite the last paragraph', 'Let us try another one.', 'summarize the chapter on {topic}', 'Plan a week in {city} for me.',
    '20 euros on number 4', 'next question', 'I need a title for my essay.', 'I want a list of {genre}.', 'I need help with {topic}.',
    'I want to understand {topic}.', "I'm trying to understand {topic}.", "I'd like some ideas for dinner.",
    "I'm looking for a restaurant in {city}.", "I'm wondering how {topic} works.", 'I would like to know more about {topic}.',
    "I'm stuck on this exercise.", "I'm not sure how to solve this equation.", "I'm having trouble with {topic}.",
    'I need to calculate the area of a circle.', "I want to make sure I'm doing it right.", 'Now the same in {style}.',
    'complete the list: a, b, c', 'Answer this one in {style}.', 'Use {style} for this one only.',
  ],
  talk: [
    'That sounds great!', 'I totally agree.', "That's so kind of you!", 'You must be proud.', 'Good luck with it!',
    "I'm so happy for you, {person}!", 'Can you believe it!', 'What a lovely idea.', 'It means a lot to me.', 'I know what you mean.',
    'Family is everything.', 'Keep up the good work, {person}!', "It's all about balance.", 'Glad you enjoyed it.',
    "I'd love to see it sometime.", "I can't wait!", 'Looking forward to it!', "I'll let you know.", 'Here is a picture of it.',
    'It was so much fun.', 'You are right about that.', 'I hope it works out for you.', "I'm glad it helped.", 'Hard work pays off.',
    'Never give up on your dreams.', "It's a great feeling.", 'I appreciate your support.', "I'm doing well.", "I'm good, thanks.",
    'Nothing much.', 'Same here.', 'That makes sense.', 'Those memories are special.', 'It is such an inspiring story.',
    "I'll check it out.", "I'll give it a try.", 'I see what you did there.',
  ],
  other: [
    'There was {sport} on the radio.', 'I ran into {person} at the station.', '{person} sent me a postcard.',
    'The man beside me had {thing}.', 'The street near {place} is blocked.', 'I saw {thing} in a shop window.',
    'They talked about {money} in the news.', 'It is raining here.', "It's late already.", 'The food was too salty.',
    'The film was boring.', 'The service was slow and the rooms were small.', 'A colleague lent me {thing} for an hour.',
    'Somebody asked me about {topic}.', 'My neighbour showed me {thing}.', 'I read an article about {topic}.',
    'A man walks into a bar with {pet}.', 'The train sits ten minutes before {city}.', 'Two trains leave {city} at the same time.',
    'You can buy {food} there.', 'Maybe I should try {sport} one day.', "I wonder what it's like in {city}.", 'I might get {thing}.',
    'Perhaps {city} would be nice.', 'If I lived in {city} I would do more {sport}.',
    'The waiter recommended {food} to the table next to us.', "It doesn't work.", 'The code throws an error.', 'The output is wrong.',
    'This is the third error today.', 'The answer should be 42.', "That's not what I meant.", 'I think you made a mistake.',
    'The sentence has seven words.', 'The result is 12.', '{food} costs more than {food}.', '{city} looks nice on the photo.',
    'My dad wants me to repair {thing} for him.', 'Voted at {place} today, the queue was long.', 'The radio said {day} will be cold.',
    'Everyone was talking about {sport} at the party.', "Tried a bite of my {kin}'s {food}.", 'I changed trains in {city}.',
    'The electrician comes on {day}.', 'There is a market on {day}.', 'A friend of a friend does {sport}.',
    'Someone on the bus was reading {genre}.', 'My {kin} borrowed {thing} from a friend.', 'The shop was out of {food}.',
    'They serve {drink} at the station.',
  ],
}

// ---------------------------------------------------------------- examples

interface Example {
  p: Proposition
  message: string
  label: StatementClass
  weight: number
}
const examples: Example[] = []

/** Every statement of a message that the rules leave open gets the label; or only the longest. */
function add(message: string, label: StatementClass, weight = 1, longest = false, only?: RegExp) {
  const open = propositions(message).filter(
    p => p.kind === 'statement' && language(p.text) === 'en' && screenByRule(p, { message }) === null && (!only || only.test(p.text)),
  )
  const chosen = longest ? open.sort((a, b) => b.text.length - a.text.length).slice(0, 1) : open
  for (const p of chosen) examples.push({ p, message, label, weight })
}

const shared = (path: string) => join(benchRoot(), '..', path)
const rel = (name: string) => readSet(shared(`rel/${name}.jsonl.gz`)) as { q: string; pos: string[]; neg: string[] }[]
const nli = (name: string) => readSet(shared(`nli/${name}.jsonl.gz`)) as Record<string, string>[]
const set = (name: string) => readSet(join(benchRoot(), `sets/${name}.json.gz`))
const unique = (list: string[]) => [...new Set(list)]

interface BeamTurn {
  role: string
  text: string
  turn_kind?: string
  plan_label?: string
}
const BEAM_KEPT =
  /^(?:User Instruction|Preference Statement|Information Update|Logical Contradiction|Personal Introduction|Character & Relationship)/
const beam = () => readSet(join(benchRoot(), 'beam/beam_100K.json.gz')) as { turns: BeamTurn[] }[]

function collect() {
  for (const [label, patterns] of Object.entries(INVENTED)) {
    for (const pattern of patterns) {
      const made = new Set<string>()
      for (let i = 0; i < 12; i++) made.add(fill(pattern))
      for (const text of made) {
        const sentence = text[0]!.toUpperCase() + text.slice(1)
        add(random() < 0.2 ? sentence.replace(/\.$/, '') : sentence, label as StatementClass, 1)
        if (random() < 0.15)
          add(pick(['Hi there! ', 'Thanks! ', 'Ok great. ', 'Good morning. ']) + sentence, label as StatementClass, 0.5, true)
        if (random() < 0.15)
          add(
            sentence + pick([' What do you think?', ' Can you help me with dinner?', ' Thanks!', ' Any ideas?']),
            label as StatementClass,
            0.5,
            true,
          )
        // Beside a question in the same sentence.
        const question = pick(['what should I cook?', 'can you help me plan my week?', 'what do you suggest?', 'where could I go?'])
        if (random() < 0.2 && label === 'self') add(`${sentence.replace(/[.!]$/, '')}, ${question}`, 'self', 0.7, true)
      }
    }
  }
  seed = DATA_SEED
  // Statements about the speaker.
  const about = /\b(?:i|my|we|our|i'm|i've)\b/i
  for (const row of sample(
    nli('supersede_train').filter(r => r['kind'] !== 'quoted' && !r['kind']!.startsWith('near')),
    2500,
  )) {
    add(row['p']!, 'self', 0.7, true)
  }
  for (const row of sample(
    nli('implied_train').filter(r => r['kind'] !== 'quote'),
    2500,
  )) {
    const latent = /\b(?:again|another|just had|as always|on my way|get used to|makes my day)\b/i.test(row['p']!)
    add(row['p']!, latent ? 'latent' : 'self', 0.7, true)
  }
  for (const row of sample(
    nli('implied_train').filter(r => r['kind'] === 'quote'),
    800,
  ))
    add(row['p']!, 'other', 0.7, true)
  for (const row of nli('supersede_train').filter(r => r['kind']!.startsWith('near'))) {
    if (/\b(?:wonder|article|news|manual|might|would be|film about|heard)\b/i.test(row['p']!)) add(row['p']!, 'other', 0.5, true)
  }
  for (const text of unique(rel('ikat_ptkb').flatMap(r => [...r.pos, ...r.neg]))) add(text, 'self', 1)
  for (const text of sample(unique(rel('derived_persona_cards').flatMap(r => [...r.pos, ...r.neg])), 2500)) add(text, 'self', 0.7)
  for (const row of sample(
    nli('resource_paed_sentence_triples').filter(r => r['subj'] === 'i' || r['subj']!.startsWith('my')),
    6000,
  )) {
    // The clause that names the object of the triple carries the fact; the rest of the turn is talk.
    const message = row['s']!.replace(/ ([.,!?])/g, '$1')
    for (const p of propositions(message)) {
      if (p.kind === 'statement' && about.test(p.text) && p.text.includes(row['obj']!) && screenByRule(p, { message }) === null) {
        examples.push({ p, message, label: 'self', weight: 0.5 })
      }
    }
  }
  for (const text of unique(rel('proactive_membench').flatMap(r => r.pos))) add(text, 'self', 0.7, true)
  for (const text of sample(unique(rel('sharc_scenario').flatMap(r => r.pos)), 500)) add(text, 'self', 0.5, false, about)
  for (const text of sample(unique(rel('laps_prefs').flatMap(r => r.pos)), 1500))
    add(
      text,
      'self',
      0.4,
      false,
      /\bi (?:really |do |don't |do not |can't |am |usually |always |never |also )*(?:like|love|hate|prefer|avoid|enjoy|allergic|eat|eat)\b/i,
    )
  for (const text of sample(unique(rel('strategyqa_facts').flatMap(r => r.pos)), 600)) if (text.length < 110) add(text, 'world', 0.5, true)

  // Questions, requests and talk.
  for (const q of sample(unique([...rel('derived_persona_requests'), ...rel('derived_persona_cards')].map(r => r.q)), 1200))
    add(q, 'request', 1)
  for (const q of sample(unique([...rel('ikat_ptkb'), ...rel('canard_quac'), ...rel('dstc10_knowledge')].map(r => r.q)), 1200))
    add(q, 'question', 1)
  for (const q of sample(unique(rel('laps_prefs').map(r => r.q)), 500)) add(q, 'request', 0.4)
  const chatter = unique([...rel('synthetic_persona_chat_qa'), ...rel('personachat_grounding')].flatMap(r => r.neg))
  const response =
    /^(?:that|wow|i'm (?:sure|glad|sorry|so)|it (?:is|was|sounds)|you|thank|good|great|nice|cool|oh|yes|no\b|sounds|i (?:agree|know|see|hope|bet|think|understand|can imagine)|congrat|they|he|she|awesome)/i
  for (const text of sample(
    chatter.filter(t => response.test(t)),
    2500,
  ))
    add(text, 'talk', 0.6, false, /^(?!.*\b(?:i have|i am a|i work|i live|my favorite|i love|i like|i'm a|my \w+ (?:is|was))\b)/i)
  for (const text of sample(unique([...rel('dstc11_reviews'), ...rel('subjqa')].flatMap(r => r.pos)), 1200))
    add(text, 'other', 0.5, false, /^(?!.*\b(?:i|my|me)\b)/i)
  for (const text of sample(unique(rel('qmsum_turns').flatMap(r => r.neg)), 600)) add(text.replace(/^[\w ]+: /, ''), 'talk', 0.4)
  for (const text of sample(unique(rel('friendsqa').flatMap(r => r.neg)), 600)) add(text.replace(/^[\w ,]+: /, ''), 'talk', 0.4)

  // Talk between two people: a sentence that names no first person, or that is about the other one, says nothing about the writer.
  const chats = (set('locomo') as Chat[]).filter((_, i) => i % 2 === 0).flatMap(c => c.turns.map(t => t.text.replace(/ \[a photo.*$/, '')))
  for (const text of sample(chats, 1200)) add(text, 'talk', 1, false, /^(?!.*\b(?:I|my|mine|we|our|us|me)\b)|\byou(?:r|'\w+)?\b/i)

  // The halves of the bench for development.
  const { store, ignore } = set('admission') as Shapes['admission']
  for (const text of store.filter((_, i) => i % 2 === 0)) add(text, 'self', 2)
  for (const text of ignore.filter((_, i) => i % 2 === 0)) add(text, 'request', 2)
  for (const chat of set('factconsolidation') as Chat[]) {
    for (const turn of sample(
      chat.turns.filter((_, i) => i % 2 === 0),
      700,
    ))
      add(turn.text, 'world', 1)
  }
  const { personas } = set('drift-5x350') as Shapes['drift']
  for (const turn of personas.slice(0, 3).flatMap(p => p.turns)) {
    if (turn.act === 'noise') add(turn.text, 'talk', 3)
    else if (turn.act === 'transient') add(turn.text, 'other', 3)
    else add(turn.text, turn.act === 'state' || turn.act === 'change' ? 'self' : 'latent', 3)
  }
  for (const chat of beam().filter((_, i) => i % 2 === 0)) {
    for (const turn of chat.turns.filter(t => t.role === 'user')) {
      if (turn.turn_kind === 'followup_question') add(turn.text, 'request', 0.7)
      else if (BEAM_KEPT.test(turn.plan_label ?? '')) {
        add(
          turn.text,
          turn.plan_label === 'User Instruction' ? 'instruction' : 'self',
          1,
          false,
          /\b(?:always|prefer|never|decided|my|i've|i (?:have|am|just|live|work)|i'm (?:a|an|\d)|include|use|provide)\b/i,
        )
        add(
          turn.text,
          'request',
          0.5,
          false,
          /^(?:I(?:'m| am) (?:trying|kinda|having trouble|wondering|not sure|unsure)|I (?:want|need) to|I was wondering)/i,
        )
      } else if (/Technical|Mistake|Solution|Alternative|Learning|Problem-Solving/.test(turn.plan_label ?? '')) {
        add(
          turn.text,
          'request',
          0.4,
          false,
          /^(?:I(?:'m| am) (?:trying|kinda|having trouble|wondering|not sure|unsure)|I (?:want|need) to|I was wondering)/i,
        )
      }
    }
  }
}

// ---------------------------------------------------------------- embeddings

const models = await openNodeModels({ modelsDir: at('models'), roles: ['embedder'] })
const cacheFile = cacheDir && join(cacheDir, `screening-${createHash('sha256').update(models.vectorStamp).digest('hex').slice(0, 12)}.json`)
const vectors = new Map<string, Float32Array>()
if (cacheFile && existsSync(cacheFile)) {
  const keys = JSON.parse(readFileSync(cacheFile, 'utf8')) as string[]
  const bytes = readFileSync(`${cacheFile}.bin`)
  const all = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  keys.forEach((key, i) => vectors.set(key, all.slice(i * 384, (i + 1) * 384)))
}

async function embedAll(texts: string[]) {
  const missing = unique(texts)
    .filter(text => !vectors.has(text))
    .sort((a, b) => a.length - b.length)
  const began = Date.now()
  for (let i = 0; i < missing.length; i += 64) {
    const batch = missing.slice(i, i + 64)
    const made = await models.embed(batch, 'passage')
    batch.forEach((text, j) => vectors.set(text, made[j]!))
    if (i % 6400 === 0 && i) console.error(`  embedded ${i} of ${missing.length}, ${((Date.now() - began) / 1000).toFixed(0)} s`)
  }
  if (missing.length && cacheFile) {
    mkdirSync(cacheDir!, { recursive: true })
    const keys = [...vectors.keys()]
    const all = new Float32Array(keys.length * 384)
    keys.forEach((key, i) => all.set(vectors.get(key)!, i * 384))
    writeFileSync(cacheFile, JSON.stringify(keys))
    writeFileSync(`${cacheFile}.bin`, Buffer.from(all.buffer))
  }
}

// ---------------------------------------------------------------- training

/** Softmax regression with L2, by Adam on small batches. Weights are rounded to 8 bits afterwards, so that is what is measured. */
function train(): Int8Array {
  const width = FEATURES
  const count = CLASSES.length
  const rows = examples.map(e => features(e.p, e.message, vectors.get(e.p.text)))
  const w = new Float32Array(count * width)
  const m = new Float32Array(w.length)
  const v = new Float32Array(w.length)
  const gradient = new Float32Array(w.length)
  const scores = new Float64Array(count)
  const l2 = Number(argument('--l2') ?? 1e-5)
  const epochs = Number(argument('--epochs') ?? 20)
  const batch = 128
  const order = examples.map((_, i) => i)
  const steps = epochs * Math.ceil(order.length / batch)
  let step = 0
  for (let epoch = 1; epoch <= epochs; epoch++) {
    for (let i = order.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1))
      ;[order[i], order[j]] = [order[j]!, order[i]!]
    }
    let loss = 0
    for (let from = 0; from < order.length; from += batch) {
      step++
      gradient.fill(0)
      for (const i of order.slice(from, from + batch)) {
        const x = rows[i]!
        const { label, weight } = examples[i]!
        const y = CLASSES.indexOf(label)
        for (let c = 0; c < count; c++) {
          let s = 0
          for (let k = 0, at = c * width; k < width; k++) s += w[at + k]! * x[k]!
          scores[c] = s
        }
        const top = Math.max(...scores)
        let z = 0
        for (let c = 0; c < count; c++) z += scores[c] = Math.exp(scores[c]! - top)
        loss -= weight * Math.log(scores[y]! / z)
        for (let c = 0; c < count; c++) {
          const g = (weight / batch) * (scores[c]! / z - (c === y ? 1 : 0))
          if (Math.abs(g) < 1e-6) continue
          for (let k = 0, at = c * width; k < width; k++) gradient[at + k]! += g * x[k]!
        }
      }
      const rate = 0.01 * (1 - (step - 1) / steps)
      for (let k = 0; k < w.length; k++) {
        const g = gradient[k]! + l2 * w[k]!
        m[k] = 0.9 * m[k]! + 0.1 * g
        v[k] = 0.999 * v[k]! + 0.001 * g * g
        w[k]! -= (rate * (m[k]! / (1 - 0.9 ** step))) / (Math.sqrt(v[k]! / (1 - 0.999 ** step)) + 1e-8)
      }
    }
    if (epoch % 5 === 0) console.error(`  epoch ${epoch}, loss ${(loss / order.length).toFixed(4)}`)
  }
  scale = w.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
  return Int8Array.from(w, value => Math.round(value / scale))
}
let scale = 1

function write(weights: Int8Array) {
  const base64 = Buffer.from(weights.buffer).toString('base64')
  const source = `/** Made by bench/train-screening.ts; do not edit. ${CLASSES.length} classes × ${FEATURES} features, 8 bits each. */\n\nexport const SCALE = ${scale.toPrecision(6)}\n// prettier-ignore\nexport const WEIGHTS =\n  '${base64}'\n`
  writeFileSync(at('src/text/screening-weights.ts'), source)
}

// ---------------------------------------------------------------- report

/** The highest probability of a message's statements: the message is stored from when the threshold is not above it. */
function score(message: string): number {
  return Math.max(0, ...propositions(message).map(p => screen(p, { message, embedding: vectors.get(p.text) }).probability))
}

const percent = (part: number, n: number) => `${((100 * part) / Math.max(n, 1)).toFixed(1)} %`
const CURVE = [0.3, 0.5, 0.7, 0.8, 0.9, 0.95]

/** Share of messages of which something is kept, by threshold; with `--verbose` the wrong ones at the threshold in use. */
function line(name: string, messages: string[], wanted: boolean) {
  const scores = messages.map(score)
  const kept = (threshold: number) => scores.filter(s => s >= threshold).length
  const curve = CURVE.map(threshold => percent(kept(threshold), messages.length).padStart(8)).join('')
  console.log(
    `${name.padEnd(50)} ${String(messages.length).padStart(5)} ${percent(kept(KEEP_THRESHOLD), messages.length).padStart(8)}  |${curve}`,
  )
  if (!process.argv.includes('--verbose')) return
  const wrong = messages.filter((_, i) => scores[i]! >= KEEP_THRESHOLD !== wanted)
  for (const message of sample(wrong, 25)) {
    const statements = propositions(message).map(p => {
      const result = screen(p, { message, embedding: vectors.get(p.text) })
      return `[${result.keep ? `keep ${result.origin}` : result.reason} ${result.probability.toFixed(2)}] ${p.text.slice(0, 100).replace(/\n/g, ' ')}`
    })
    console.log(`      ${statements.join(' | ').slice(0, 360)}`)
  }
}

async function report() {
  const { store, ignore } = set('admission') as Shapes['admission']
  const { personas } = set('drift-5x350') as Shapes['drift']
  const long = (set('drift-1x1050') as Shapes['drift']).personas
  const chats = beam()
  const zh = (set('memdaily') as Chat[]).flatMap(c => c.turns.map(t => t.text))
  const facts = (set('factconsolidation') as Chat[]).flatMap(c => c.turns.map(t => t.text))
  const chat = sample(
    (set('locomo') as Chat[]).flatMap(c => c.turns.map(t => t.text.replace(/ \[a photo.*$/, ''))),
    600,
  )
  const beamTurns = (half: number) => chats.filter((_, i) => i % 2 === half).flatMap(c => c.turns.filter(t => t.role === 'user'))
  const acts = ['state', 'change', 'support', 'cue', 'transient', 'noise']
  const texts = [
    ...store,
    ...ignore,
    ...facts,
    ...sample(zh, 500),
    ...chats.flatMap(c => c.turns.filter(t => t.role === 'user').map(t => t.text)),
    ...[...personas, ...long].flatMap(p => p.turns.map(t => t.text)),
  ]
  await embedAll(
    texts.flatMap(text =>
      propositions(text)
        .filter(p => screenByRule(p, { message: text }) === null)
        .map(p => p.text),
    ),
  )

  console.log(`${'share kept'.padEnd(50)}     n   in use  |${CURVE.map(threshold => String(threshold).padStart(8)).join('')}`)
  for (const half of [0, 1]) {
    const name = half ? 'odd' : 'even'
    line(
      `admission store, ${name}`,
      store.filter((_, i) => i % 2 === half),
      true,
    )
    line(
      `admission ignore, ${name}`,
      ignore.filter((_, i) => i % 2 === half),
      false,
    )
    line(
      `world facts (factconsolidation), ${name}`,
      facts.filter((_, i) => i % 2 === half),
      true,
    )
    const group = half ? personas.slice(3) : personas.slice(0, 3)
    for (const act of acts)
      line(
        `drift ${act}, personas ${half ? '3–4' : '0–2'}`,
        group.flatMap(p => p.turns.filter(t => t.act === act).map(t => t.text)),
        act !== 'transient' && act !== 'noise',
      )
    const turns = beamTurns(half)
    line(
      `BEAM follow-up questions, ${name}`,
      turns.filter(t => t.turn_kind === 'followup_question').map(t => t.text),
      false,
    )
    line(
      `BEAM exercises and technical tasks, ${name}`,
      turns.filter(t => /Technical|Mistake|Solution|Alternative|Learning/.test(t.plan_label ?? '')).map(t => t.text),
      false,
    )
    for (const label of ['User Instruction', 'Preference Statement', 'Information Update', 'Logical Contradiction']) {
      line(
        `BEAM ${label}, ${name}`,
        turns.filter(t => t.plan_label === label).map(t => t.text),
        true,
      )
    }
  }
  const known = new Set(personas.slice(0, 3).flatMap(p => p.turns.map(t => t.text)))
  line(
    'drift noise, personas 3–4, texts not in 0–2',
    unique(personas.slice(3).flatMap(p => p.turns.filter(t => t.act === 'noise' && !known.has(t.text)).map(t => t.text))),
    false,
  )
  for (const act of acts)
    line(
      `drift-1x1050 ${act}`,
      long.flatMap(p => p.turns.filter(t => t.act === act).map(t => t.text)),
      act !== 'transient' && act !== 'noise',
    )
  const inDrift = new Set([...personas, ...long].flatMap(p => p.turns.map(t => t.text)))
  line(
    'locomo lines, odd conversations, not in drift',
    chat.filter(text => !inDrift.has(text)),
    false,
  )
  line('Chinese statements (memdaily)', sample(zh, 500), true)
}

if (!reportOnly) {
  collect()
  console.error(
    `${examples.length} statements: ${CLASSES.map(c => `${c} ${examples.filter(e => e.label === c).length}`).join(', ')}; ${KEPT} classes are kept`,
  )
  await embedAll(examples.map(e => e.p.text))
  write(train())
  console.error('written; run again with --report')
} else await report()
await models.dispose()
