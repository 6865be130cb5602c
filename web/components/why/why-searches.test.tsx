// How the record of an answer shows each passage that was given to the model.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { WhySearches } from './why-searches.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('why')
})

it('separates found passages, with their score, from their neighbours', () => {
  const passage = (id: string, score: number) => ({
    id: id as Id<'chunks'>,
    source: `${id}.pdf`,
    page: null,
    score,
    excerpt: 'Text',
  })
  const searches = [{ query: 'late fee', isWeak: false, results: [passage('found', 0.72), passage('neighbour', 0)] }]
  render(<WhySearches searches={searches} />)
  const lines = screen.getAllByRole('listitem').map((line) => line.textContent)
  expect(lines).toContainEqual('found.pdf0.72Text')
  expect(lines).toContainEqual('neighbour.pdfcompletes a found passageText')
})
