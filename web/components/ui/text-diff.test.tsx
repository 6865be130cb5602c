// The difference of two texts, shown as one text.
import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { TextDiff } from './text-diff.tsx'

function changes(before: string, after: string) {
  const { container } = render(<TextDiff label="Changes" before={before} after={after} />)
  const texts = (tag: string) => [...container.querySelectorAll(tag)].map((element) => element.textContent)
  return { removed: texts('del'), added: texts('ins') }
}

it('compares whole words, in Russian too', () => {
  expect(changes('Отвечай коротко и тепло.', 'Отвечай подробно и тепло.')).toEqual({
    removed: ['коротко'],
    added: ['подробно'],
  })
  expect(changes('Be kind, be brief.', 'Be kind, be brief!')).toEqual({ removed: ['.'], added: ['!'] })
})

it('shows a rewrite as removed and added lines, and keeps the unchanged ones', () => {
  const before = 'You are the assistant of a hotel.\nAnswer in two sentences.\nSign with the name of the hotel.'
  const after =
    'Help whoever plans a stay by the sea.\nAnswer in two sentences.\nNever promise a room that is not free, and ask for dates.'
  expect(changes(before, after)).toEqual({
    removed: ['You are the assistant of a hotel.\n', 'Sign with the name of the hotel.\n'],
    added: ['Help whoever plans a stay by the sea.\n', 'Never promise a room that is not free, and ask for dates.\n'],
  })
})

it('shows a new or a removed text as a whole', () => {
  expect(changes('', 'New.')).toEqual({ removed: [], added: ['New.\n'] })
  expect(changes('Old.', '')).toEqual({ removed: ['Old.\n'], added: [] })
})

it('shows only the text when both are equal', () => {
  expect(changes('Same.', 'Same.')).toEqual({ removed: [], added: [] })
})
