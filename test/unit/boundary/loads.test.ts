/** The counter that keeps a page from loading, again and again, models that take it down. */

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { began, finished, givenUp, refusal } from '../../../src/client/loads.ts'

const day = 24 * 3_600_000
const models = '{"device":"auto","models":{}}'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

describe('loads that never came to an end (asks 73)', () => {
  it('one is forgiven, two in a row are not', () => {
    expect(refusal(models)).toBeUndefined()
    began(models)
    expect(refusal(models)).toBeUndefined()
    began(models)
    expect(refusal(models)).toMatch(/the last 2 times .* left out until \d{4}-.*; to try at once, open the memory with fewer of them/)
  })

  it('one that ends, well or not, starts the count anew', () => {
    began(models)
    finished(models)
    began(models)
    expect(refusal(models)).toBeUndefined()
    finished(models)
    expect(localStorage.getItem('credence/unfinished-loads')).toBeNull()
  })

  it('one that the page gives up itself does not count', () => {
    for (let i = 0; i < 5; i++) {
      began(models)
      givenUp(models)
    }
    expect(refusal(models)).toBeUndefined()
    began(models)
    began(models)
    givenUp(models)
    expect(refusal(models)).toBeUndefined()
  })

  it('fewer models, or another device, are tried at once', () => {
    began(models)
    began(models)
    expect(refusal('{"device":"auto","models":{"lm":false}}')).toBeUndefined()
    expect(refusal('{"device":"wasm","models":{}}')).toBeUndefined()
  })

  it('after a day it is tried again, and a clock that was set back locks nobody out', () => {
    began(models)
    began(models)
    expect(refusal(models, Date.now() + day - 60_000)).toBeDefined()
    expect(refusal(models, Date.now() + day)).toBeUndefined()
    expect(refusal(models, Date.now() - 60_000)).toBeUndefined()
  })

  it.each(['not json', 'null', '{}', '{"models":"x","count":"9"}', '[]'])('a damaged count (%s) is none', text => {
    localStorage.setItem('credence/unfinished-loads', text)
    expect(refusal(models)).toBeUndefined()
    began(models)
    expect(refusal(models)).toBeUndefined()
  })

  it('where nothing can be kept, nothing is counted', () => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
    began(models)
    began(models)
    finished(models)
    expect(refusal(models)).toBeUndefined()
  })
})
