// The table of contents of the settings.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import type { Agent } from '#shared/agents/agents.ts'
import { formOf } from '../agent-form.rules.ts'
import { SECTION_IDS, sectionAt, sectionOfHash, sectionsOf } from './sections.ts'

describe('the sections', () => {
  it('have each their own address', () => {
    expect(new Set(SECTION_IDS).size).toBe(SECTION_IDS.length)
    expect(SECTION_IDS.map((id) => sectionOfHash(`#${id}`))).toEqual(SECTION_IDS)
    expect(sectionOfHash('#elsewhere')).toBeUndefined()
    expect(sectionOfHash('')).toBeUndefined()
  })

  it('hold everything that the form edits', () => {
    const keys = Object.keys(formOf({ name: 'Shop', avatar: null, ...agentSettings.parse({ model: 'a/b' }) } as Agent))
    for (const key of keys) expect([key, sectionsOf([key])]).toEqual([key, [expect.any(String)]])
  })

  it('are named once and in the order of the page for whatever is wrong in them', () => {
    expect(sectionsOf(['spam', 'temperature', 'model', 'name'])).toEqual(['basic', 'model', 'spam'])
  })
})

describe('the section that is being read', () => {
  const tops = [
    { id: 'basic' as const, top: -900 },
    { id: 'prompt' as const, top: -20 },
    { id: 'model' as const, top: 400 },
  ]

  it('is the last one whose heading has passed the line', () => {
    expect(sectionAt(tops, 160)).toBe('prompt')
    expect(sectionAt(tops, 400)).toBe('model')
  })

  it('is the first one before any has passed', () => {
    expect(sectionAt(tops, -1000)).toBe('basic')
    expect(sectionAt([], 0)).toBeUndefined()
  })
})
