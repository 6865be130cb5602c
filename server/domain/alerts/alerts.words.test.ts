// An alert has the same text in an e-mail, a push and a bot message as on the screen.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type AlertContent, letterOf, noteOf, pushOf } from './alerts.words.ts'

/** A mention includes the note, and a connection the channel, since no screen surrounds them. */
const SAME = ['handoff', 'mine', 'delivery', 'billing', 'agent', 'product', 'summary', 'test'] as const
const EVENTS = ['billingCritical', 'billingSpending', 'agentRemoved', 'agentFailing'] as const

describe.each(['ru', 'en'] as const)('an alert in %s', (language) => {
  const file = new URL(`../../../web/locales/${language}/common.json`, import.meta.url)
  const { alerts } = JSON.parse(readFileSync(file, 'utf8')) as { alerts: Record<string, string> }

  it.each(SAME)('of %s says what the screen says', (kind) => {
    const content: AlertContent = {
      product: 'Acme',
      kind,
      event: null,
      name: 'Anna',
      by: 'Olga',
      preview: null,
      url: 'https://parley.example',
      settingsUrl: '',
    }
    const words = alerts[kind]?.replace('{{product}}', 'Acme').replace('{{name}}', 'Anna').replace('{{by}}', 'Olga')
    expect(letterOf(content, language).subject).toBe(`Acme: ${words}`)
    expect(pushOf(content, language).title).toBe(words)
    expect(noteOf(content, language).split('\n')[0]).toBe(words)
  })

  it.each(EVENTS)('of %s says what the screen says', (event) => {
    const about = { product: 'Acme', kind: 'agent', event, name: 'Anna', by: 'Olga', preview: null } as const
    const words = alerts[event]?.replace('{{product}}', 'Acme').replace('{{name}}', 'Anna').replace('{{by}}', 'Olga')
    expect(pushOf({ ...about, url: '', settingsUrl: '' }, language).title).toBe(words)
  })
})
