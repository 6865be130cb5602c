// Overrides of a tester: whose turns they change, and how they are recorded.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { applyOverrides, keepsDailyLimits, keepsHours, momentOf, sendingChannel } from './rehearsal.rules.ts'
import type { Turn } from './turn.ts'

const settings = agentSettings.parse({ model: 'test/one', temperature: 0.5 })

function turn(channel: Turn['conversation']['channel'], overrides: Record<string, unknown>): Turn {
  return {
    overrides,
    conversation: { channel, customerName: null },
    agent: { settings, spaceIds: ['own'], disabledSources: { own: ['documents'] } },
    limits: { notices: { outside_hours: 1 }, language: null },
  } as unknown as Turn
}

describe('applyOverrides', () => {
  it("leaves a customer's turn as it is, whatever its overrides", () => {
    const customers = turn('telegram', { model: 'test/two', simulate: { at: 5, channel: 'whatsapp' } })
    expect(applyOverrides(customers)).toBe(customers)
    expect(momentOf(customers, 7)).toBe(7)
    expect(sendingChannel(customers)).toBe('telegram')
    expect(keepsHours(customers) && keepsDailyLimits(customers)).toBe(true)
  })

  it('records what differs from the agent, and nothing of an unchanged section', () => {
    const overrides = { temperature: 0.5, model: 'test/two', replies: { ...settings.replies, splitByParagraphs: true } }
    expect(applyOverrides(turn('test', overrides)).overrides).toEqual({
      model: 'test/two',
      'replies.splitByParagraphs': true,
    })
  })

  it('records the simulated time in readable form', () => {
    const applied = applyOverrides(turn('test', { simulate: { at: Date.UTC(2026, 0, 1) } }))
    expect(applied.overrides).toEqual({ 'simulate.at': '2026-01-01T00:00:00.000Z' })
    expect(momentOf(applied, 7)).toBe(Date.UTC(2026, 0, 1))
  })

  it.each([
    [{}, false, false],
    [{ simulate: { at: 5 } }, true, false],
    [{ applyRules: true }, true, true],
  ])('with %j keeps the hours: %j, the daily limits: %j', (overrides, hours, limits) => {
    const applied = applyOverrides(turn('test', overrides))
    expect(keepsHours(applied)).toBe(hours)
    expect(keepsDailyLimits(applied)).toBe(limits)
  })

  it.each([
    [{}, { own: ['documents'] }],
    [{ tools: { tables: true } }, { own: ['documents'] }],
    [{ tools: { tables: false } }, { own: ['documents', 'tables'] }],
    [
      { tools: { tables: false, webSearch: false }, knowledge: { isOn: true, spaceIds: ['own', 'other'] } },
      { own: ['documents', 'webSearch', 'tables'], other: ['webSearch', 'tables'] },
    ],
  ])('with %j leaves out of its spaces %j', (overrides, disabled) => {
    expect(applyOverrides(turn('test', overrides)).agent.disabledSources).toEqual(disabled)
  })

  it('repeats notices to a tester who has had them before', () => {
    expect(applyOverrides(turn('test', {})).limits.notices).toEqual({})
  })
})
