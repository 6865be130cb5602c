// Texts that people take for the same, and near ones.
import { expect, it } from 'vitest'
import { evenText, joinWords, longNumberIn, nearValues } from './even-text.ts'

it.each([
  ['ли м.ю.', 'Ли М. Ю.'],
  ['3.5x35', '3,5х35'],
  ['3,5 х 35', '3.5×35'],
  ['м8', 'M8'],
  ['М 8', 'm8'],
  ['стол-книжка', 'Стол книжка'],
  ['«Уют»', 'уют'],
  ['ёлка', 'ЕЛКА'],
  ['A-101', 'а101'],
  ['Cтолы', 'Столы'],
  ['стол‑книжка', 'Стол-книжка'],
  ['стол − книжка', 'Стол-книжка'],
  ['3.5\u202fx\u00a035', '3,5х35'],
  ['Қазы', 'казы'],
  ['Жеткізу', 'жеткизу'],
  ['Бұрыштық диван', 'бурыштык диван'],
  ['3,5⨯35', '3.5✕35'],
  ['Мука 5 кг', 'мука 5kg'],
  ['Вода 0,5 л', 'вода 0.5L'],
  ['Чайник 220 В', 'чайник 220V'],
  ['Лампа 6 Вт', 'лампа 6W'],
  ['½ л', '1/2 л'],
  ['Мука 1 000 г', 'мука 1000г'],
  ['Кабинет № 5', 'кабинет 5'],
  ['#12', '№12'],
  ['Шампунь / бальзам', 'шампунь/бальзам'],
  ['3,50', '3.5'],
  ['Болт 3.50х35', 'болт 3,5x35'],
  ['USB 3.0', 'usb 3'],
  ['12,00 см', '12см'],
  ['.5 л', '0,5 л'],
  ['6 x .5', '6х0.5'],
  ['½', '0,5'],
  ['½ л', '.5л'],
  ['1½ л', '1,5 л'],
  ['1 1/2"', '1.5'],
  ['10 ½', '10.50'],
  ['¾ дюйма', '3/4 дюйма'],
  ['2¼', '2.25'],
  ['café', 'cafe'],
  ['Crème brûlée', 'creme brulee'],
  ['Şişe ığdır', 'sise igdir'],
  ['1 250 000', '1250000'],
  ['Мука 3,50', 'мука 3.5'],
  ['3,50 кг', '3.5kg'],
  ['2,0 л', '2 л'],
  ['2.00 м', '2м'],
  ['.5 л', '0,5 л'],
  ['½ л', '0,5 л'],
  ['1½ л', '1,5 л'],
  ['1 1/2 л', '1.50 л'],
  ['¾', '0.75'],
  ['Šokoladė', 'sokolade'],
])('%s is %s', (one, other) => {
  expect(evenText(one)).toBe(evenText(other))
})

it.each([
  ['М8', 'М10'],
  ['3.5x35', '35x35'],
  ['1.5', '15'],
  ['5 %', '5'],
  ['стол', 'стул'],
  ['10 12', '1012'],
  ['п. 3.10', 'п. 3.1'],
  ['v1.10', 'v1.1'],
  ['1.2.10', '1.2.1'],
  ['05.10', '05.1'],
  ['1.000', '1'],
  ['3.05', '3.5'],
  ['11/2', '1.5'],
  ['0,5 500', '0.5500'],
  ['мой', 'мои'],
  ['1½', '11/2'],
  ['версия 1.10', 'версия 1.1'],
  ['1,000', '1'],
  ['10,50', '10,05'],
  ['1,10,20', '1,10,2'],
  ['01.10.2020', '1.1.202'],
  ['300', '3'],
  ['кафй', 'кафи'],
  ['Volta', 'Bolta'],
])('%s is not %s', (one, other) => {
  expect(evenText(one)).not.toBe(evenText(other))
})

it('offers what is written most like a text', () => {
  const values = ['Ли М. Ю.', 'Петров И. И.', 'Саморез 3,5х35', 'Саморез 3,5х45', 'Болт М8']
  expect(nearValues('саморез 3.5x36', values).slice(0, 2)).toEqual(['Саморез 3,5х35', 'Саморез 3,5х45'])
  expect(nearValues('крокодил', values)).toEqual([])
})

it('offers what begins with a short text, or differs from it in one sign', () => {
  const values = ['К10', 'К-2', 'Б7', 'Кресло К12']
  expect(nearValues('к1', values)).toEqual(['К10', 'Кресло К12', 'К-2'])
  expect(nearValues('k', values)).toEqual([])
})

it.each([
  ['Wi-Fi', 'wifi'],
  ['E-mail', 'email'],
  ['check in', 'check-in'],
  ['Вай-фай', 'вайфай'],
])('%s in one piece is %s', (one, other) => {
  expect(joinWords(evenText(one))).toBe(joinWords(evenText(other)))
})

it('joins nothing that is too short or holds a number', () => {
  expect([joinWords('a b'), joinWords(evenText('SH 1002'))]).toEqual([null, null])
})

it('compares long numbers by their last digits', () => {
  expect(['8 701 555-00-11', '+7 (701) 555 00 11', '5550011', '12', '1 500'].map(longNumberIn)).toEqual([
    '7015550011',
    '7015550011',
    '5550011',
    null,
    null,
  ])
})

it('offers what sounds like a text in the other alphabet', () => {
  expect(nearValues('вайфай', ['Парковка', 'Wi-Fi'])).toEqual(['Wi-Fi'])
  expect(nearValues('онлайн', ['Online', 'Парковка'])).toEqual(['Online'])
})
