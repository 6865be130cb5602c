// What an operator sees of an answer while it is written, and what is announced.
import { render, screen } from '@testing-library/react'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { AnswerDraft } from '#shared/messaging/operator-tools.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { AnswerDrafts } from './answer-drafts.tsx'

const written = vi.hoisted((): { now: AnswerDraft[] | undefined } => ({ now: [] }))
fakeConvex(() => ({ useQuery: () => written.now }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  written.now = []
})

const thread = { _id: 't', count: 2, parts: [{ _id: 'other', agentName: 'Second' }] }

function draft(text: string, conversationId = 'c'): AnswerDraft {
  return { turnId: `turn of ${conversationId}`, conversationId, text } as AnswerDraft
}

function element(more: Partial<Conversation> = {}) {
  const conversation = { _id: 'c', isReplying: true, thread: null, ...more } as Conversation
  return <AnswerDrafts conversation={conversation} agent={{ name: 'Helper', avatar: null }} />
}

it('an answer without text yet is shown as upcoming', () => {
  render(element())
  expect(screen.getByText('Helper is answering…')).toBeInTheDocument()
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

it('its growing text is shown as unsent, and only its start is announced', () => {
  written.now = [draft('We open')]
  const { rerender } = render(element())
  const status = screen.getByRole('status')
  expect(status).toHaveTextContent(/^Helper is answering$/)
  expect(screen.getByText('being written, not sent yet')).toBeVisible()
  written.now = [draft('We open at nine.')]
  rerender(element())
  const bubble = screen.getByRole('article', { name: 'Helper is writing (not sent yet)' })
  expect(bubble).toHaveTextContent('We open at nine.')
  expect(bubble).toHaveAttribute('aria-live', 'off')
  expect(bubble).toHaveAttribute('aria-busy', 'true')
  expect(screen.getByRole('status')).toBe(status)
  expect(status).toHaveTextContent(/^Helper is answering$/)
  expect(screen.queryByText('Helper is answering…')).toBeNull()
})

it('disappears when it is no longer being written', () => {
  written.now = [draft('Half')]
  const { rerender } = render(element())
  written.now = []
  rerender(element({ isReplying: false }))
  expect(screen.queryByRole('article')).toBeNull()
  expect(screen.getByRole('status')).toBeEmptyDOMElement()
})

it('merged conversations show each answer with the name of its agent', () => {
  written.now = [draft('From the second', 'other')]
  render(element({ thread: thread as unknown as Conversation['thread'] }))
  expect(screen.getByRole('article', { name: 'Second is writing (not sent yet)' })).toHaveTextContent('From the second')
  expect(screen.getByText('Helper is answering…')).toBeInTheDocument()
})
