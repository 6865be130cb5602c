// Keys of the agent's own: entered once, tried in words, removed after a question.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { AgentKey } from '#shared/agents/agent-keys.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { AppError } from '#shared/errors.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { OpenSectionsContext } from '../use-open-sections.ts'
import { KeysSection } from './keys-section.tsx'

const server = vi.hoisted(() => ({ call: vi.fn<(name: string, args: unknown) => Promise<unknown>>() }))
fakeConvex(() => {
  const useCall = (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(reference), args)
  return { useQuery: () => [], useMutation: useCall, useAction: useCall }
})

let hasOwnOpenAi = false
vi.mock('./use-media-providers.ts', () => ({ useMediaProviders: () => ({ hasOwnOpenAi }) }))

const agent = { _id: 'a1', name: 'Shop' } as Agent
const stored: AgentKey = { agentId: agent._id, provider: 'openai', maskedKey: '…abcd', updatedAt: 0 }

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents')
})
beforeEach(() => {
  server.call.mockReset()
  vi.spyOn(toast, 'success').mockReturnValue('')
})

function open(keys: AgentKey[]) {
  const sections = { isOpen: () => true, setOpen: () => {}, showErrors: () => {} }
  const element = (
    <OpenSectionsContext value={sections}>
      <KeysSection agent={agent} keys={keys} />
    </OpenSectionsContext>
  )
  render(<RouterProvider router={createMemoryRouter([{ path: '/', element }])} />)
  return userEvent.setup()
}

it('stores a key and forgets it on the screen; only its end is shown afterwards', async () => {
  server.call.mockResolvedValue([])
  const user = open([])
  await user.click(screen.getByRole('button', { name: 'Add a key for Anthropic' }))
  await user.type(screen.getByLabelText('Anthropic key'), ' sk-ant-0123456789abcdef {Enter}')
  expect(server.call.mock.calls).toEqual([
    ['agents/keys:set', { agentId: 'a1', provider: 'anthropic', key: 'sk-ant-0123456789abcdef' }],
  ])
  expect(screen.queryByLabelText('Anthropic key')).not.toBeInTheDocument()
})

it('refuses at once what cannot be a key', async () => {
  const user = open([])
  await user.click(screen.getByRole('button', { name: 'Add a key for OpenAI' }))
  const field = screen.getByLabelText('OpenAI key')
  await user.type(field, 'sk with spaces in it 0123456789{Enter}')
  expect(field).toHaveAccessibleDescription(/Paste the whole key/)
  expect(server.call).not.toHaveBeenCalled()
})

it('tries a key before it is stored, and says in words what is wrong with it', async () => {
  server.call.mockRejectedValue(new AppError('key_refused'))
  const user = open([])
  await user.click(screen.getByRole('button', { name: 'Add a key for OpenAI' }))
  await user.type(screen.getByLabelText('OpenAI key'), 'sk-0123456789abcdef')
  await user.click(screen.getByRole('button', { name: 'Test' }))
  expect(await screen.findByRole('alert')).toHaveTextContent(/does not accept this key/)
  expect(server.call.mock.calls[0]).toEqual([
    'agents/keys:test',
    { agentId: 'a1', provider: 'openai', key: 'sk-0123456789abcdef' },
  ])
})

it('tries the stored key without knowing it', async () => {
  server.call.mockResolvedValue({ model: 'openai/gpt-5-mini' })
  const user = open([stored])
  expect(screen.getByText('…abcd')).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Test the OpenAI key' }))
  expect(await screen.findByText(/openai\/gpt-5-mini answered/)).toBeInTheDocument()
  expect(server.call.mock.calls).toEqual([['agents/keys:test', { agentId: 'a1', provider: 'openai' }]])
})

it('removes a key only after a question', async () => {
  server.call.mockResolvedValue(null)
  const user = open([stored])
  await user.click(screen.getByRole('button', { name: 'Remove the OpenAI key' }))
  expect(server.call).not.toHaveBeenCalled()
  await user.click(await screen.findByRole('button', { name: 'Remove' }))
  expect(server.call.mock.calls).toEqual([['agents/keys:remove', { agentId: 'a1', provider: 'openai' }]])
})

it('says what each key is used for, and where one of OpenAI goes', () => {
  hasOwnOpenAi = true
  open([stored])
  expect(screen.getByText(/…abcd/).parentElement).toHaveTextContent(/answers, voice messages, images, spoken answers$/)
  expect(screen.getAllByText(/^No key of your own · voice messages$/)).toHaveLength(3)
  expect(screen.getByRole('status')).toHaveTextContent(/to its own OpenAI-compatible server/)
})
