// Conversations of people, which are never taken for a machine's, and of machines, which always are.
import { describe, expect, it } from 'vitest'
import type { HistoryMessage } from '../../turns/turn.ts'
import { findMachineTalk, type MachineSign } from './machine-talk.rules.ts'

/** Who says what, so many seconds after the line before. A: the agent, C: the customer, O: an operator. */
type Line = [who: 'A' | 'C' | 'O', seconds: number, text: string, more?: Partial<HistoryMessage>]

const AUTHORS = { A: 'agent', C: 'customer', O: 'operator' } as const
const ANSWER = 'Доставка по городу занимает два дня и стоит 300 ₽. Оформить заказ?'
const AWAY = 'Спасибо за обращение! Мы ответим вам в рабочее время, с 9 до 18.'
const LONG =
  'Добрый день! Подскажите, пожалуйста, есть ли у вас в наличии этот товар и когда его можно забрать со склада?'
const VOICE: Partial<HistoryMessage> = {
  attachments: [{ id: 'f1', kind: 'voice', name: null, mimeType: 'audio/ogg', status: 'ready', text: 'да' } as never],
}

function historyOf(lines: Line[]): HistoryMessage[] {
  let at = Date.parse('2026-03-01T10:00:00Z')
  return lines.map(([who, seconds, text, more], index) => {
    at += seconds * 1000
    return { sequence: index + 1, author: AUTHORS[who], status: 'complete', text, at, ...more }
  })
}

/** The same exchange again and again: the agent answers after some seconds, the customer after others. */
function again(
  times: number,
  agentSeconds: number,
  customerSeconds: number,
  textOf: (index: number) => string,
): Line[] {
  const first: Line = ['C', 0, 'Здравствуйте']
  return [
    first,
    ...Array.from({ length: times }, (_, index): Line[] => [
      ['A', agentSeconds, `${ANSWER} (${index})`],
      ['C', customerSeconds, textOf(index)],
    ]).flat(),
  ]
}

/** A customer who writes at their own pace; the agent answers after `agentSeconds`, unless the customer writes again before. */
function atOnesOwnPace(times: number, everySeconds: number, agentSeconds: number, textOf: (index: number) => string) {
  const lines: Line[] = [['C', 0, textOf(0)]]
  for (let index = 1; index < times; index++) {
    // People are not clocks: their pace wanders by a third.
    const pause = everySeconds * (1 + ((index * 7) % 5) / 6 - 1 / 3)
    if (agentSeconds < pause) lines.push(['A', agentSeconds, ANSWER], ['C', pause - agentSeconds, textOf(index)])
    else lines.push(['C', pause, textOf(index)])
  }
  return lines
}

const word = (index: number) => ['да', 'нет', 'ок', 'ещё', 'а сколько?', 'понятно', 'спасибо'][index % 7] ?? ''
const link = (index: number) => `https://shop.example/catalog/item-${index}?color=white&size=42`
const paragraph = (index: number) => `${index}. ${LONG} ${LONG}`

