// What a link to a test chat encodes, and how it is decoded.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import type { Id } from '#shared/ids.ts'
import { testOverrides } from '#shared/messaging/test-chat.ts'
import {
  CONTROLS_OF,
  type Controls,
  countSet,
  overridesOf,
  parseControls,
  withControl,
  withoutGone,
} from './controls.rules.ts'

const agent = {
  ...agentSettings.parse({ model: 'test/one', temperature: 0.5, systemPrompt: 'Be kind.' }),
  knowledgeSpaceIds: ['s2', 's1'] as Id<'knowledgeSpaces'>[],
} as Agent

describe('a link', () => {
  it('restores the overrides', () => {
    const controls: Controls = { temperature: 0.1, spaces: ['s1'], at: 5, channel: 'telegram', byAgent: false }
    expect(parseControls(JSON.stringify(controls))).toEqual(controls)
  })

  it.each(['', 'not json', '[]', '{}', 'null', '{"unknown":1}', '{"temperature":9}', '{"channel":"fax","at":-1}'])(
    'that says %j changes nothing',
    (text) => {
      expect(parseControls(text)).toBeNull()
    },
  )

  it('keeps valid parts and ignores invalid ones', () => {
    expect(parseControls('{"temperature":"hot","model":"test/two"}')).toEqual({ model: 'test/two' })
  })
})

describe('spaces named in a link', () => {
  const controls: Controls = { spaces: ['s1', 's2'], temperature: 1 }

  it('are dropped when deleted, and counted', () => {
    expect(withoutGone(controls, ['s2', 's3'])).toEqual({ controls: { spaces: ['s2'], temperature: 1 }, gone: 1 })
  })

  it("fall back to the agent's own when none is left", () => {
    expect(withoutGone(controls, [])).toEqual({ controls: { temperature: 1 }, gone: 2 })
  })

  it('stay while the list is loading, and when all of them exist', () => {
    expect(withoutGone(controls, undefined)).toEqual({ controls, gone: 0 })
    expect(withoutGone(controls, ['s1', 's2'])).toEqual({ controls, gone: 0 })
    expect(withoutGone({}, [])).toEqual({ controls: {}, gone: 0 })
  })
})

describe('a control', () => {
  it('is set by a value that differs from the agent, and reset by the same value or none', () => {
    const set = withControl({}, 'temperature', 0.1, agent)
    expect(set).toEqual({ temperature: 0.1 })
    expect(withControl(set, 'temperature', 0.5, agent)).toEqual({})
    expect(withControl(set, 'temperature', undefined, agent)).toEqual({})
    expect(withControl({ spaces: ['s1'] }, 'spaces', ['s1', 's2'], agent)).toEqual({})
  })

  it('belongs to exactly one group, and counts in it', () => {
    const keys = Object.values(CONTROLS_OF).flat()
    expect(new Set(keys).size).toBe(keys.length)
    const controls: Controls = { model: 'test/two', spaces: [], name: 'Bolat' }
    expect(countSet(controls)).toBe(3)
    expect(countSet(controls, 'runtime')).toBe(1)
  })
})

describe('overrides', () => {
  it('are empty when nothing is set', () => {
    expect(overridesOf({}, agent)).toEqual({})
  })

  it('send a changed section whole and leave the rest to the agent', () => {
    const overrides = overridesOf({ byAgent: false, byParagraphs: true, maxMessages: 2 }, agent)
    expect(overrides).toEqual({
      handoff: { ...agent.handoff, byAgent: false },
      replies: { ...agent.replies, splitByParagraphs: true },
      context: { ...agent.context, maxMessages: 2 },
    })
  })

  it('are accepted by the server, whatever is set', () => {
    const all: Required<Controls> = {
      model: 'test/two',
      temperature: 1,
      systemPrompt: '',
      knowledge: false,
      spaces: ['s1'],
      applyRules: true,
      channel: 'whatsapp',
      byParagraphs: true,
      at: 1,
      name: 'Bolat',
      language: 'kk',
      maxMessages: 3,
      maxTokens: 500,
      webSearch: false,
      tables: false,
      choices: true,
      byAgent: false,
      httpTools: ['t2'],
      mcpTools: ['m2'],
    }
    const overrides = overridesOf(all, agent)
    expect(testOverrides.parse(overrides)).toEqual(overrides)
    expect(overrides.simulate).toEqual({ channel: 'whatsapp', at: 1, contact: { name: 'Bolat', language: 'kk' } })
    expect(overrides.knowledge).toEqual({ isOn: false, spaceIds: ['s1'] })
    expect(overrides.tools).toEqual({ webSearch: false, tables: false })
    expect(overrides.choices).toEqual({ isOn: true })
    expect(overrides.functions).toEqual({ ...agent.functions, tools: ['t2'], mcpTools: ['m2'] })
  })
})
