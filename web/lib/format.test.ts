// Numbers and moments in both languages.
import i18next from 'i18next'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  formatBytes,
  formatCost,
  formatDateTime,
  formatDuration,
  formatNumber,
  formatPercent,
  formatRelative,
  formatScore,
  formatSpan,
  formatUsd,
} from './format.ts'

const NOW = Date.UTC(2026, 10, 21, 12)
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

describe.each([
  [
    'ru',
    {
      number: '12 346',
      usd: '1,5000 $',
      percent: '80 %',
      score: '0,70',
      bytes: '1,4 МБ',
      relative: '3 минуты назад',
      day: 'вчера',
    },
  ],
  [
    'en',
    {
      number: '12,346',
      usd: '$1.5000',
      percent: '80%',
      score: '0.70',
      bytes: '1.4 MB',
      relative: '3 minutes ago',
      day: 'yesterday',
    },
  ],
])('formats in %s', (language, expected) => {
  beforeAll(async () => {
    await i18next.init({ lng: language, resources: {} })
  })

  it('writes counts without decimals and dollars with four', () => {
    expect(plain(formatNumber(12345.6))).toBe(expected.number)
    expect(plain(formatUsd(1.5))).toBe(expected.usd)
    expect(plain(formatPercent(0.8))).toBe(expected.percent)
  })

  it('writes scores with two decimals', () => {
    expect(formatScore(0.7)).toBe(expected.score)
  })

  it('writes sizes in the unit that fits', () => {
    expect(plain(formatBytes(1_468_006))).toBe(expected.bytes)
  })

  it('keeps every number with its unit', () => {
    const units = [formatBytes(12), formatBytes(1_468_006), formatDuration(42), formatDuration(12_000)]
    const spans = [formatSpan(30 * 60_000), formatSpan(7 * 86_400_000), formatRelative(NOW - 3 * 60_000, NOW)]
    const money = [formatUsd(1500), formatCost(0.00001), formatNumber(1500), formatPercent(0.8)]
    expect([...units, ...spans, ...money].filter((text) => /[\d<] /.test(text))).toEqual([])
  })

  it('formats the time elapsed, up to a week', () => {
    expect(plain(formatRelative(NOW - 3 * 60_000, NOW))).toBe(expected.relative)
    expect(formatRelative(NOW - 86_400_000, NOW)).toBe(expected.day)
    expect(formatRelative(NOW - 8 * 86_400_000, NOW)).toContain('2026')
  })
})

it('creates a date format once for each language and zone', async () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  const at = Date.UTC(2026, 0, 5, 12)
  const read = async () => {
    const texts: string[] = []
    for (const language of ['ru', 'en']) {
      await i18next.changeLanguage(language)
      texts.push(formatDateTime(at, 'full', 'Asia/Tokyo'), formatDateTime(at, 'full', 'Asia/Almaty'))
    }
    return texts
  }
  const texts = await read()
  const before = made.mock.calls.length
  expect(before).toBeGreaterThan(0)
  expect(await read()).toEqual(texts)
  expect(new Set(texts).size).toBe(4)
  expect(made.mock.calls.length).toBe(before)
  made.mockRestore()
})
