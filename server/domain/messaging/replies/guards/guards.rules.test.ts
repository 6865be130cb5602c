// Which answers promise a later reply, in both languages.
import { describe, expect, it } from 'vitest'
import { guardedPhrase, promiseIn } from './guards.rules.ts'

describe('a promise', () => {
  it.each([
    "I'll check and get back to you.",
    'I will get back to you shortly.',
    "Let me see. I'll find out and let you know.",
    'We will contact you tomorrow.',
    "We'll look into this right away.",
    'I will ask our warehouse.',
    "I'll follow up by e-mail.",
    'I have forwarded your request to the team.',
    "I've passed your message on to our manager.",
    'I will escalate this to a specialist.',
    'Our manager will contact you soon.',
    'A specialist will call you back.',
    'Thank you! A colleague will get back to you.',
    'We will keep you posted.',
    "I'm sorry about that. We’ll be in touch.",
    'My colleague will write to you here.',
    'Сейчас уточню и вернусь к вам.',
    'Уточню у менеджера.',
    'Мы уточним наличие и напишем.',
    'Я узнаю и сообщу вам.',
    'Передам ваш вопрос коллегам.',
    'Передаю ваш запрос менеджеру.',
    'Я передал вашу жалобу руководству.',
    'Мы свяжемся с вами завтра.',
    'Наш специалист свяжется с вами в ближайшее время.',
    'Менеджер вам перезвонит.',
    'Администратор ответит вам здесь.',
    'Вернёмся к вам с ответом.',
    'Перезвоню вам через час.',
    'Дам вам знать, как только выясню.',
    'Переключаю вас на оператора.',
    'Проконсультируюсь и отвечу.',
  ])('is in "%s"', (text) => expect(promiseIn(text)).not.toBeNull())

  it.each([
    'Delivery takes two days.',
    'You will get your order back in a box.',
    'You can contact our manager by phone.',
    'If you like, I will ask a colleague.',
    'Would you like a manager to contact you?',
    'Shall I pass it on to a colleague?',
    'I cannot check that for you.',
    'We will be open until nine.',
    'The courier will call you before he comes.',
    'I do not know. Please write to the shop.',
    'Your refund will arrive within three days.',
    'I will check if you have more questions.',
    'We will send the parcel on Monday.',
    'Let me know if there is anything else.',
    'Our team speaks English.',
    'Доставка займёт два дня.',
    'Уточните, пожалуйста, адрес.',
    'Вы можете уточнить это по телефону.',
    'Если хотите, передам вопрос менеджеру.',
    'Хотите, я передам вопрос коллегам?',
    'Не могу уточнить это за вас.',
    'Вернуть товар можно за 14 дней.',
    'Свяжитесь с нами по телефону.',
    'Курьер позвонит за час.',
    'Деньги вернутся на карту за три дня.',
    'Передайте курьеру номер заказа.',
    'Наши специалисты работают с 9 до 18.',
    'Уточню у вас ещё один момент: какой размер?',
    'Я не знаю ответа на этот вопрос.',
    'Сообщите нам номер заказа.',
  ])('is not in "%s"', (text) => expect(promiseIn(text)).toBeNull())

  it('is given as the sentence that holds it', () => {
    expect(promiseIn('Здравствуйте! Сейчас уточню. Спасибо.')).toBe('Сейчас уточню')
  })
})

describe('a guarded phrase', () => {
  it.each([
    ['Какая у вас политика возврата?', ['политика'], 'политика'],
    ['What about politics?', ['politics'], 'politics'],
    ['скидку 50% дадите?', ['скидка'], 'скидка'],
    ['We sell tickets', ['ticket office'], null],
  ])('of "%s" by %j is %j', (text, phrases, phrase) => {
    expect(guardedPhrase(text, { phrases, action: 'text', text: '' })).toBe(phrase)
  })
})
