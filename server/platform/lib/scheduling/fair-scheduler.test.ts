// Places of the scheduler, with a clock that the test sets.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { FairScheduler } from './fair-scheduler.ts'

const budget = { perSecond: 500, burst: 100, outstanding: 20 }

it('lets a holder rest until its group may use more time, which costs it nothing', async () => {
  let now = 0
  const limits = { places: 4, most: () => Infinity, isBackground: () => false, budget }
  const scheduler = new FairScheduler(limits, () => now)
  const other = await scheduler.enter({ group: 'b', member: '' })
  const place = await scheduler.enter({ group: 'a', member: '' })
  now = 200
  expect(place.shouldYield()).toBe(true)
  const rested = vi.fn()
  const rest = place.rest().then(rested)
  await wait(150)
  expect(rested).not.toHaveBeenCalled()
  now = 1_000
  await rest
  now = 1_050
  expect(place.shouldYield()).toBe(false)
  other.leave()
  place.leave()
})
