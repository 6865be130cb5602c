// How customers say that they would rather listen, or read.
import { describe, expect, it } from 'vitest'
import type { HistoryMessage, TurnAttachment } from '../turns/turn.ts'
import { isSpokenTo, wishOf } from './speak.rules.ts'

describe('a wish', () => {
  it.each([
    'Please answer by voice',
    'reply with a voice note please',
    'answer in audio format',
    'Пришлите голосовое',
    'ответьте голосовым сообщением',
    'Отправьте аудио, пожалуйста',
    'запиши аудиосообщение',
    'can you send me a voice message?',
    'Voice, please',
    'Reply with audio from now on',
    'Ответьте голосом, пожалуйста',
    'расскажи голосовым сообщением',
    'пришлите аудио',
    'Голосовым, пожалуйста',
  ])('to listen: %s', (text) => expect(wishOf(text)).toBe('voice'))

  it.each([
    'Answer in text please',
    'no voice messages, I am at work',
    "don't send me voice notes",
    'Ответьте текстом',
    'Пишите письменно',
    'без голосовых',
    'не присылайте голосовые',
    'не могу сейчас слушать',
  ])('to read: %s', (text) => expect(wishOf(text)).toBe('text'))

  it.each([
    'Does the phone have a good voice assistant?',
    'Tell me about the audio guide',
    'Send me the price of the audio system',
    'tell me about the voice actor',
    'Расскажите про аудиогид',
    'Пришлите цену аудиосистемы',
    'скажите, есть ли голосовой помощник',
    'Скажите, а аудио на экскурсии есть?',
    'Запишите меня на урок голосовой гимнастики',
    'Есть ли у колонки голосовое управление?',
    'Do you sell audio cables?',
    'How do I write a text?',
    'Сколько стоит аудиокнига?',
  ])('is not read into: %s', (text) => expect(wishOf(text)).toBeNull())
})

describe('a customer', () => {
  const says = (text: string, isSpoken = false): HistoryMessage => ({
    sequence: 1,
    author: 'customer',
    status: 'complete',
    text,
    at: 0,
    attachments: isSpoken ? ([{ kind: 'voice' }] as TurnAttachment[]) : null,
  })

  it('who speaks is spoken to, and who writes is written to', () => {
    expect(isSpokenTo([says('hello', true)], null)).toBe(true)
    expect(isSpokenTo([says('hello')], null)).toBe(false)
  })

  it('is answered as they have asked before, however they write now', () => {
    expect(isSpokenTo([says('hello')], 'voice')).toBe(true)
    expect(isSpokenTo([says('hello', true)], 'text')).toBe(false)
  })

  it('may change their mind: the last wish counts', () => {
    expect(isSpokenTo([says('answer by voice'), says('no, no voice messages')], 'voice')).toBe(false)
  })
})
