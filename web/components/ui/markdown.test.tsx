// What is shown of a text that a model has written, whatever stands in it.
import { render, screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import { startI18n } from '#web/lib/i18n.ts'
import { Markdown } from './markdown.tsx'
import { PartBoundary } from './part-boundary.tsx'

vi.mock('./markdown-content.tsx', () => ({
  MarkdownContent: () => {
    throw new RangeError('Maximum call stack size exceeded')
  },
}))
beforeAll(() => startI18n('en'))

describe('Markdown', () => {
  it('shows a text that is too deep as it was written', async () => {
    const deep = `${'>'.repeat(10_000)} a`
    const { container } = render(<Markdown text={deep} />)
    await waitFor(() => expect(container.textContent).toBe(deep))
    expect(container.querySelector('blockquote')).toBeNull()
  })

  it('shows the text as it was written where it cannot be drawn', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { container } = render(<Markdown text="**bold** words" />)
    await waitFor(() => expect(console.error).toHaveBeenCalled())
    await waitFor(() => expect(container.textContent).toBe('**bold** words'))
    vi.restoreAllMocks()
  })
})

describe('a part that cannot be drawn', () => {
  function Broken({ error }: { error: Error }): never {
    throw error
  }

  it('leaves its words, and everything beside it', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    render(
      <>
        <PartBoundary text="<b>its words</b>">
          <Broken error={new TypeError('Element type is invalid')} />
        </PartBoundary>
        <p>beside it</p>
      </>,
    )
    expect(screen.getByText('<b>its words</b>')).toBeVisible()
    expect(screen.getByText(/could not be shown/)).toBeVisible()
    expect(screen.getByText('beside it')).toBeVisible()
    vi.restoreAllMocks()
  })

  it('leaves what the server has refused to the page', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const refused = new AppError('unauthenticated')
    expect(() =>
      render(
        <PartBoundary text="words">
          <Broken error={refused} />
        </PartBoundary>,
      ),
    ).toThrow(refused)
    vi.restoreAllMocks()
  })
})
