// What "Why?" of a message says before the record of a turn, and how one gets from one turn to another.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { ExplainedTurn, MessageExplanation, Standing } from '#shared/messaging/explanations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { WhyExplanation } from './why-explanation.tsx'

fakeConvex(() => ({}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations', 'why')
})

const AT = Date.parse('2026-03-01T10:00:00Z')
const silence = { reason: 'operator', since: AT, by: 'Boris' } as const

function turn(id: string, outcome: string | null, more: Partial<ExplainedTurn> = {}): ExplainedTurn {
  return { _id: id as ExplainedTurn['_id'], kind: 'reply', outcome, at: AT, hasRecord: outcome !== null, ...more }
}

function show(explanation: Partial<MessageExplanation>) {
  const onChoose = vi.fn()
  const onGoTo = vi.fn()
  const { container } = render(
    <WhyExplanation
      explanation={{ turns: [], turnId: null, held: null, standing: null, ...explanation }}
      turn={explanation.turns?.[0]}
      trace={null}
      modelLabel={String}
      onChoose={onChoose}
      onGoTo={onGoTo}
    />,
  )
  return { text: container.textContent ?? '', onChoose, onGoTo }
}

describe('the explanation of a message', () => {
  it('says who held the agent back and until when, once while it lasts', () => {
    const paused = { kind: 'paused', until: null, ...silence } as const
    const { text } = show({ held: silence, standing: paused })
    expect(text).toMatch(
      /is waiting: the agent is silent here.*paused manually.*by Boris.*Until someone resumes the agent/,
    )
    expect(text).not.toContain('When this message came')
    expect(show({ held: { ...silence, since: AT - 1 }, standing: paused }).text).toContain('When this message came')
  })

  it('has a sentence of its own for every way to stand', () => {
    const waits = (['customer', 'before', 'try', 'room'] as const).map(
      (cause): Standing => ({ kind: 'waiting', for: cause, until: AT, failure: cause === 'try' ? 'timeout' : null }),
    )
    const kinds = ['ended', 'agent_deleted', 'connection_off', 'connection_error', 'rated', 'unrecorded'] as const
    const standings: Standing[] = [
      ...kinds.map((kind) => ({ kind })),
      ...waits,
      { kind: 'answering', since: AT },
      { kind: 'follow_up', at: AT },
      { kind: 'paused', until: AT, ...silence },
      { kind: 'answered', by: 'agent', name: null, messageId: 'm' as never, at: AT },
      { kind: 'answered', by: 'operator', name: 'Boris', messageId: 'm' as never, at: AT },
      { kind: 'answered', by: 'operator', name: null, messageId: 'm' as never, at: AT },
    ]
    const texts = standings.map((standing) => show({ standing }).text)
    expect(texts.filter((text) => text.trim() === '')).toEqual([])
    expect(new Set(texts).size).toBe(standings.length)
  })

  it('lists several turns, each a click away, and marks the one that is shown', async () => {
    const { onChoose } = show({ turns: [turn('t2', 'replied'), turn('t1', 'superseded')] })
    expect(screen.getByRole('button', { name: /The agent answered/, pressed: true })).toBeInTheDocument()
    await userEvent.click(
      screen.getByRole('button', { name: /The customer wrote more in the meantime/, pressed: false }),
    )
    expect(onChoose).toHaveBeenCalledWith('t1')
  })

  it('says of a turn without a record how it ended, or that it has not', () => {
    expect(show({ turns: [turn('t', 'merged', { hasRecord: false })] }).text).toMatch(
      /passed on to the next answer.*no record/,
    )
    expect(show({ turns: [turn('t', null)] }).text).toMatch(/Not finished yet.*when the attempt is finished/)
  })

  it('leads to the answer where that is in sight', async () => {
    const standing = { kind: 'answered', by: 'agent', name: null, messageId: 'm' as never, at: AT } as const
    show({ standing })
    expect(screen.queryByRole('button')).not.toBeInTheDocument()
    render(<p id="message-m">Here</p>)
    const { onGoTo } = show({ standing })
    await userEvent.click(screen.getByRole('button', { name: 'Show the answer' }))
    expect(onGoTo).toHaveBeenCalledWith('m')
  })
})
