// The banner of a paused agent.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type Conversation, PAUSE_REASONS } from '#shared/messaging/conversations.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { PauseBanner } from './pause-banner.tsx'

const resume = vi.hoisted(() => vi.fn(async () => null))
fakeConvex(() => ({ useQuery: () => undefined, useMutation: () => resume }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})

function show(more: Partial<Conversation>, role: OrganizationRole = 'operator'): string {
  const paused = { _id: 'c', status: 'paused', resumeAt: null, pauseReason: 'operator', handoffNote: null, ...more }
  const { container } = render(asRole(role, <PauseBanner conversation={paused as Conversation} agent={undefined} />))
  return container.textContent ?? ''
}

describe('the banner', () => {
  it('is hidden while the agent is active', () => {
    expect(show({ status: 'active' })).toBe('')
  })

  it('shows that no operator has come to a called conversation with an active agent, and lets it be settled', async () => {
    expect(show({ status: 'active', needsPerson: true })).toContain('nobody has come')
    await userEvent.click(screen.getByRole('button', { name: 'Mark as settled' }))
    expect(resume).toHaveBeenCalledWith({ conversationId: 'c' })
  })

  it('has its own sentence for every reason', () => {
    const sentences = PAUSE_REASONS.map((pauseReason) => show({ pauseReason }))
    expect(new Set(sentences).size).toBe(PAUSE_REASONS.length)
    for (const sentence of sentences) expect(sentence).toContain('The agent is silent until you resume it.')
  })

  it("shows the agent's note, and the remaining time of the pause", () => {
    const text = show({
      pauseReason: 'missing_knowledge',
      needsPerson: true,
      handoffNote: 'Wants the price of Riga',
      resumeAt: Date.now() + 30 * 60_000,
    })
    expect(text).toContain('The agent did not know the answer and called a person.')
    expect(text).toContain('Agent’s note: Wants the price of Riga')
    expect(screen.getByRole('timer')).toHaveTextContent(/(30:00|29:5\d) left/)
  })

  it('resumes the agent', async () => {
    show({})
    await userEvent.click(screen.getByRole('button', { name: 'Resume agent' }))
    expect(resume).toHaveBeenCalledWith({ conversationId: 'c' })
  })

  it.each(['builder', 'analyst'] as const)('explains, but lets a member who is %s resume nothing', (role) => {
    expect(show({}, role)).toContain('The agent is silent')
    expect(screen.queryByRole('button')).not.toBeInTheDocument()
  })
})