const PEOPLE: [string, Line[]][] = [
  ['asks one question', [['C', 0, LONG]]],
  ['asks, reads and asks again', again(8, 2, 12, (index) => `А если мне нужно ${index} штук?`)],
  ['answers in one word after a moment', again(20, 2, 2, word)],
  ['answers in one word as soon as they have seen the answer', again(20, 2, 1.1, word)],
  ['is quick a few times in a row', again(8, 1, 0.6, word)],
  ['types word by word while the agent answers each', atOnesOwnPace(20, 2.2, 1.2, word)],
  ['types word by word, faster than the agent', atOnesOwnPace(20, 1, 1.6, word)],
  ['sends five short messages at once', [0, 0.8, 0.9, 0.7, 1.1].map((after, at): Line => ['C', after, word(at)])],
  ['sends bursts of short messages', [...again(2, 2, 6, word), ...again(3, 1.5, 0.9, word), ...again(3, 2, 7, word)]],
  [
    'pastes one long text at once',
    [
      ['C', 0, 'Привет'],
      ['A', 1.5, ANSWER],
      ['C', 0.5, paragraph(1)],
    ],
  ],
  [
    'pastes an address, a phone and a name',
    again(3, 2, 1.6, (index) => `ул. Ленина, дом ${index}, кв. 15, домофон 15К`),
  ],
  ['pastes links one after another', atOnesOwnPace(20, 3.5, 1.5, link)],
  ['pastes links after each answer', again(15, 2, 2.4, link)],
  ['pastes paragraphs to be checked', again(15, 4, 5, paragraph)],
  ['pastes paragraphs quickly', again(11, 3, 2.5, paragraph)],
  ['asks the same twice', again(2, 2, 1, () => 'Где мой заказ 12345? Жду уже неделю!')],
  ['asks the same three times, angrily', again(3, 2, 1.2, () => 'Где мой заказ 12345? Жду уже неделю!')],
  [
    'sends the same complaint five times',
    again(5, 2, 3, () => 'Верните деньги за заказ 12345, вы обещали вернуть вчера!'),
  ],
  ['calls again and again', atOnesOwnPace(15, 2.6, 1.4, () => 'Алло')],
  ['greets as often as the agent does', again(6, 2, 1.5, () => 'Привет!')],
  ['presses a button after each answer', again(20, 1, 0.7, word).map(withChoices)],
  ['picks a number of a list', again(20, 1, 0.7, () => '1').map(withChoices)],
  ['sends commands', again(15, 0.5, 0.6, (index) => (index % 2 ? '/help' : '/start'))],
  ['dictates', again(15, 3, 4, () => '').map(([who, at, text]): Line => [who, at, text, who === 'C' ? VOICE : {}])],
  ['dictates short answers', again(11, 1, 0.8, () => '').map(([who, at, text]) => [who, at, text, VOICE] as Line)],
  ['forwards ten messages at once', [['C', 0, 'Смотрите'], ['A', 1, ANSWER], ...forwarded(10), ['A', 2, ANSWER]]],
  [
    'forwards several times',
    again(5, 2, 8, paragraph).flatMap((line) => (line[0] === 'C' ? [line, ...forwarded(4)] : [line])),
  ],
  [
    'quotes the answer of the agent',
    [
      ['C', 0, 'Цена?'],
      ['A', 1, ANSWER],
      ['C', 2, `${ANSWER} - это точно?`],
    ],
  ],
  [
    'forwards the answer back twice',
    [
      ['C', 0, 'Цена?'],
      ['A', 1, ANSWER],
      ['C', 2, ANSWER],
      ['A', 2, ANSWER],
      ['C', 1, ANSWER],
    ],
  ],
  ['is one of a group that talks at once', again(20, 0.5, 0.5, word).map(inGroup)],
  [
    'comes back every day with the same words',
    again(10, 2, 86_400, () => 'Добрый день, есть ли сегодня свободные места?'),
  ],
  [
    'reminds politely every few minutes',
    again(10, 2, 300, () => 'Подскажите, пожалуйста, есть ли новости по моему заказу?'),
  ],
  [
    'was quick with a person of the team',
    again(12, 0.3, 0.3, word).map(([who, ...rest]) => [who === 'A' ? 'O' : who, ...rest] as Line),
  ],
  [
    'is quick, and then a colleague answers',
    [...again(11, 0.5, 0.5, word), ['O', 5, 'Здравствуйте, это Анна.'], ...again(6, 0.5, 0.5, word)],
  ],
  ['writes while the agent is slow', atOnesOwnPace(20, 6, 5.5, (index) => `Ещё вопрос ${index}`)],
  [
    'has typed ahead once',
    [...again(3, 2, 5, word), ['A', 2, ANSWER], ['C', 0.1, LONG], ['A', 2, ANSWER], ['C', 9, 'Ага']],
  ],
]

function withChoices([who, seconds, text]: Line, index: number): Line {
  if (who === 'C')
    return [who, seconds, index < 2 ? text : [1, 2].includes(Number(text)) ? text : word((index - 2) / 2)]
  return [who, seconds, text, { choices: Array.from({ length: 7 }, (_, at) => word(at)) }]
}

function inGroup([who, seconds, text]: Line, index: number): Line {
  return [who, seconds, text, who === 'C' ? { speaker: `Участник ${index % 3}` } : {}]
}

function forwarded(count: number): Line[] {
  return Array.from({ length: count }, (_, index): Line => ['C', index === 0 ? 1 : 0.2, paragraph(index)])
}

const vary = (index: number) => `${LONG} Вариант ${index}: ${'подробности '.repeat((index % 3) + 1)}`

