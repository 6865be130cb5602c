// Effects of customer commands.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { connectionSettings } from '#shared/channels/connection-settings.ts'
import { checkCommands, commandOf, commandTexts, isHalting, withoutCommands } from './commands.rules.ts'
import { startTrace } from './trace.ts'
import type { HistoryMessage, Turn } from './turn.ts'

const hours = { command: 'hours', description: { ru: '', en: 'Hours' }, action: 'text' as const, text: 'From nine.' }
const boss = { command: 'boss', description: { ru: '', en: 'Boss' }, action: 'handoff' as const, text: 'He comes.' }
const settings = connectionSettings.parse({ welcomeText: 'Welcome!', commands: [hours, boss] })

function turnWith(own = settings, phrasesThrough = 0): Turn {
  return {
    agent: { version: 1, isDraft: false, settings: agentSettings.parse({ model: 'a/b' }) },
    overrides: {},
    limits: { language: 'en' },
    connection: { settings: own },
    conversation: { phrasesThrough },
    history: [],
  } as unknown as Turn
}
function sent(...texts: string[]): HistoryMessage[] {
  return texts.map((text, at) => ({ sequence: at + 1, author: 'customer', status: 'complete', text, at: 0 }))
}
function check(questions: HistoryMessage[], turn = turnWith()) {
  const trace = startTrace(turn)
  return { refusal: checkCommands(turn, questions, trace), gates: trace.finish('').gates }
}

describe('a command', () => {
  it.each([
    ['/start', 'start'],
    ['/START ref_1', 'start'],
    [' /hours@shop_bot ', 'text'],
    ['/human', 'handoff'],
    ['/boss now', 'handoff'],
    ['/stop', 'stop'],
  ])('%j is known by its name', (text, action) => {
    expect(commandOf(text, settings)?.action).toBe(action)
  })

  it.each(['/catalog', '/hoursx', 'see /stop', 'stop', '/'])('%j is none', (text) => {
    expect(commandOf(text, settings)).toBeNull()
  })

  it('is none on a connection that knows no commands', () => {
    expect(commandOf('/stop', null)).toBeNull()
  })

  it('cancels the answer in progress when it asks for silence or a person', () => {
    expect(['/stop', '/human', '/boss', '/start', '/hours', 'Hi'].filter((text) => isHalting(text, settings))).toEqual([
      '/stop',
      '/human',
      '/boss',
    ])
  })

  it('is not searched for phrases, unless it only greets', () => {
    expect(withoutCommands(sent('/stop', '/start', 'operator'), settings).map(({ text }) => text)).toEqual([
      '/start',
      'operator',
    ])
  })
})

describe('commands that wait', () => {
  it('are answered by their texts, each once, when there are no other messages', () => {
    const { refusal, gates } = check(sent('/start', '/hours', '/hours'))
    expect(refusal).toMatchObject({
      reason: 'welcomed',
      notice: 'Welcome!\n\nFrom nine.',
      handoff: null,
      isSettled: true,
    })
    expect(gates).toEqual([{ gate: 'command', hasPassed: false, facts: { command: '/hours' } }])
    expect(check(sent('/hours')).refusal).toMatchObject({ reason: 'command_answered', notice: 'From nine.' })
  })

  it('precede the answer of the agent when there are other messages', () => {
    const { refusal, gates } = check(sent('/hours', 'And the price?'))
    expect(refusal).toBeNull()
    expect(gates).toMatchObject([{ gate: 'command', hasPassed: true }])
    expect(commandTexts(turnWith(), sent('/hours', 'And the price?', '/hours'))).toEqual(['From nine.'])
  })

  it('leave the greeting to the agent without a welcome text', () => {
    expect(check(sent('/start'), turnWith(connectionSettings.parse({}))).refusal).toBeNull()
  })

  it('are decided by the last stop, start or handoff command', () => {
    expect(check(sent('Price?', '/human', '/stop')).refusal).toMatchObject({
      reason: 'customer_stop',
      handoff: 'customer_stop',
      notice: expect.stringContaining('/start'),
    })
    expect(check(sent('/stop', '/boss')).refusal).toMatchObject({ reason: 'customer_request', notice: 'He comes.' })
    expect(check(sent('/stop', '/start')).refusal).toBeNull()
  })

  it('have no effect again after the agent was resumed', () => {
    expect(check(sent('/stop', 'Price?'), turnWith(settings, 1)).refusal).toBeNull()
  })

  it('leave no trace where there are none', () => {
    expect(check(sent('Hello'))).toEqual({ refusal: null, gates: [] })
  })
})
