// Whether a person is called, and the notice that the customer receives.
import { describe, expect, it } from 'vitest'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { startTrace } from '../turns/trace.ts'
import type { HistoryMessage, Turn } from '../turns/turn.ts'
import { answerOfHandoff, checkPhrases, checkSpokenPhrases } from './handoff.rules.ts'

const settings = agentSettings.parse({ model: 'a/b' })
const turn = {
  agent: { version: 1, isDraft: false, settings },
  overrides: {},
  limits: { language: null },
  conversation: { phrasesThrough: 2 },
  history: [{ sequence: 3, author: 'customer', status: 'complete', text: 'Вы тут?', at: 0 }],
} as unknown as Turn
const call = {} as ModelCall

function question(sequence: number, text: string, attachments: { kind: string; text: string }[] = []): HistoryMessage {
  return { sequence, author: 'customer', status: 'complete', text, at: 0, attachments } as unknown as HistoryMessage
}

describe('a customer who calls a person', () => {
  it('is heard in what they write', () => {
    const trace = startTrace(turn)
    expect(checkPhrases(turn, [question(3, 'an operator please')], trace)).toMatchObject({
      handoff: 'customer_request',
    })
    expect(trace.finish('').gates).toEqual([
      { gate: 'handoff_phrase', hasPassed: false, facts: { phrase: 'operator' } },
    ])
  })

  it('is not heard in what they wrote before the agent began to speak again', () => {
    expect(checkPhrases(turn, [question(2, 'operator'), question(3, 'price?')], startTrace(turn))).toBeNull()
  })

  it('is heard in what they say aloud, and not in the files that they send', () => {
    const aloud = [question(3, '', [{ kind: 'voice', text: 'Позовите человека' }])]
    const file = [question(3, '', [{ kind: 'document', text: 'operator' }])]
    expect(checkSpokenPhrases(turn, aloud, startTrace(turn))).toMatchObject({ reason: 'customer_request' })
    expect(checkSpokenPhrases(turn, file, startTrace(turn))).toBeNull()
  })
})

describe('a model that calls a person and says nothing', () => {
  const handoff = { request: { reason: 'policy' as const, note: null } }

  it("tells the customer in the agent's words, or else in the customer's language", () => {
    const own = {
      ...turn,
      agent: { ...turn.agent, settings: { ...settings, handoff: { ...settings.handoff, text: 'Own' } } },
    }
    expect(answerOfHandoff(own, handoff, call)?.text).toBe('Own')
    expect(answerOfHandoff(turn, handoff, call)?.text).toContain('сотруднику')
  })

  it('has not called one when it has not, or was not asked', () => {
    expect(answerOfHandoff(turn, { request: null }, call)).toBeNull()
    expect(answerOfHandoff(turn, handoff, null)).toBeNull()
  })
})
