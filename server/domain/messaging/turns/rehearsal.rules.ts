// Applies a tester's overrides for one answer to the agent's settings: everything after that is as for a customer's message. Decisions
// only.

import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import type { KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import { type TestOverrides, testOverrides } from '#shared/messaging/test-chat.ts'
import type { Rehearsal, Turn } from './turn.ts'

const PLAIN: Rehearsal = { channel: null, at: null, appliesRules: false }

/** A turn as its tester wants it. Other turns stay as they are. */
export function applyOverrides(turn: Turn): Turn {
  if (turn.conversation.channel !== 'test') return turn
  const { knowledge, tools, simulate, applyRules, ...settings } = testOverrides.parse(turn.overrides)
  const spaceIds = knowledge?.isOn === false ? [] : (knowledge?.spaceIds ?? turn.agent.spaceIds)
  return {
    ...turn,
    overrides: pathsOf(turn, { knowledge, tools, simulate, applyRules, ...settings }),
    rehearsal: { channel: simulate?.channel ?? null, at: simulate?.at ?? null, appliesRules: applyRules ?? false },
    agent: {
      ...turn.agent,
      settings: agentSettings.parse({ ...turn.agent.settings, ...settings }),
      spaceIds,
      disabledSources: withoutTools(turn, spaceIds, tools),
    },
    conversation: { ...turn.conversation, customerName: simulate?.contact?.name ?? turn.conversation.customerName },
    limits: {
      ...turn.limits,
      notices: {}, // a tester gets every notice each time
      language: simulate?.contact?.language ?? turn.limits.language,
    },
  }
}

/** The time that the agent takes for now, milliseconds since the epoch. */
export function momentOf(turn: Turn, now: number): number {
  return turn.rehearsal?.at ?? now
}

/** An agent may be tested outside its hours, unless the hours are what is tested. */
export function keepsHours(turn: Turn): boolean {
  const { at, appliesRules } = rehearsalOf(turn)
  return !isTest(turn) || appliesRules || at !== null
}

/** A tester is no customer of the agent, unless the limits are what is tested. */
export function keepsDailyLimits(turn: Turn): boolean {
  return !isTest(turn) || rehearsalOf(turn).appliesRules
}

/** A turn whose answer is sent to no customer. */
export function isTest(turn: Turn): boolean {
  return turn.conversation.channel === 'test'
}

/** The channel whose way of sending is simulated; null: none. */
export function sendingChannel(turn: Turn): Exclude<Channel, 'test'> | null {
  const { channel } = turn.conversation
  return channel === 'test' ? rehearsalOf(turn).channel : channel
}

/** The parts of an answer; in the test chat those of a channel without formatting of its own show as they would go out. */
export function asShown(turn: Turn, texts: string[]): string[] {
  const channel = turn.conversation.channel === 'test' ? rehearsalOf(turn).channel : null
  const markup = channel && CHANNELS[channel].showing.markup
  return markup === 'whatsapp' || markup === 'plain' ? texts.map((text) => sentText(text, markup)) : texts
}

/** A tool is disabled as a space would disable it: with the source behind it. */
function withoutTools(
  { agent: { disabledSources } }: Turn,
  spaceIds: Turn['agent']['spaceIds'],
  tools: TestOverrides['tools'] = {},
): Turn['agent']['disabledSources'] {
  const off: KnowledgeSource[] = (['webSearch', 'tables'] as const).filter((source) => tools[source] === false)
  if (off.length === 0) return disabledSources
  return Object.fromEntries(spaceIds.map((id) => [id, [...(disabledSources[id] ?? []), ...off]]))
}

function rehearsalOf(turn: Turn): Rehearsal {
  return turn.rehearsal ?? PLAIN
}

/** The differences, path → value. Sections are given whole: what in them equals the agent's settings is left out. */
function pathsOf(turn: Turn, overrides: TestOverrides): Record<string, unknown> {
  const saved = leavesOf(turn.agent.settings)
  const { at } = overrides.simulate ?? {}
  const given = leavesOf(overrides)
  if (at !== undefined) given.set('simulate.at', new Date(at).toISOString())
  const changed = [...given].filter(([path, value]) => {
    return !saved.has(path) || JSON.stringify(saved.get(path)) !== JSON.stringify(value)
  })
  return Object.fromEntries(changed)
}

function leavesOf(value: unknown, path = ''): Map<string, unknown> {
  if (value === undefined) return new Map()
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return new Map([[path, value]])
  return new Map(
    Object.entries(value).flatMap(([key, item]) => [...leavesOf(item, path === '' ? key : `${path}.${key}`)]),
  )
}
