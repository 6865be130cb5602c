// Which entries of a bot's settings are wrong.
import { expect, it } from 'vitest'
import { type ConnectionSettings, connectionSettings } from '#shared/channels/connection-settings.ts'
import { isWrong, wrongPaths } from './settings.rules.ts'

const hours = { command: 'hours', description: { ru: '', en: 'Hours' }, action: 'text' as const, text: 'From nine.' }
const wrongIn = (patch: Partial<ConnectionSettings>) => wrongPaths({ ...connectionSettings.parse({}), ...patch })

it('finds nothing wrong with what applies where nothing is set, nor with a good command', () => {
  expect(wrongIn({})).toEqual([])
  expect(wrongIn({ commands: [hours], sessionMinutes: 60 })).toEqual([])
})

it.each(['', 'with space', 'start', 'Ы', 'x'.repeat(33)])('refuses %j as the name of a command', (command) => {
  expect(wrongIn({ commands: [{ ...hours, command }] })).toContain('commands.0.command')
})

it('names the place of a second command of the same name, and of what is missing', () => {
  expect(wrongIn({ commands: [hours, hours] })).toEqual(['commands.1.command'])
  const empty = { ...hours, description: { ru: '', en: '' }, text: '' }
  const wrong = wrongIn({ commands: [empty] })
  expect(['command', 'description', 'text'].filter((name) => isWrong(wrong, `commands.0.${name}`))).toEqual([
    'description',
    'text',
  ])
})

it('refuses a session without a length', () => {
  for (const sessionMinutes of [Number.NaN, 0, 43_201]) expect(wrongIn({ sessionMinutes })).toEqual(['sessionMinutes'])
})
