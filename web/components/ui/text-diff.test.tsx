// Two texts as one.
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

it('shows nothing but the text when both are the same', () => {
  expect(changes('Same.', 'Same.')).toEqual({ removed: [], added: [] })
})
