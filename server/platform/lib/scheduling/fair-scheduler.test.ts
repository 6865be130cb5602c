// Places of the scheduler, with a clock that the test sets.
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { FairScheduler } from './fair-scheduler.ts'

const limits = { places: 4, most: () => Infinity, isBackground: () => false }
const budget = { perSecond: 500, burst: 100, outstanding: 20 }

it('lets a holder rest until its group may use more time, which costs it nothing', async () => {
  let now = 0
  const scheduler = new FairScheduler({ ...limits, budget }, () => now)
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

it('lets no holder rest for longer than its transaction may be idle', async () => {
  let now = 0
  const scheduler = new FairScheduler({ ...limits, budget: { ...budget, perSecond: 1 } }, () => now)
  const other = await scheduler.enter({ group: 'b', member: '' })
  const place = await scheduler.enter({ group: 'a', member: '' })
  now = 400
  const rest = place.rest()
  now = 10_400
  await rest
  other.leave()
  place.leave()
})