const MACHINES: [string, MachineSign, Line[]][] = [
  ['an away message, at once', 'same_text', again(5, 1, 0.2, () => AWAY)],
  ['an away message, after a second', 'same_text', again(5, 1, 1.2, () => AWAY)],
  ['an away message to a slow model', 'same_text', again(5, 8, 0.3, () => AWAY)],
  ['an away message of a channel that takes its time', 'same_text', again(9, 2, 6, () => AWAY)],
  ['an away message twice a minute', 'same_text', again(9, 2, 30, () => AWAY)],
  [
    'an away message in other letters',
    'same_text',
    again(5, 1, 0.3, (at) => (at % 2 ? AWAY : `${AWAY.toUpperCase()} `)),
  ],
  ['a long away message', 'same_text', again(5, 1, 0.3, () => `${AWAY} ${AWAY} ${AWAY}`)],
  [
    'an away message in English',
    'same_text',
    again(5, 1, 0.4, () => 'Thank you for your message. We are out of the office.'),
  ],
  ['an away message of two messages', 'same_text', inTwo(again(6, 1, 0.3, () => AWAY))],
  ['an echo of all that it is sent', 'echo', again(5, 1, 0.3, (index) => `${ANSWER} (${index})`)],
  ['an echo with words around it', 'echo', again(5, 1, 0.3, (index) => `You textOf: ${ANSWER} (${index})`)],
  ['an echo after two seconds', 'echo', again(5, 1, 2, (index) => `> ${ANSWER} (${index})`)],
  ['an echo without marks', 'echo', again(5, 1, 0.3, (index) => `${ANSWER} (${index})`).map(marked)],
  ['an echo of the beginning', 'echo', again(5, 1, 0.5, (index) => ANSWER.slice(index, 50))],
  ['a bot with another long answer each time', 'too_fast', again(7, 1, 0.4, vary)],
  ['a bot that writes to a slow model', 'too_fast', again(7, 5, 0.9, vary)],
  [
    'a bot with a number in each answer',
    'too_fast',
    again(7, 1, 0.5, (index) => `Ваше обращение № ${1000 + index} принято.`),
  ],
  ['a model that needs two seconds', 'too_fast', again(13, 2, 2, vary)],
  ['a model that needs almost three', 'too_fast', again(13, 3, 2.9, vary)],
  ['a bot that says one word', 'ping_pong', again(13, 1, 0.2, () => 'Ок')],
  ['a bot that says another word each time', 'ping_pong', again(13, 1, 0.3, word)],
  ['a bot that sends stickers', 'ping_pong', again(13, 1, 0.3, () => '🙂')],
  [
    'a bot that dictates',
    'ping_pong',
    again(13, 1, 0.2, () => '').map(([who, at, text]) => [who, at, text, VOICE] as Line),
  ],
]

function inTwo(lines: Line[]): Line[] {
  return lines.flatMap((line): Line[] => (line[0] === 'C' ? [line, ['C', 0.2, 'Это автоматический ответ.']] : [line]))
}

function marked([who, seconds, text]: Line): Line {
  return [who, seconds, who === 'A' ? text.replace('Доставка', '**Доставка**') : text]
}

/** Whether any turn of the conversation would have been stopped. */
function everTaken(history: HistoryMessage[]) {
  return history
    .map((message, index) => (message.author === 'customer' ? findMachineTalk(history.slice(0, index + 1)) : null))
    .find((talk) => talk !== null)
}

describe('a person', () => {
  it.each(PEOPLE)('who %s is never taken for a machine', (_name, lines) => {
    expect(everTaken(historyOf(lines))).toBeUndefined()
  })

  it('who types and reads at any human speed is never taken for a machine', () => {
    for (let seed = 1; seed <= 300; seed++) expect(everTaken(historyOf(typist(seed))), `seed ${seed}`).toBeUndefined()
  })
})

/** A person who reads each answer in part and then types at up to nine characters a second. */
function typist(seed: number): Line[] {
  const chance = randomOf(seed)
  const lines: Line[] = [['C', 0, 'Здравствуйте']]
  for (let index = 0; index < 25; index++) {
    const text = LONG.slice(0, 2 + Math.floor(chance() * 90))
    lines.push(['A', 0.5 + chance() * 6, ANSWER])
    lines.push(['C', 0.4 + chance() * 2 + text.length / (3 + chance() * 6), text])
  }
  return lines
}

/** Mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('a machine', () => {
  it.each(MACHINES)('such as %s is found out by %s', (_name, sign, lines) => {
    expect(findMachineTalk(historyOf(lines))?.sign).toBe(sign)
  })

  it('is judged from scratch after a person has resumed the agent', () => {
    const history = historyOf(again(12, 1, 0.2, () => AWAY))
    expect(findMachineTalk(history)).toMatchObject({ sign: 'same_text', inARow: 12, withinMs: 200 })
    expect(findMachineTalk(history, 17)).toBeNull()
    expect(findMachineTalk(history, 15)).toMatchObject({ inARow: 4 })
  })
})
