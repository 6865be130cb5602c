// In which language a customer is answered.
import { describe, expect, it } from 'vitest'
import { type AnswerLanguage, answerLanguageFor, type LanguageHints, languageFor } from './language.ts'

const RUSSIAN = { earlier: ['Здравствуйте!'] }
const ENGLISH = { earlier: ['Hello, do you deliver to Almaty?'] }

describe('the language of an answer', () => {
  it.each<[string, LanguageHints, 'ru' | 'en']>([
    // The words of the message itself, where they are clear.
    ['Сколько стоит доставка?', ENGLISH, 'ru'],
    ['iPhone 15 Pro Max 256GB цена?', {}, 'ru'],
    ['Do you repair laptops?', RUSSIAN, 'en'],
    ['What does «доставка» mean in your shop?', { tag: 'ru' }, 'en'],
    // Names, numbers and signs are the same in every language: earlier messages say it.
    ['iPhone 15?', RUSSIAN, 'ru'],
    ['PS5?', RUSSIAN, 'ru'],
    ['👍', RUSSIAN, 'ru'],
    ['?', RUSSIAN, 'ru'],
    ['ok', RUSSIAN, 'ru'],
    ['iPhone 15?', ENGLISH, 'en'],
    ['👍', ENGLISH, 'en'],
    ['iPhone 15?', { earlier: ['Здравствуйте', 'Is anybody there today?', 'PS5'], tag: 'ru' }, 'en'],
    // Then the messenger.
    ['iPhone 15?', { tag: 'ru' }, 'ru'],
    ['iPhone 15?', { tag: 'ru-RU', quoted: 'A phone' }, 'ru'],
    ['iPhone 15?', { tag: 'en-GB', quoted: 'Телефон' }, 'en'],
    ['hi', { tag: 'ru' }, 'ru'],
    ['iPhone 15?', { tag: 'kk-KZ' }, 'ru'],
    // Then what is quoted.
    ['iPhone 15?', { tag: null, quoted: 'iPhone 15: 128 GB, чёрный, в наличии' }, 'ru'],
    ['iPhone 15?', { quoted: 'iPhone 15, black, in stock' }, 'en'],
    // Then Russian, unless a word is plainly English.
    ['iPhone 15?', {}, 'ru'],
    ['👍', {}, 'ru'],
    ['Hi', {}, 'en'],
  ])('to "%s" with %j is %s', (message, hints, language) => {
    expect(languageFor(message, hints)).toBe(language)
  })
})

describe('the language of an answer of the built-in model', () => {
  it.each<[string, LanguageHints, AnswerLanguage]>([
    ['Дүкен қай жерде?', {}, 'kk'],
    ['канша турады', RUSSIAN, 'kk'],
    ['Салем, доставка канша тұрады?', {}, 'kk'],
    ['рассрочка бар ма', {}, 'kk'],
    ['Сколько стоит доставка в Өскемен?', {}, 'ru'],
    ['Сколько стоит?', { earlier: ['Сәлем'] }, 'ru'],
    ['iPhone 15?', { earlier: ['Сәлеметсіз бе'] }, 'kk'],
    ['iPhone 15?', { tag: 'kk' }, 'kk'],
    ['iPhone 15?', ENGLISH, 'en'],
    ['Do you deliver?', { tag: 'kk' }, 'en'],
  ])('to "%s" with %j is %s', (message, hints, language) => {
    expect(answerLanguageFor(message, hints)).toBe(language)
  })
})
