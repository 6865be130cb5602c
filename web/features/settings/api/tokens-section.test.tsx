// Tokens of programs: what each opens is chosen when it is made, and shown ever after.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { ApiToken } from '#shared/organizations/api-tokens.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { TokensSection } from './tokens-section.tsx'

type Reference = Parameters<typeof getFunctionName>[0]

const server = vi.hoisted(() => ({
  tokens: [] as unknown[],
  call: vi.fn<(name: string, args: object) => Promise<unknown>>(),
}))
const act = (reference: Reference) => (args: object) => server.call(getFunctionName(reference), args)
fakeConvex(() => ({ useQuery: () => server.tokens, useMutation: act, useAction: act }))

const TOKEN: ApiToken = {
  _id: 't1' as ApiToken['_id'],
  ...{ name: 'Assistant', tail: 'abcd', scopes: ['agents.read', 'conversations.read'] },
  ...{ createdBy: 'Anna', createdAt: Date.UTC(2026, 10, 28), lastUsedAt: null },
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  server.tokens = []
  server.call.mockReset().mockResolvedValue({ token: 'parley_secret' })
})

it('shows what each token opens', async () => {
  server.tokens = [TOKEN]
  render(<TokensSection />)
  const row = screen.getByRole('listitem')
  expect(row).toHaveTextContent('Read agents (by MCP) · Read conversations (by MCP)')
  await expectAccessible()
})

it('makes a token with the scopes that were chosen, and none without any', async () => {
  render(<TokensSection />)
  await userEvent.click(screen.getByRole('button', { name: 'Create token' }))
  const dialog = within(screen.getByRole('dialog'))
  const boxes = dialog.getAllByRole('checkbox')
  expect(boxes.map((box) => (box as HTMLInputElement).checked)).toEqual([true, true, false, false, false, false])
  await userEvent.type(dialog.getByRole('textbox'), 'Assistant')
  for (const name of ['Read knowledge', 'Change knowledge'])
    await userEvent.click(dialog.getByRole('checkbox', { name }))
  await userEvent.click(dialog.getByRole('button', { name: 'Create token' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('Choose at least one.')
  expect(server.call).not.toHaveBeenCalled()
  await userEvent.click(dialog.getByRole('checkbox', { name: /^Answer customers/ }))
  await userEvent.click(dialog.getByRole('checkbox', { name: /^Read conversations/ }))
  await expectAccessible()
  await userEvent.click(dialog.getByRole('button', { name: 'Create token' }))
  expect(server.call).toHaveBeenCalledWith('apiTokens:create', {
    name: 'Assistant',
    scopes: ['conversations.read', 'conversations.write'],
  })
  expect(await screen.findByText('parley_secret')).toBeVisible()
})
