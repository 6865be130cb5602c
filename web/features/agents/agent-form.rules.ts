// The logic of an agent's settings form: its values, what changed, and how two people's changes are merged.
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent, AgentPatch } from '#shared/agents/agents.ts'

/** What is edited and saved together. Knowledge spaces, channels, keys and functions have places of their own and are not part of it. */
export type AgentForm = Pick<Agent, 'name' | 'avatar'> & Omit<AgentSettings, 'functions'>
export type AgentFormKey = keyof AgentForm

/** The saved values of the form. */
export function formOf(agent: Agent): AgentForm {
  const { functions: _elsewhere, ...settings } = agentSettings.parse(agent)
  return { name: agent.name, avatar: agent.avatar, ...settings }
}

/** Only what differs from what is saved, so that two people editing different fields do not undo each other. */
export function changesOf(saved: AgentForm, form: AgentForm): AgentPatch {
  const entry = { ...form, name: form.name.trim() }
  return Object.fromEntries(changedKeys(saved, entry).map((key) => [key, entry[key]])) as AgentPatch
}

/** Keys at the top level of the form whose values differ. */
export function changedKeys(saved: AgentForm, form: AgentForm): AgentFormKey[] {
  return keysOf(saved).filter((key) => !isSame(saved[key], form[key]))
}

/** Keys that both sides have changed since `base`, to different values. */
export function clashingKeys(base: AgentForm, mine: AgentForm, theirs: AgentForm): AgentFormKey[] {
  return changedKeys(base, mine).filter((key) => !isSame(base[key], theirs[key]) && !isSame(mine[key], theirs[key]))
}

/** Applies one's own changes since `base` to what another user has saved since. Lists and single values are taken whole. */
export function rebase<Value>(base: Value, mine: Value, theirs: Value): Value {
  if (isSame(mine, base)) return theirs
  if (!isRecord(base) || !isRecord(mine) || !isRecord(theirs)) return mine
  return Object.fromEntries(
    Object.entries(theirs).map(([key, their]) => [key, rebase(base[key], mine[key], their)]),
  ) as Value
}

/** Deep equality, ignoring the order of keys. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, at) => isSame(each, b[at]))
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && isSame(a[key], b[key]))
}

function keysOf(form: AgentForm): AgentFormKey[] {
  return Object.keys(form) as AgentFormKey[]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
