// Kazakh words by their forms, and texts by their words.
import { expect, it } from 'vitest'
import { countKazakhWords, foldKazakh, kazakhStem } from './kazakh.ts'

it.each([
  ['жеткізу', 'жеткіземіз', 'жеткізесіздер', 'жеткизу'],
  ['дәрігер', 'дәрігердің', 'дәрігерлерге', 'даригер'],
  ['баға', 'бағасы', 'бағалар', 'бага'],
  ['кітап', 'кітабы', 'кітаптарымыз', 'китап'],
  ['сенбі', 'сенбіде', 'сенбиден'],
  ['мекенжай', 'мекенжайымыз', 'мекенжайларыңыз'],
  ['төлем', 'төлеу', 'төлейді'],
])('the forms of %s have one stem', (...forms) => {
  expect(new Set(forms.map((form) => kazakhStem(foldKazakh(form)))).size).toBe(1)
})

it.each([
  ['Сіздерде жұмыс бар ма?', true],
  ['канша турады', true],
  ['Салем, доставка канша?', true],
  ['тауар бар ма', true],
  ['есть бар в отеле?', false],
  ['Сколько стоит доставка?', false],
  ['Do you deliver?', false],
  ['Скільки коштує доставка, її вартість?', false],
])('%s: Kazakh is %s', (text, isKazakh) => {
  expect(countKazakhWords(text) > 0).toBe(isKazakh)
})
