// What a model receives when a customer has pressed "Start".
import { describe, expect, it } from 'vitest'
import type { HistoryMessage, Turn } from '../../turns/turn.ts'
import { withOpenings } from './opening.rules.ts'

const limits = { language: 'ru' } as Turn['limits']
let sequence = 0
const sent = (text: string, author: HistoryMessage['author'] = 'customer'): HistoryMessage => {
  return { sequence: ++sequence, author, status: 'complete', text, at: 0 }
}
const open = (...history: HistoryMessage[]) => withOpenings({ history, limits })

describe('pressing "Start"', () => {
  it.each(['/start', '/START', ' /start ', '/start@shop_bot'])('as %j is a greeting, and asks for nothing', (text) => {
    const [message] = open(sent(text))
    expect(message).toMatchObject({ text: 'Здравствуйте!', subject: '' })
    expect(message?.data?.[0]?.text).toContain('has just opened the chat')
  })

  it('tells the model by which link they came, as data', () => {
    const [message] = open(sent('/start ref_123'))
    expect(message?.text).toBe('Здравствуйте!')
    expect(message?.data?.[0]?.text).toContain('carries: ref_123')
  })

  it('greets in the language they have written in before, else in that of their messenger', () => {
    expect(open(sent('Do you deliver to us?'), sent('Yes', 'agent'), sent('/start')).at(-1)?.text).toBe('Hello!')
    const [message] = withOpenings({ history: [sent('/start')], limits: { ...limits, language: 'en-GB' } })
    expect(message?.text).toBe('Hello!')
  })

  it.each(['/catalog', '/starter', 'How do I /start?'])('is not what %j means', (text) => {
    expect(open(sent(text))).toMatchObject([{ text }])
  })

  it('is nothing that an operator or the agent says', () => {
    const history = [sent('/start', 'operator'), sent('/start', 'agent')]
    expect(open(...history)).toEqual(history)
  })
})
