// Parses the stored text of settings.
import { expect, it } from 'vitest'
import { settingsOfText } from './settings-text.ts'

const text = JSON.stringify({ systemPrompt: 'Be kind.', model: 'openai/stub' })

it('fills in what the text leaves out', () => {
  expect(settingsOfText(text)).toMatchObject({
    systemPrompt: 'Be kind.',
    model: 'openai/stub',
    guards: { questions: {} },
  })
})

it('returns one frozen object for equal texts', () => {
  const settings = settingsOfText(text)
  expect(settingsOfText(text)).toBe(settings)
  expect(() => {
    settings.handoff.customer.stop.push('person')
  }).toThrow(TypeError)
  expect(() => {
    settings.systemPrompt = 'Be rude.'
  }).toThrow(TypeError)
})

it('gives other settings for another text, however many were read', () => {
  for (let other = 0; other < 1200; other++) {
    expect(settingsOfText(JSON.stringify({ systemPrompt: `${other}`, model: 'm' })).systemPrompt).toBe(`${other}`)
  }
  expect(settingsOfText(text).systemPrompt).toBe('Be kind.')
})
