// A site that was not allowed to show a web chat is named, and put into the list by a press.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { RefusedSite } from './refused-site.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})
const refused = { site: 'shop.example', at: Date.now() }

it('is named, and allowed by a press', async () => {
  const onAllow = vi.fn()
  render(<RefusedSite refused={refused} domains={['other.example']} onAllow={onAllow} />)
  expect(screen.getByText(/shop\.example/)).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Add to the list' }))
  expect(onAllow).toHaveBeenCalledWith('shop.example')
})

it.each([
  ['none was refused', null, []],
  ['it stands in the list by now', refused, ['shop.example']],
])('nothing is shown where %s', (_, given, domains) => {
  const { container } = render(<RefusedSite refused={given} domains={domains} onAllow={undefined} />)
  expect(container).toBeEmptyDOMElement()
})
