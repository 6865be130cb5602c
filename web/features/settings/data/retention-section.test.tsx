// The retention settings: expired data that is kept anyway is shown, also before a change takes effect.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { RetentionSection } from './retention-section.tsx'

const preview = vi.fn()
fakeConvex(() => ({
  useQuery: () => SAVED,
  useAction: () => preview,
  useMutation: () => vi.fn(),
}))
const SAVED = { messages: 30, attachments: null, traces: null }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})

it('shows how many conversations are kept and why, for the saved settings and for a change', async () => {
  preview.mockImplementation(async ({ messages }: typeof SAVED) => ({
    ...{ messages: 0, attachments: 0, traces: 0 },
    left: messages === 30 ? { paused: 2, waiting: 0, sending: 0 } : { paused: 5, waiting: 0, sending: 1 },
  }))
  const element = (
    <QueryClientProvider client={queryClient}>
      <RetentionSection />
    </QueryClientProvider>
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  expect(await screen.findByText(/but kept for now: 2 conversations with a paused agent\.$/)).toBeVisible()
  await expectAccessible()
  const days = screen.getByRole('textbox', { name: /Messages/ })
  await userEvent.clear(days)
  await userEvent.type(days, '10')
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByRole('alertdialog')).toHaveTextContent(
    /Nothing will be deleted next night\. Older, but kept for now: 5 conversations with a paused agent, 1 conversation with something/,
  )
})
