// What of a conversation is hidden from the model that learns from it, what stays, and how its answer is parsed.
import { describe, expect, it } from 'vitest'
import { dialogueFor, hidePersonal, readProposal } from './proposals.rules.ts'

describe('a text to learn from', () => {
  it.each([
    ['Напишите на anna.petrova@mail.ru, пожалуйста.', 'Напишите на …, пожалуйста.'],
    ['Мой телефон 8 (926) 123-45-67', 'Мой телефон …'],
    ['Мой телефон 8–926–123–45–67', 'Мой телефон …'],
    ['Мой телефон +7\u202f926\u202f123‑45‑67', 'Мой телефон …'],
    ['Call me at +44 20 7946 0018.', 'Call me at ….'],
    ['I am @anna_shop there.', 'I am … there.'],
    ['Где мой заказ 48213?', 'Где мой заказ …?'],
    ['Заказ № А-17 не пришёл', 'Заказ … не пришёл'],
    ['My order number AB-48213 is late', 'My order number … is late'],
    ['Трек-номер 80083112345678', 'Трек-номер …'],
    ['Здравствуйте, Анна! Анне Петровой уже отправили.', 'Здравствуйте, …! … … уже отправили.'],
  ])('loses what concerns one person: "%s"', (text, hidden) => {
    expect(hidePersonal(text, ['Анна Петрова'])).toBe(hidden)
  })

  it.each([
    'Доставка стоит 500 ₽ и занимает 2–3 дня.',
    'При заказе 10 000 ₽ доставка бесплатна.',
    'Минимальный заказ 3000 рублей.',
    'An order of 3000 dollars ships free.',
    'Открыты с 10:00 до 21:00, до 31.12.2026.',
    'Цена 1 250 000 руб.',
    'Цена 1 000 000 – 1 250 000 руб.',
    'Скидка 01.12.2026 – 31.12.2026.',
    'Гравировка на русском и на английском.',
  ])('keeps what helps others: "%s"', (text) => expect(hidePersonal(text, ['Анна Петрова'])).toBe(text))
})

it('a reply is every message sent in one go, below what it answers', () => {
  const lines = [
    { id: '1', author: 'customer', text: 'Do you\nengrave?' },
    { id: '2', author: 'operator', text: 'Yes.' },
    { id: '3', author: 'operator', text: 'It costs 20 dollars.' },
    { id: '4', author: 'customer', text: 'Thanks' },
  ] as const
  expect(dialogueFor([...lines], '2', [])).toBe(
    'Customer: Do you engrave?\nColleague: Yes.\nColleague: It costs 20 dollars.',
  )
})

describe('the answer of a model', () => {
  it.each([
    ['Q: Do you engrave?\nA: Yes.', { question: 'Do you engrave?', answer: 'Yes.' }],
    [
      '**Q:** Do you engrave?\n\n**A:** Yes.\nIt takes a day.',
      { question: 'Do you engrave?', answer: 'Yes.\nIt takes a day.' },
    ],
    ['Q: Вы гравируете?\nA: Да, пишите на a@b.ru.', { question: 'Вы гравируете?', answer: 'Да, пишите на ….' }],
    ['NOTHING', null],
    ['Yes, we engrave.', null],
    ['Q: Who?\nA: a@b.ru', null],
  ])('%j is read as %j', (written, proposal) => expect(readProposal(written, [])).toEqual(proposal))
})
