// What becomes due while the runner looks does not wait for its timer.
import { setImmediate } from 'node:timers/promises'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startWebhooks } from './webhooks.runner.ts'

/** The runner's timer never goes off. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('looks once more when it was asked to while it looked', async () => {
  const looks: PromiseWithResolvers<null>[] = []
  const system = () => {
    const look = Promise.withResolvers<null>()
    looks.push(look)
    return look.promise
  }
  const database = { system, onCommit: () => () => undefined }
  const runner = startWebhooks({ database } as never, pino({ level: 'silent' }))
  const first = runner.settle()
  const second = runner.settle()
  looks[0]?.resolve(null)
  await setImmediate()
  expect(looks).toHaveLength(2)
  looks[1]?.resolve(null)
  await Promise.all([first, second])
  await runner.stop()
})
