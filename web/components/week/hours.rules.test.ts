// The hours of a week: painting, toggling, and saying them.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import {
  DAYS,
  daySpans,
  isNever,
  isOpen,
  PRESETS,
  paint,
  rangesOf,
  toggleDay,
  toggleHour,
  type WeekHours,
} from './hours.rules.ts'

const none: WeekHours = Array.from({ length: DAYS }, () => [])

describe('painting', () => {
  it('opens the rectangle between two cells, whichever corner comes first', () => {
    const painted = paint(none, { day: 4, hour: 17 }, { day: 0, hour: 9 }, true)
    expect(painted).toEqual(PRESETS.work)
    expect(none.every((open) => open.length === 0)).toBe(true)
  })

  it('closes within open hours and keeps the rest in order', () => {
    const lunch = paint(PRESETS.work, { day: 0, hour: 13 }, { day: 4, hour: 13 }, false)
    expect(lunch[0]).toEqual([9, 10, 11, 12, 14, 15, 16, 17])
    expect(lunch[6]).toEqual([])
  })
})

describe('toggling', () => {
  it('opens a day that is not whole, and closes a whole one', () => {
    const whole = toggleDay(PRESETS.work, 0)
    expect(whole[0]).toHaveLength(24)
    expect(toggleDay(whole, 0)[0]).toEqual([])
  })

  it('opens an hour on every day, and closes it when it is open on all', () => {
    const early = toggleHour(PRESETS.work, 8)
    expect(early.every((open) => open.includes(8))).toBe(true)
    expect(isOpen(toggleHour(early, 8), { day: 0, hour: 8 })).toBe(false)
  })
})

describe('the words', () => {
  it.each([
    [[], []],
    [[0], [[0, 1]]],
    [
      [9, 10, 11, 14, 15],
      [
        [9, 12],
        [14, 16],
      ],
    ],
    [[22, 23], [[22, 24]]],
  ] as const)('sees unbroken times in %j', (open, ranges) => {
    expect(rangesOf(open)).toEqual(ranges)
  })

  it('put neighbouring equal days together and leave closed days out', () => {
    expect(daySpans(PRESETS.work)).toEqual([{ from: 0, to: 4, ranges: [[9, 18]] }])
    const saturday = paint(PRESETS.work, { day: 5, hour: 10 }, { day: 5, hour: 13 }, true)
    expect(daySpans(saturday)).toHaveLength(2)
    const closedWednesday = toggleDay(toggleDay(PRESETS.always, 2), 3)
    expect(daySpans(closedWednesday).map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [4, 6],
    ])
  })

  it('know a week without any hour', () => {
    expect(isNever(none)).toBe(true)
    expect(isNever(PRESETS.work)).toBe(false)
  })
})

it.each(Object.entries(PRESETS))('the preset %s is a week that may be saved', (_, hours) => {
  const parsed = agentSettings.safeParse({
    model: 'a/b',
    availability: { isLimited: true, hours, outside: 'silent', text: '' },
  })
  expect(parsed.success).toBe(true)
})
