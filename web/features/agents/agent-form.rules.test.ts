// What the settings form saves, and how the changes of two people are merged.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { type AgentForm, changedKeys, changesOf, clashingKeys, isSame, rebase } from './agent-form.rules.ts'

const saved: AgentForm = {
  name: 'Shop',
  avatar: null,
  ...agentSettings.parse({ model: 'openai/a', systemPrompt: 'Be kind.', temperature: 0.7 }),
}

/** The saved form with a change in every section. */
const everywhere: AgentForm = {
  name: 'Store',
  avatar: 'gallery:thumbs:1',
  systemPrompt: 'Be brief.',
  model: 'openai/b',
  temperature: 1.2,
  context: { ...saved.context, maxAgeMinutes: 60 },
  replies: { splitByParagraphs: true, pace: 'human' },
  choices: { isOn: true },
  ratings: { isOn: true },
  resending: { isOn: true },
  buffer: { seconds: 15 },
  spam: { ...saved.spam, customerDailyLimit: 20 },
  machineTalk: { isOn: false },
  handoff: { ...saved.handoff, customer: { ...saved.handoff.customer, stop: ['help'] } },
  availability: { ...saved.availability, isLimited: true },
  multimodal: { ...saved.multimodal, speech: { isOn: true, voice: 'nova' } },
  knowledgeTool: { name: 'prices', description: '' },
  evidence: { whenWeak: 'clarify', rewritesQuestions: true },
  guards: { ...saved.guards, promises: 'allow' },
  unfounded: { action: 'ask', text: '' },
  fallback: { ...saved.fallback, models: ['openai/c'] },
  followUps: { ...saved.followUps, isOn: true },
  spending: { monthlyLimitUsd: 20 },
}

describe('the settings form', () => {
  it('saves nothing when nothing changed, also when the name only gained spaces', () => {
    expect(changesOf(saved, structuredClone(saved))).toEqual({})
    expect(changesOf(saved, { ...saved, name: ' Shop ' })).toEqual({})
  })

  it.each(Object.keys(saved) as (keyof AgentForm)[])('saves %s, whole and alone, when only it changed', (key) => {
    expect(changesOf(saved, { ...saved, [key]: everywhere[key] })).toEqual({ [key]: everywhere[key] })
  })

  it('removes a picture by null and trims the name', () => {
    expect(changesOf({ ...saved, avatar: 'gallery:thumbs:1' }, saved)).toEqual({ avatar: null })
    expect(changesOf(saved, { ...saved, name: ' Store ' })).toEqual({ name: 'Store' })
  })

  it('ignores the order of keys, in which the database may return them', () => {
    const reordered = { ...saved, replies: { pace: saved.replies.pace, splitByParagraphs: false } }
    expect(changedKeys(saved, reordered)).toEqual([])
  })
})

describe('two people editing', () => {
  it('keep the changes of both to different fields, even within one section', () => {
    const mine = { ...saved, spam: { ...saved.spam, customerDailyLimit: 10 } }
    const theirs = { ...saved, name: 'Store', spam: { ...saved.spam, text: 'Enough.' } }
    expect(rebase(saved, mine, theirs)).toEqual({
      ...theirs,
      spam: { ...saved.spam, customerDailyLimit: 10, text: 'Enough.' },
    })
  })

  it('keep what the one still editing has typed when both changed the same field', () => {
    const mine = { ...saved, systemPrompt: 'Mine.' }
    const theirs = { ...saved, systemPrompt: 'Theirs.' }
    expect(rebase(saved, mine, theirs).systemPrompt).toBe('Mine.')
  })

  it('never get a list mixed from two lists', () => {
    const list = (stop: string[]) => ({
      ...saved,
      handoff: { ...saved.handoff, customer: { ...saved.handoff.customer, stop } },
    })
    const merged = rebase(list(['a', 'b']), list(['a', 'c']), list(['d', 'b']))
    expect(merged.handoff.customer.stop).toEqual(['a', 'c'])
  })

  it('are shown which fields both have changed, unless to the same value', () => {
    const mine = { ...everywhere, name: saved.name }
    const theirs = { ...saved, name: 'Store', buffer: { seconds: 5 }, replies: everywhere.replies }
    expect(clashingKeys(saved, mine, theirs)).toEqual(['buffer'])
  })
})

it('treats an unreadable number as different from another value, and equal to itself', () => {
  expect(isSame({ at: Number.NaN }, { at: Number.NaN })).toBe(true)
  expect(isSame({ at: Number.NaN }, { at: null })).toBe(false)
  expect(isSame([1], { 0: 1 })).toBe(false)
  expect(isSame({ a: undefined }, { b: 1 })).toBe(false)
})
