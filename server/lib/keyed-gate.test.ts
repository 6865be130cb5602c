// Bounded concurrency by key.
import { expect, it } from 'vitest'
import { createKeyedGate } from './keyed-gate.ts'

/** Work that ends when it is let go. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, resolve }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('runs as many of one key at once as are allowed, the others in their order', async () => {
  const gate = createKeyedGate(2)
  const works = Array.from({ length: 5 }, held)
  const begun: number[] = []
  const all = works.map(({ promise }, index) => gate.run('a', () => (begun.push(index), promise)))
  await settled()
  expect(begun).toEqual([0, 1])
  works[1]?.resolve()
  await settled()
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of works) resolve()
  await Promise.all(all)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

it('lets nobody wait for work of another key', async () => {
  const gate = createKeyedGate(1)
  const long = held()
  const first = Promise.all([gate.run('a', () => long.promise), gate.run('a', () => long.promise)])
  await expect(gate.run('b', async () => 'done')).resolves.toBe('done')
  long.resolve()
  await first
})

it('passes the place on when work fails', async () => {
  const gate = createKeyedGate(1)
  const failed = gate.run('a', () => Promise.reject(new Error('broken')))
  const next = gate.run('a', async () => 'done')
  await expect(failed).rejects.toThrow('broken')
  await expect(next).resolves.toBe('done')
})
