// How text written by a model is rendered, whatever it contains.
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
  it('shows a text that is nested too deep as plain text', async () => {
    const deep = `${'>'.repeat(10_000)} a`
    const { container } = render(<Markdown text={deep} />)
    await waitFor(() => expect(container.textContent).toBe(deep))
    expect(container.querySelector('blockquote')).toBeNull()
  })

  it('shows plain text when rendering fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { container } = render(<Markdown text="**bold** words" />)
    await waitFor(() => expect(console.error).toHaveBeenCalled())
    await waitFor(() => expect(container.textContent).toBe('**bold** words'))
    vi.restoreAllMocks()
  })
})

describe('a part that fails to render', () => {
  function Broken({ error }: { error: Error }): never {
    throw error
  }

  it('falls back to its text, and keeps everything around it', () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    render(
      <>
        <PartBoundary text="<b>its words</b>">
          <Broken error={new TypeError('Element type is invalid')} />
        </PartBoundary>
        <p>after it</p>
      </>,
    )
    expect(screen.getByText('<b>its words</b>')).toBeVisible()
    expect(screen.getByText(/could not be shown/)).toBeVisible()
    expect(screen.getByText('after it')).toBeVisible()
    vi.restoreAllMocks()
  })

  it('leaves errors of the server to the page', () => {
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
