// What the pause dialog asks and sends.
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { PauseDialog } from './pause-dialog.tsx'

const server = vi.hoisted(() => ({ autoResumeMs: null as number | null, pause: vi.fn(async () => null) }))
fakeConvex(() => ({
  useQuery: (_: unknown, args: unknown) =>
    args === 'skip' ? undefined : { handoff: { autoResumeMs: server.autoResumeMs } },
  useMutation: () => server.pause,
}))

const MINUTE = 60_000
const conversation = { _id: 'conversation', status: 'active' } as Conversation
const agent = { _id: 'agent' } as AgentSummary

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  server.autoResumeMs = null
  server.pause.mockClear()
})

function open(more: Partial<Conversation> = {}, of: AgentSummary | undefined = agent) {
  const onClose = vi.fn()
  render(<PauseDialog conversation={{ ...conversation, ...more }} agent={of} onClose={onClose} />)
  return { onClose, user: userEvent.setup() }
}

async function choose(user: ReturnType<typeof userEvent.setup>, option: string): Promise<void> {
  await user.click(screen.getByRole('combobox', { name: 'Resume automatically' }))
  await user.click(screen.getByRole('option', { name: option }))
}

async function confirm(user: ReturnType<typeof userEvent.setup>): Promise<void> {
  await user.click(screen.getByRole('button', { name: 'Pause' }))
}

describe('the pause dialog', () => {
  it('pauses until resumed by hand, and closes', async () => {
    const { onClose, user } = open()
    await confirm(user)
    expect(server.pause).toHaveBeenCalledWith({ conversationId: 'conversation' })
    await waitFor(() => expect(onClose).toHaveBeenCalled())
  })

  it("proposes the agent's default duration", async () => {
    server.autoResumeMs = 45 * MINUTE
    const { user } = open()
    expect(screen.getByRole('combobox')).toHaveTextContent('in 45 minutes, as set for the agent')
    await confirm(user)
    expect(server.pause).toHaveBeenCalledWith({ conversationId: 'conversation', resumeAfterMs: 45 * MINUTE })
  })

  it('has no default for a deleted agent', () => {
    server.autoResumeMs = 45 * MINUTE
    render(<PauseDialog conversation={conversation} agent={undefined} onClose={() => undefined} />)
    expect(screen.getByRole('combobox')).toHaveTextContent('Only manually')
  })

  it('accepts one of the offered durations', async () => {
    const { user } = open()
    await choose(user, 'in 8\u00a0hours')
    await confirm(user)
    expect(server.pause).toHaveBeenCalledWith({ conversationId: 'conversation', resumeAfterMs: 480 * MINUTE })
  })

  it('accepts any number of minutes or hours up to a week, and explains why others are refused', async () => {
    const { user } = open()
    await choose(user, 'Another time…')
    const amount = screen.getByRole('textbox', { name: 'In' })
    await user.clear(amount)
    await user.type(amount, '200')
    expect(screen.getByText('From 1 minute to 1 week.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Pause' })).toBeDisabled()
    await user.clear(amount)
    await user.type(amount, '36')
    await confirm(user)
    expect(server.pause).toHaveBeenCalledWith({ conversationId: 'conversation', resumeAfterMs: 36 * 60 * MINUTE })
  })

  it('closes at once, and offers a retry when the server refuses', async () => {
    const failure = vi.spyOn(toast, 'failure').mockImplementation(() => '')
    server.pause.mockRejectedValueOnce(new Error('refused'))
    const { onClose, user } = open()
    await confirm(user)
    expect(onClose).toHaveBeenCalled()
    const again = failure.mock.calls[0]?.[1]?.action
    expect(again?.label).toBe('Try again')
    again?.onClick()
    expect(server.pause).toHaveBeenCalledTimes(2)
    expect(server.pause).toHaveBeenLastCalledWith({ conversationId: 'conversation' })
  })

  it('explains that changing a pause assigns the conversation to the user', () => {
    open({ status: 'paused' })
    expect(screen.getByRole('dialog', { name: 'How long should the agent stay silent?' })).toHaveTextContent(
      'it no longer waits for a person',
    )
  })
})
