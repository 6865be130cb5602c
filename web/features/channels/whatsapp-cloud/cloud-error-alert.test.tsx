// What helps depends on what Meta refuses.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it } from 'vitest'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CloudErrorAlert } from './cloud-error-alert.tsx'

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('channels')
})

it.each([
  ['unsubscribed: 100 no capability', 'Meta does not pass on this number', /Business settings/],
  ['190 the token has expired', 'Meta reports a problem', /enter a new one below/],
])('of "%s" people read what to do', (lastError, title, help) => {
  render(<CloudErrorAlert connection={{ lastError }} />)
  expect(screen.getByText(title, { exact: false })).toBeInTheDocument()
  expect(screen.getByText(help)).toBeInTheDocument()
})

it('nothing is shown where Meta refuses nothing', () => {
  const { container } = render(<CloudErrorAlert connection={{ lastError: null }} />)
  expect(container).toBeEmptyDOMElement()
})
