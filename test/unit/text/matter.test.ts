import { describe, expect, it } from 'vitest'
import { differentMatters } from '../../../src/text/index.ts'

/** Each pair both ways. */
const both = (a: string, b: string) => [differentMatters(a, b), differentMatters(b, a)]

describe('two matters', () => {
  it.each([
    ['My grocery budget is 300 euros a month.', 'My travel budget is 2,000 euros a year.'],
    ["My mother's birthday is May 4.", "My father's birthday is August 19."],
    ['I raised my savings goal to 5,500 euros.', 'I increased my travel budget to 3,000 euros.'],
    ['My electricity bill went up to 140 euros.', 'My water bill is 40 euros.'],
    ['My dentist appointment was moved to March 9.', 'I moved my doctor appointment to March 20.'],
    ['My eye test is on March 12.', 'I moved my doctor appointment to March 20.'],
    ['My Spanish class starts at 6 pm.', 'My yoga class starts at 8 am.'],
    ['My work email is a@example.com.', 'My private email is c@example.com.'],
    ['My first car was a Fiat.', 'My current car is a Volvo.'],
    ['My passport expires in May 2030.', 'My driving licence expires in July 2028.'],
    ['I drink coffee every morning.', 'I drink tea in the evening.'],
    ['I start work at 8.', 'I start my lunch break at 12.'],
    ['When I ask for code, use Rust.', 'When I ask for SQL, use Postgres syntax.'],
    ['Always give weights in grams when I ask for a recipe.', 'Always name the narrator when I ask for audiobooks.'],
  ])('%s / %s', (a, b) => expect(both(a, b)).toEqual([true, true]))
})

describe('one matter', () => {
  it.each([
    ['My savings goal is 4,000 euros.', 'I raised my savings goal to 5,500 euros.'],
    ['My savings goal is 4,000 euros.', 'My new savings goal is 7,000 euros.'],
    ['My budget is 300 euros.', 'My grocery budget is 250 euros.'],
    ['My favourite drink is tea.', 'My preferred drink is coffee.'],
    ['My job is nursing.', 'My profession is teaching.'],
    ['My home is in Leeds.', 'My city is York.'],
    ['My dentist appointment is on March 2.', 'My dentist appointment was moved to March 9.'],
    ['My office in Milan is small.', 'My office in Prague is large.'],
    ['When I ask for code, use Rust.', 'When I ask for code, use Python instead.'],
    ['I live in Leeds.', 'I moved to York.'],
    ['I go to the gym on Mondays.', 'I go to the gym on Fridays.'],
    ['I drink coffee in the morning.', 'I drink tea in the morning.'],
    ['I drink coffee in the morning.', 'I only drink tea now, in the evening.'],
    ['I drink coffee.', 'I have given up coffee.'],
    ['', 'My job is nursing.'],
  ])('%s / %s', (a, b) => expect(both(a, b)).toEqual([false, false]))
})
