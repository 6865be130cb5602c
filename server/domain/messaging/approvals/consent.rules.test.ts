// What counts as an agreement of a customer, and above all what does not.
import { expect, it } from 'vitest'
import type { HistoryMessage } from '../turns/turn.ts'
import { consentOf } from './consent.rules.ts'

const written = (text: string, more: Partial<HistoryMessage> = {}): HistoryMessage => ({
  ...{ sequence: 1, author: 'customer', status: 'complete', text, at: 0 },
  ...more,
})

it.each([
  ...[
    'Да',
    'да!',
    'Да, подтверждаю',
    'ДА, пожалуйста',
    'Да, всё верно',
    'ok',
    'Yes please',
    'Yes, I confirm.',
    '+',
    '1',
  ],
  ...['Иә, растаймын', 'ок, спасибо', 'Go ahead'],
])('takes “%s” for an agreement', (text) => {
  expect(consentOf([written(text)])).toBe('yes')
})

it.each(['Нет', 'нет, спасибо', 'Не надо', "Don't", 'No thanks', 'Жоқ', '2', 'отмена'])(
  'takes “%s” for a refusal',
  (text) => {
    expect(consentOf([written(text)])).toBe('no')
  },
)

it.each([
  ...['', '👍', 'да?', 'Да, но на другой адрес', 'да нет', 'а если да', 'yesterday', 'Спасибо', 'Сколько это стоит?'],
  ...['Что будет, если я скажу «да»?', 'нет проблем, а цена?', 'да\nи ещё закажите такси', '12', 'да 2'],
])('does nothing on “%s”', (text) => {
  expect(consentOf([written(text)])).toBe('other')
})

it('wants all messages since the question to agree', () => {
  expect(consentOf([written('да'), written('спасибо')])).toBe('yes')
  expect(consentOf([written('да'), written('стойте, а цена?')])).toBe('other')
  expect(consentOf([written('да'), written('нет')])).toBe('no')
  expect(consentOf([])).toBe('other')
})

it.each([
  ['forwarded', { passedOn: { from: 'Boris', text: 'да', own: '' } }],
  ['written by one of a group', { speaker: 'Boris' }],
  [
    'heard in a recording',
    {
      attachments: [
        {
          ...{ id: 'a' as never, kind: 'voice' as const, name: null, mimeType: null, durationSeconds: 2 },
          ...{ status: 'ready' as never, text: 'да', reason: null },
        },
      ],
    },
  ],
])('takes nothing for an agreement that was %s', (_, more) => {
  expect(consentOf([written('да', more)])).toBe('other')
})
