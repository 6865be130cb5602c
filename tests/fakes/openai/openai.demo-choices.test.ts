// The fake model of the demonstration offers choices to a customer who books, and asks above them.
import { expect, it } from 'vitest'
import { replyWithChoices } from './openai.demo-choices.ts'
import type { ChatRequest } from './openai.request.ts'

const asked = (content: string, tool = 'offer_choices', more: object[] = []) =>
  ({ messages: [{ role: 'user', content }, ...more], tools: [{ function: { name: tool } }] }) as unknown as ChatRequest

it('calls the tool, and then asks', () => {
  const [call] = replyWithChoices(asked('Хочу забронировать номер'))?.toolCalls ?? []
  expect(JSON.parse(call?.arguments ?? '').choices).toEqual(['На одну ночь', 'На две ночи', 'На неделю'])
  const offered = asked('I want to book a room', 'offer_choices', [{ role: 'tool', content: 'They will stand below.' }])
  expect(replyWithChoices(offered)).toEqual({ text: 'With pleasure! For how many nights?' })
})

it('does nothing where there is no booking, or where it may offer none', () => {
  expect(replyWithChoices(asked('Is breakfast included?'))).toBeUndefined()
  expect(replyWithChoices(asked('I want to book a room', 'hand_off'))).toBeUndefined()
})
