/** Topics: the nearest of a fixed list of areas of life, by embedding. A belief and a statement of the same topic are likelier to meet. */

import { cosine } from './semantic.ts'

/** A name and a sentence in the middle of it. */
export const topics: readonly (readonly [name: string, sentence: string])[] = [
  ['food', 'What I eat and drink, my diet, favourite meals, allergies and cooking.'],
  ['home', 'Where I live, my city, flat, house, neighbours and moving.'],
  ['work', 'My job, employer, colleagues, office and career.'],
  ['study', 'What I study and learn, my school, courses and exams.'],
  ['family', 'My partner, children, parents, siblings and relatives.'],
  ['friends', 'My friends, dating and social life.'],
  ['pets', 'My dog, cat and other animals.'],
  ['health', 'My health, illness, medication, sleep and doctors.'],
  ['sport', 'My sports, training, running and the gym.'],
  ['hobbies', 'My hobbies, crafts, games and collections.'],
  ['media', 'The books, films, series, music and podcasts I like.'],
  ['travel', 'My trips, holidays, flights and hotels.'],
  ['transport', 'My car, bike and how I get around.'],
  ['money', 'My income, savings, investments and what I buy.'],
  ['technology', 'My computer, phone, apps and programming.'],
  ['assistant', 'How the assistant should answer me: language, length, style and format.'],
  ['beliefs', 'My values, religion, politics and opinions.'],
  ['person', 'My name, age, birthday, looks and where I come from.'],
]

/** The name of the nearest topic, or null when none is nearer than `floor` (a cosine). */
export function nearestTopic(vector: Float32Array, anchors: readonly Float32Array[], floor: number): string | null {
  let best = -1
  let nearest = floor
  anchors.forEach((anchor, i) => {
    const similarity = cosine(vector, anchor)
    if (similarity > nearest) {
      nearest = similarity
      best = i
    }
  })
  return best < 0 ? null : topics[best]![0]
}
