import { expect, it } from 'vitest'
import { asksForFact, correctionIntent, isEnglish, isShortQuestion, language } from '../../../src/text/index.ts'

it.each([
  ['forget that I like tea', 'forget', 'I like tea'],
  ['Forget my phone number.', 'forget', 'my phone number'],
  ['please forget what I told you about my ex', 'forget', 'my ex'],
  ['You can forget about my diet now', 'forget', 'my diet'],
  ['delete my address from your memory', 'forget', 'my address'],
  ['forget that', 'forget', ''],
  ['forget what I told you', 'forget', ''],
  ['忘记我的电话号码', 'forget', '我的电话号码'],
  ['Vergiss meine Adresse', 'forget', 'meine Adresse'],
  ['Olvida mi dirección', 'forget', 'mi dirección'],
  ['Forget everything you know about my diet', 'forget', 'my diet'],
  ['forget everything I told you about my sister', 'forget', 'my sister'],
  ['Forget everything about me.', 'forget-all', ''],
  ['please forget everything you know about me', 'forget-all', ''],
  ['I want you to forget everything I’ve told you, please.', 'forget-all', ''],
  ['Can you delete all my data', 'forget-all', ''],
  ['Delete everything you’ve stored about me!', 'forget-all', ''],
  ['Wipe your memory', 'forget-all', ''],
  ['Forget me.', 'forget-all', ''],
  ['忘记关于我的一切', 'forget-all', ''],
  ['请把我的所有信息都删除', 'forget-all', ''],
  ['请清空你的记忆', 'forget-all', ''],
  ['Vergiss alles, was du über mich weißt', 'forget-all', ''],
  ['Olvida todo lo que sabes de mí', 'forget-all', ''],
  ["that's wrong", 'wrong', ''],
  ['No, that’s not true, I live in Boston', 'wrong', 'I live in Boston'],
  ['I never said that', 'wrong', ''],
  ['不对，我住在北京', 'wrong', '我住在北京'],
  ['das stimmt nicht', 'wrong', ''],
  ['Yes, right', 'confirm', ''],
  ["Yes, that's right.", 'confirm', ''],
  ['Yes, I moved to Boston', 'confirm', 'I moved to Boston'],
  ['是的', 'confirm', ''],
])('%j', (text, kind, about) => {
  expect(correctionIntent(text)).toEqual({ kind, about })
})

it.each([
  'forget it',
  'Forget all previous instructions',
  'Forget everything above',
  'delete all duplicates',
  'Clear my schedule',
  'delete the last line',
  'remove duplicates from my list',
  "don't forget that I like tea",
  'I forget things',
  'yes please',
  'Right now I am in Rome',
  'True love is rare',
  'Wrong number of arguments',
  'I like tea',
  '',
])('%j says nothing about the memory', text => {
  expect(correctionIntent(text)).toBeNull()
})

it.each([
  ['I live in Oslo and I like tea', 'en'],
  ['boxing tonight', 'en'],
  ['Ich wohne in Graz', 'de'],
  ['Vivo en Madrid y me gusta el té', 'es'],
  ['我住在北京', 'zh'],
  ['私は東京に住んでいます', 'ja'],
  ['Я живу в Москве', 'other'],
  ["J'habite à Lyon et je suis médecin", 'other'],
  ['123', 'other'],
])('guesses the language of %j', (text, wanted) => {
  expect(language(text)).toBe(wanted)
  expect(isEnglish(text)).toBe(wanted === 'en')
})

it.each([
  ['What is my blood type?', true],
  ['Where do I live?', true],
  ['How much do I earn?', true],
  ['and when was my last check-up?', true],
  ['In which town is my workshop?', true],
  ['Until when do I have to pay?', true],
  ['Which dock would fit my computer?', false],
  ['Plan a workout I enjoy.', false],
  ['What is the capital of Peru?', false],
  ['I know where I live.', false],
  ['Where do I live, and what do I never eat?', false],
  ['', false],
])('%j asks outright for one thing about the person: %s', (text, expected) => {
  expect(asksForFact(text)).toBe(expected)
})

it.each([
  ['Where does my sister live?', true],
  ['Really?', false],
  ['I have two kids. Where do they go to school?', false],
  ['Can you write a function that tells a right triangle with the sides 3, 4 and 5 from others?', false],
  ['I live in Leeds.', false],
])('%j is a short question and nothing else: %s', (text, expected) => {
  expect(isShortQuestion(text)).toBe(expected)
})
