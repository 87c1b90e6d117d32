import type { Memory } from '../memory.ts'

/** A memory of which some methods do another thing. */
export function override(memory: Memory, methods: Partial<Memory>): Memory {
  return new Proxy(memory, {
    get(target, name) {
      const own: unknown = Object.hasOwn(methods, name) ? methods[name as keyof Memory] : undefined
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
