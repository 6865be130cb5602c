// Placeholders of the template: what is filled in, and what is left as it stands.
import { expect, it } from 'vitest'
import { fillTemplate, unknownPlaceholders } from './prompt-template.ts'

const VALUES = { agent: 'Anna $& {{organization}}', organization: 'Tea', channel: 'Telegram' }

it('fills in each name once, whatever the values hold', () => {
  expect(fillTemplate('{{agent}} of {{ organization }}', VALUES)).toBe('Anna $& {{organization}} of Tea')
})

it('leaves JSON, single braces and names that every object has as they stand', () => {
  for (const text of ['{"a":{"b":1}}', '{agent}', '{{constructor}}', '{{}}'])
    expect(fillTemplate(text, VALUES)).toBe(text)
})

it('names what stands for nothing, once', () => {
  expect(unknownPlaceholders('{{agent}} {{nme}} {{ nme }} {{constructor}} {"a":{"b":1}}')).toEqual([
    'nme',
    'constructor',
  ])
})
