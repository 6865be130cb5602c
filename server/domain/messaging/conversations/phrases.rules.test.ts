// Which words call a person or the agent back, in both languages.
import { describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { findIntent, findLastIntent, type PhraseLists } from './phrases.rules.ts'

const { customer } = agentSettings.parse({ model: 'test/echo' }).handoff

function lists(stop: string[], resume: string[] = []): PhraseLists {
  return { stop, resume }
}

describe('the default lists of agents', () => {
  it.each([
    ['stop', 'stop'],
    ['Stop!', 'stop'],
    ['STOP.', 'stop'],
    ['please stop it', 'stop'],
    ['will you stop', 'stop'],
    ['Stop, stop, stop', 'stop'],
    ['stop-stop', 'stop'],
    ['stoooop', 'stop'],
    ['/stop', 'stop'],
    ['it never stops', 'stop'],
    ['it stopped working', 'stop'],
    ['I want an operator', 'operator'],
    ['Are there any operators?', 'operator'],
    ["the operator's number", 'operator'],
    ['let me talk to a HUMAN', 'human'],
    ['do humans work here', 'human'],
    ['Help', 'help'],
    ['nobody has helped me', 'help'],
    ['оператор', 'оператор'],
    ['ОПЕРАТОРА!!!', 'оператор'],
    ['позовите оператора, пожалуйста', 'оператор'],
    ['оператора-ка позови', 'оператор'],
    ['соедините с оператором', 'оператор'],
    ['есть у вас операторы?', 'оператор'],
    ['Хочу поговорить с человеком', 'поговорить с человеком'],
    ['дайте человека', 'дайте человека'],
    ['Позовите уже живого человека!', 'живой человек'],
    ['тут есть живые люди? соедините с человеком', 'соедините с человеком'],
    ['переключи на человека', 'переключите на человека'],
    ['спасибо, но мне нужна помощь', 'помощь'],
    ['Спасибо за ответ, нужна помощь', 'помощь'],
    ['thanks for the answer. I need help', 'help'],
    ['thanks, now help me', 'help'],
    ['мне нужна помощь', 'помощь'],
    ['прошу помощи', 'помощь'],
    ['без вашей помощью не справлюсь', 'помощь'],
    ['стоп', 'стоп'],
    ['Стоп-стоп-стоп!', 'стоп'],
    ['Так,стоп', 'стоп'],
    ['сто\u0301п', 'стоп'],
  ])('find a call for a person in "%s"', (text, phrase) => {
    expect(findIntent(text, customer)).toEqual({ kind: 'stop', phrase })
  })

  it.each([
    ['continue', 'continue'],
    ['Please continue.', 'continue'],
    ['resume', 'resume'],
    ['bot', 'bot'],
    ['where is the bot?', 'bot'],
    ['/start', 'start'],
    ['let us get started', 'start'],
    ['бот', 'бот'],
    ['верните бота', 'бот'],
    ['продолжить', 'продолжить'],
    ['давайте продолжим', 'продолжить'],
    ['Продолжите, пожалуйста', 'продолжить'],
  ])('find a call for the agent in "%s"', (text, phrase) => {
    expect(findIntent(text, customer)).toEqual({ kind: 'resume', phrase })
  })

  it.each([
    'is it non-stop?',
    'nonstop music',
    'a one-stop shop',
    'operating hours?',
    'I like this operation',
    'it is very helpful',
    'humanity',
    'a humane price',
    'unstoppable',
    'a bottle of water',
    'restart',
    'continuous ink supply',
    'write to help@shop.com',
    'https://shop.com/stop?help=operator',
    'www.stop.example',
    'нонстоп',
    'вы работаете нон-стоп?',
    'где ближайшая остановка?',
    'остановите доставку',
    'болит стопа',
    'пачка бумаги: две стопки',
    'оперативная доставка',
    'операторская',
    'ботинки 42 размера',
    'столик на 5 человек',
    'на 2-х человек',
    'нас будет человек десять',
    'сколько человек влезет в лодку?',
    'комикс «Человек-паук»',
    'человеческая цена',
    'Завтрак – какая цена за человека?',
    'Сколько стоит завтрак на человека?',
    'Сколько с человека?',
    'Нас три взрослых человека',
    'Доплата за третьего человека есть?',
    'Один человек и собака, можно?',
    'Спасибо за помощь!',
    'спасибо вам большое за вашу помощь',
    'Благодарю за быструю помощь',
    'Thanks for your help',
    'thank you so much for all the help!',
    'помощник бухгалтера',
    'стоппер',
    'продолжительность курса',
    '',
    '…',
  ])('find nothing in "%s"', (text) => {
    expect(findIntent(text, customer)).toBeNull()
  })
})

describe('a phrase', () => {
  it.each([
    ['a real person', 'let me speak to a real person please', true],
    ['a real person', 'a person, and a real one', false],
    ['живой человек', 'хочу живого человека', true],
    ['живой человек', 'ЖИВЫМ, человеком', true],
    ['живой человек', 'человек живой', false],
    ['позвать менеджера', 'позвать менеджера', true],
    ['жалоба', 'у меня жалобы на доставку', true],
    ['подъём', 'подъем', true],
    ['подъем', 'ПОДЪЁМ', true],
    ['онлайн-консультант', 'где онлайн-консультанты?', true],
    ['онлайн-консультант', 'где консультант?', false],
    ['reply', 'no replies so far', true],
    ['manager', 'I manage it myself', false],
    ['managers', 'call the manager', true],
    ['🛑', 'да 🛑 нет', true],
    ['🛑', 'да', false],
    ['+', '1+1', false],
    ['24/7', 'работаете 24/7?', true],
    ['человек', 'заказ 551234 человек', true],
  ])('"%s" is found in "%s": %s', (phrase, text, isFound) => {
    expect(findIntent(text, lists([phrase])) !== null).toBe(isFound)
  })
})

describe('several phrases at once', () => {
  it('ask for a person when they ask for both', () => {
    expect(findIntent('stop the bot', customer)).toMatchObject({ kind: 'stop' })
    expect(findIntent('не надо продолжать, оператора', customer)).toMatchObject({ kind: 'stop' })
  })

  it('count by the last message with a phrase', () => {
    expect(findLastIntent(['operator!', 'no, continue', 'how much is it?'], customer)).toMatchObject({ kind: 'resume' })
    expect(findLastIntent(['continue', 'оператора'], customer)).toMatchObject({ kind: 'stop' })
    expect(findLastIntent(['how much is it?'], customer)).toBeNull()
  })

  it('ask for nothing where no list has a phrase', () => {
    expect(findIntent('stop', lists([]))).toBeNull()
  })
})

it.each([
  ['one word', 'x'],
  ['signs', '. '],
  ['an address', '@'],
  ['the beginning of one', 'www.'],
  ['thanks', 'thanks for '],
])('a text of a megabyte of %s takes no longer than reading it', (_, piece) => {
  const text = piece.repeat(1_000_000 / piece.length)
  expect(findIntent(`${text} operator`, { stop: ['operator'], resume: ['bot'] })?.kind).toBe(
    piece === 'thanks for ' ? undefined : 'stop',
  )
})
