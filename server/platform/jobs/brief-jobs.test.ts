// Which jobs of a schedule run together, and that one does not bring down the others.
import { expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { withBriefGroups } from './brief-jobs.ts'
import { defineJob, type Job } from './jobs.ts'

type Context = { runs: string[] }

const named = (name: string, rest: Partial<Job<never, Context>> = {}) =>
  defineJob<never, Context>({
    name,
    limitSeconds: 10,
    concurrency: 1,
    schedule: '* * * * *',
    run: async ({ runs }) => void runs.push(name),
    ...rest,
  })
const log = createLogger('silent')

it('runs the brief jobs of one schedule as one job, and leaves the others as they are', async () => {
  const jobs = withBriefGroups(
    [
      named('one', { isBrief: true }),
      named('two', { isBrief: true, limitSeconds: 50 }),
      named('rarely', { isBrief: true, schedule: '*/5 * * * *' }),
      named('long'),
    ],
    log,
  )
  expect(jobs.map(({ name, schedule }) => [name, schedule])).toEqual([
    ['one', undefined],
    ['two', undefined],
    ['rarely', undefined],
    ['long', '* * * * *'],
    ['clock.x_x_x_x_x', '* * * * *'],
    ['clock.x-5_x_x_x_x', '*/5 * * * *'],
  ])
  const group = jobs.find(({ name }) => name === 'clock.x_x_x_x_x')
  const runs: string[] = []
  await group?.run({ runs }, {} as never, new AbortController().signal)
  expect(runs).toEqual(['one', 'two'])
  expect(group?.limitSeconds).toBeGreaterThan(50)
})

it('runs the others when one fails', async () => {
  const failing = named('failing', {
    isBrief: true,
    run: async () => {
      throw new Error('for a test')
    },
  })
  const group = withBriefGroups([failing, named('fine', { isBrief: true })], log).at(-1)
  const runs: string[] = []
  await group?.run({ runs }, {} as never, new AbortController().signal)
  expect(runs).toEqual(['fine'])
})
