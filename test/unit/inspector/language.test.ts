import { describe, expect, it } from 'vitest'
import { Language } from '../../../src/inspector/language.ts'
import { english, type TextKey } from '../../../src/inspector/texts.ts'
import { chinese } from '../../../src/inspector/texts.zh.ts'

const places = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort()

describe('the inspector speaks', () => {
  it('Chinese with the same values in every text as English', () => {
    for (const key of Object.keys(english) as TextKey[]) expect([key, ...places(chinese[key])]).toEqual([key, ...places(english[key])])
  })

  it('the language of the page where it knows it, English elsewhere', () => {
    expect(new Language('en-GB').tag).toBe('en-GB')
    expect(new Language('zh-Hans-CN').text('forget')).toBe('忘记')
    expect(new Language('de').tag).toBe('en')
    expect(new Language('de').text('forget')).toBe('Forget')
    expect(new Language('not a language').tag).toBe('en')
  })

  it('any other language by a dictionary, with its numbers and dates', () => {
    const german = new Language('de', { forget: 'Vergessen' })
    expect(german.text('forget')).toBe('Vergessen')
    expect(german.text('keep')).toBe('Keep')
    expect(german.fixed(0.5)).toBe('0,50')
    expect(german.date(Date.parse('2026-03-02T12:00:00Z'))).toBe('02.03.2026')
  })

  it('values put into their places, and names that it does not know as they are', () => {
    const language = new Language('en')
    expect(language.text('found', { shown: 3, total: 12 })).toBe('Shown: 3 of 12')
    expect(language.text('found', { shown: '{total}', total: '$&' })).toBe('Shown: {total} of $&')
    expect(language.name('reason', 'question')).toBe('a question')
    expect(language.name('reason', 'brand-new')).toBe('brand-new')
    expect([language.fixed(-0.001), language.fixed(-1.5), language.bytes(2.5e9)]).toEqual(['0.00', '−1.50', '2.5 GB'])
  })
})
