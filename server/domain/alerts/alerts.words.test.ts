// An alert says the same in a letter, a push and a message of the bot as on the screen.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { letterOf, noteOf, pushOf, type Told } from './alerts.words.ts'

/** A mention names the note, and a connection the channel, where no screen stands around them. */
const SAME = ['handoff', 'mine', 'delivery', 'allowance', 'test'] as const

describe.each(['ru', 'en'] as const)('an alert in %s', (language) => {
  const file = new URL(`../../../web/locales/${language}/common.json`, import.meta.url)
  const { alerts } = JSON.parse(readFileSync(file, 'utf8')) as { alerts: Record<string, string> }

  it.each(SAME)('of %s says what the screen says', (kind) => {
    const told: Told = { kind, name: 'Anna', preview: null, url: 'https://parley.example', settingsUrl: '' }
    const words = alerts[kind]?.replace('{{name}}', 'Anna')
    expect(letterOf(told, language).subject).toBe(`Parley: ${words}`)
    expect(pushOf(told, language).title).toBe(words)
    expect(noteOf(told, language).split('\n')[0]).toBe(words)
  })
})
