// The template: checked while it is typed, saved, tried on an agent, and taken back to an earlier version.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { TemplateVersion } from '#shared/organizations/prompt-template.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { TemplatePage } from './template-page.tsx'

const FIRST: TemplateVersion = { number: 1, text: 'Be polite.', author: 'Anna', restoredFrom: null, createdAt: 0 }
const SECOND: TemplateVersion = { number: 2, text: 'Be brief.', author: null, restoredFrom: null, createdAt: 0 }

const server = vi.hoisted(() => ({
  current: null as unknown,
  versions: [] as unknown[],
  update: vi.fn(),
  restore: vi.fn(),
}))
fakeConvex(() => ({
  useQuery: (_query: unknown, args: unknown) => {
    if (args === 'skip') return undefined
    if (typeof args === 'object' && args !== null && 'agentId' in args) return { text: 'Be brief.\n\nSell tea.' }
    return server.current
  },
  usePaginatedQuery: () => ({ results: server.versions, status: 'Exhausted', loadMore: () => {} }),
  useMutation: () => async (args: object) => ('number' in args ? server.restore(args) : server.update(args)),
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  Object.assign(server, { current: SECOND, versions: [SECOND, FIRST] })
  server.update.mockReset().mockResolvedValue(SECOND)
  server.restore.mockReset().mockResolvedValue(SECOND)
})

function show(): void {
  const router = createMemoryRouter([{ path: '/', element: <TemplatePage /> }])
  render(<RouterProvider router={router} />)
}

it('cannot be saved unchanged, empty, or with a placeholder that does not exist', async () => {
  show()
  const save = screen.getByRole('button', { name: 'Save' })
  expect(save).toBeDisabled()
  const text = screen.getByRole('textbox', { name: 'Template text' })
  await userEvent.clear(text)
  expect(save).toBeDisabled()
  expect(text).toHaveAccessibleDescription(/Enter the text of the template/)
  await userEvent.type(text, 'You are {{{{agent}}, call {{{{nme}}')
  expect(text).toHaveAccessibleDescription(/The placeholder nme does not exist/)
  expect(save).toBeDisabled()
  await expectAccessible()
})

it('counts characters and tokens, and saves', async () => {
  show()
  const text = screen.getByRole('textbox', { name: 'Template text' })
  await userEvent.type(text, ' And kind.')
  expect(screen.getByText(/About 5 tokens/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(server.update).toHaveBeenCalledWith({ text: 'Be brief. And kind.' })
})

it('goes back to an earlier version after a question', async () => {
  show()
  const rows = screen.getAllByRole('listitem')
  expect(rows[0]).toHaveTextContent(/Version 2in useThe account is gone/)
  await userEvent.click(within(rows[1] as HTMLElement).getByRole('button', { name: 'Restore' }))
  const question = await screen.findByRole('alertdialog')
  await userEvent.click(within(question).getByRole('button', { name: 'Restore' }))
  expect(server.restore).toHaveBeenCalledWith({ number: 1 })
})

it('says that there is none yet', async () => {
  Object.assign(server, { current: null, versions: [] })
  show()
  expect(screen.getByText(/There is no template yet/)).toBeVisible()
  await expectAccessible()
})
