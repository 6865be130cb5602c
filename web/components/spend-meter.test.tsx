// Money spent, in words and never in colour alone, and never as less than it may be.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { Spend } from '#shared/organizations/billing.ts'
import { currentLanguage, startI18n } from '#web/lib/i18n.ts'
import { SpendMeter } from './spend-meter.tsx'

beforeAll(() => startI18n('en'))

const show = (change: Partial<Spend>, limitUsd: number | null) =>
  render(<SpendMeter spend={{ messages: 1, tokens: 2, costUsd: 0, unpricedCalls: 0, ...change }} limitUsd={limitUsd} />)
    .container.textContent

it.each<[Partial<Spend>, number | null, string]>([
  [{ costUsd: 1.25 }, 5, 'Spent this month: $1.2500 of $5.0025% of the limit. '],
  [{ costUsd: 4.5 }, 5, 'Spent this month: $4.5000 of $5.00Close to the limit: 90% is spent. '],
  [{ costUsd: 4.5 }, null, 'Spent this month: $4.5000No limit is set. '],
])('tells %j of %j', (change, limitUsd, text) => {
  expect(currentLanguage()).toBe('en')
  expect(show(change, limitUsd)).toBe(text)
})

it('says that nothing is answered any more, with a bar that is full', () => {
  expect(show({ costUsd: 7 }, 5)).toMatch(/Limit reached: answers stop until the next month begins/)
  expect(screen.getByRole('progressbar', { name: 'Share of the limit spent' })).toHaveAttribute('aria-valuenow', '100')
})

it('never shows what is unknown as zero', () => {
  expect(show({ costUsd: 0, unpricedCalls: 1 }, null)).toBe(
    'Spent this month: an unknown amountNo limit is set. 1 call has no known price and is not included.',
  )
  expect(show({ costUsd: 0.5, unpricedCalls: 1200 }, null)).toMatch(/at least \$0\.5000.*1,200 calls have no known/)
  expect(show({ costUsd: 0.00001 }, null)).toMatch(/<\s\$0\.0001/)
})
