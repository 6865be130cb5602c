// How well invented figures, dates and names are distinguished from those of the sources, on labelled sentences in both languages.
import { describe, expect, it } from 'vitest'
import { type Evidence, groundSentences, unfoundedOf } from './grounding.rules.ts'

const knowledge = (id: string, title: string, text: string): Evidence => ({ origin: 'knowledge', id, title, text })

const SOURCES: Record<'ru' | 'en', Evidence[]> = {
  ru: [
    knowledge(
      'delivery',
      'Доставка.pdf',
      `Доставка по Москве стоит 500 ₽ и занимает два рабочих дня.
Доставка по Московской области – 1 200 руб., срок 3–5 дней. Бесплатно от 10 000 ₽.
Самовывоз бесплатный, заказ хранится 7 дней. Пункт выдачи: ул. Лесная, 15, ежедневно с 10:00 до 21:00.
В регионы отправляем СДЭКом и Почтой России.`,
    ),
    knowledge(
      'returns',
      'Возврат',
      `Вернуть товар можно в течение 14 дней со дня получения. Деньги приходят на карту за 10 календарных дней.
По вопросам возврата: Ирина Соколова, +7 (495) 123-45-67, returns@lavka.ru.
Гарантия на кофемашины 2 года, на чайники 12 месяцев.`,
    ),
    knowledge(
      'prices',
      'Прайс',
      'Товар: Чайник Бриз | Цена: 2 490\nТовар: Кофемашина Аврора | Цена: 54 900\nскидка 15% до 31 декабря 2026 г.',
    ),
    { origin: 'instructions', text: 'Ты помощник магазина «Лавка». Отвечай на «вы». Магазин работает с 2014 года.' },
    {
      origin: 'conversation',
      text: 'Здравствуйте, это Марина. Заказ 48213, чайник в Казань. Доставка по Москве 300 ₽?',
    },
  ],
  en: [
    knowledge(
      'delivery',
      'Delivery.pdf',
      `Standard delivery costs $5.90 and takes three business days.
Express delivery is $14.50 and arrives the next day. Orders over $75 are delivered free.
Pick up your parcel at 12 Mill Lane, Monday to Saturday, 9 am to 6 pm. We keep it for 10 days.
Abroad we send by DHL and Royal Mail.`,
    ),
    knowledge(
      'returns',
      'Returns',
      `Goods can be returned within 30 days of delivery. Refunds take 5 to 7 days.
Write to Helen Brook at returns@brewshop.com or call +44 20 7946 0018.
Coffee machines carry a warranty of 2 years, kettles of 12 months.`,
    ),
    knowledge(
      'prices',
      'Prices',
      'Product: Breeze kettle | Price: 49\nProduct: Aurora coffee machine | Price: 1,290.00\n15% off until December 31, 2026',
    ),
    {
      origin: 'instructions',
      text: 'You are the assistant of Brewshop. It is Saturday, 21 November 2026 at 12:30 (Europe/London).',
    },
    { origin: 'conversation', text: "Hi, I'm Oliver, order 48213, a kettle to Leeds. Is express delivery $9?" },
  ],
}

const FOUNDED = {
  ru: [
    'Доставка по Москве стоит 500 рублей.',
    'Доставим за 2 рабочих дня.',
    'По области доставка обойдётся в 1200 ₽ и займёт от 3 до 5 дней.',
    'При заказе от 10 тыс. руб. доставка бесплатная.',
    'Заказ будет ждать вас 7 дней.',
    'Самовывоз: улица Лесная, дом 15, каждый день с 10 до 21.',
    'Отправляем в Казань через СДЭК.',
    'Можно отправить Почтой России.',
    'Вернуть чайник можно за 14 дней.',
    'Деньги вернутся в течение 10 дней.',
    'Напишите Ирине Соколовой на returns@lavka.ru.',
    'Позвоните по номеру 8 495 123-45-67.',
    'На кофемашину действует гарантия два года.',
    'У чайника гарантия 12 месяцев.',
    'Чайник «Бриз» стоит 2490 ₽.',
    'Кофемашина Аврора – 54 900 руб.',
    'Скидка 15 % действует до 31.12.2026.',
    'Мы работаем с 2014 года.',
    'Марина, ваш заказ 48213 принят.',
    'Здравствуйте! Чем могу помочь?',
    'К сожалению, об этом у меня нет сведений.',
    'Сообщите, пожалуйста, адрес, и Вам подскажут.',
    'Акция – до 31 декабря.',
    'Есть два способа: самовывоз и курьер.',
  ],
  en: [
    'Standard delivery costs $5.90.',
    'It takes 3 working days.',
    'Express delivery is 14.50 USD and comes the next day.',
    'Delivery is free for orders over 75 dollars.',
    'You can pick it up at 12 Mill Lane.',
    'We are open from 9:00 to 18:00, Monday to Saturday.',
    'Your parcel waits for ten days.',
    'To Leeds we send by DHL or Royal Mail.',
    'You have 30 days to return it.',
    'A refund takes 5–7 days.',
    'Please write to Helen Brook, returns@brewshop.com.',
    'The number is +44 20 7946 0018.',
    'The coffee machine comes with a two year warranty.',
    'Kettles have a warranty of 12 months.',
    'The Breeze kettle costs $49.',
    'The Aurora coffee machine is 1290 dollars.',
    'There is 15% off until 31 December.',
    'The discount ends on December 31st, 2026.',
    'Hello Oliver, order 48213 is on its way.',
    "I'm sorry, I do not know that.",
    'Could you tell me the address?',
    'There are two ways: pickup and delivery.',
    'Today is November 21.',
    'Thank you for asking!',
  ],
}

const UNFOUNDED = {
  ru: [
    'Доставка по Москве стоит 300 ₽.',
    'Доставка по Москве займёт пять дней.',
    'По области доставка обойдётся в 500 ₽.',
    'Бесплатно доставляем от 5 000 рублей.',
    'Заказ хранится 30 дней.',
    'Пункт выдачи на улице Садовой.',
    'Мы открыты до 23:00.',
    'Отправляем через Boxberry.',
    'Вернуть товар можно в течение 60 дней.',
    'Деньги придут за 3 дня.',
    'Обратитесь к Сергею Петрову.',
    'Пишите на support@lavka.ru.',
    'Наш телефон +7 (495) 765-43-21.',
    'Гарантия на кофемашину 5 лет.',
    'На чайники гарантия 24 месяца.',
    'Чайник «Бриз» стоит 1 990 ₽.',
    'Кофемашина Аврора стоит 2 490 ₽.',
    'Сейчас действует скидка 25%.',
    'Скидка действует до 15 января.',
    'Мы работаем с 1998 года.',
    'Подробности на lavka-shop.ru.',
    'Артикул чайника BR-220.',
    'Оплатить можно через Тинькофф.',
    'Два чайника обойдутся в 4 980 ₽.',
    'Подарочная упаковка тоже бесплатна.',
  ],
  en: [
    'Express delivery costs $9.',
    'Standard delivery takes five days.',
    'Standard delivery is $14.50.',
    'Delivery is free for orders over $50.',
    'We keep your parcel for 21 days.',
    'You can pick it up at 40 Baker Street.',
    'We are open until 10 pm.',
    'We also ship with FedEx.',
    'You have 90 days to return it.',
    'Refunds take 2 weeks.',
    'Please ask for Robert Lane.',
    'Write to help@brewshop.com.',
    'Call +44 20 7946 9999.',
    'The coffee machine has a warranty of 5 years.',
    'Kettles have a warranty of 36 months.',
    'The Breeze kettle costs $39.',
    'The Aurora coffee machine is $49.',
    'There is 40% off this week.',
    'The discount ends on January 15.',
    'Brewshop was founded in 1998.',
    'See brewshop-sale.com for more.',
    'The model number is BZ-220.',
    'You can pay with Klarna.',
    'Two kettles come to $98.',
    'Gift wrapping is free as well.',
  ],
}

const isUnfounded = (language: 'ru' | 'en', sentence: string) =>
  unfoundedOf(groundSentences(sentence, SOURCES[language])).length > 0

describe.each(['ru', 'en'] as const)('sentences in %s', (language) => {
  const caught = UNFOUNDED[language].filter((sentence) => isUnfounded(language, sentence))
  const blamed = FOUNDED[language].filter((sentence) => isUnfounded(language, sentence))

  it('that state what the sources do not are known at a recall of 0.85 and a precision of 0.8 at least', () => {
    const missed = UNFOUNDED[language].filter((sentence) => !caught.includes(sentence))
    expect(caught.length / UNFOUNDED[language].length, `missed: ${missed.join(' ')}`).toBeGreaterThanOrEqual(0.85)
    expect(caught.length / (caught.length + blamed.length), `blamed: ${blamed.join(' ')}`).toBeGreaterThanOrEqual(0.8)
  })
})

describe('a sentence', () => {
  const judge = (text: string) => groundSentences(text, SOURCES.en)[0]

  it.each([
    ['The Breeze kettle costs $49.', { verdict: 'knowledge', unfounded: [], sources: ['prices'] }],
    ['Hello Oliver, order 48213 is on its way.', { verdict: 'given', unfounded: [], sources: [] }],
    ['Express delivery costs $9.', { verdict: 'unfounded', unfounded: ['9'], sources: [] }],
    [
      'Please ask Helen Brook or Robert Lane-Fox.',
      { verdict: 'unfounded', unfounded: ['Robert Lane-Fox'], sources: [] },
    ],
    ['You can pick up your parcel at the lane.', { verdict: 'knowledge', unfounded: [], sources: ['delivery'] }],
    ['Thank you for asking!', { verdict: 'unchecked', unfounded: [], sources: [] }],
  ] as const)('"%s" is judged by what the model was given', (text, verdict) => {
    expect(judge(text)).toEqual({ text, ...verdict })
  })

  it.each([
    'Звоните: 8–701–555–00–11.',
    'Телефон: +7 701 555‑00‑11.',
    'Скидка на покупки 70 000 - 100 000 тенге.',
    'Скидка на покупки 70 000–100 000 теңге.',
    'Стол 60 × 120 см.',
    'Стол 60x120 см.',
  ])('with a number in another writing states what it states: %s', (text) => {
    const shop = 'Касса: +7 (701) 555-00-11. Скидка на покупки от 70 000 до 100 000 тенге. Стол 60х120 см.'
    expect(unfoundedOf(groundSentences(text, [knowledge('shop', 'Магазин', shop)]))).toEqual([])
  })

  it('of a list is read without its number', () => {
    expect(
      unfoundedOf(groundSentences('1. Express delivery is $14.50.\n2. Standard delivery is $5.90.', SOURCES.en)),
    ).toEqual([])
  })

  it('about a range rests on both of its ends', () => {
    expect(unfoundedOf(groundSentences('Refunds take 5 to 9 days.', SOURCES.en))).toEqual(['Refunds take 5 to 9 days.'])
  })
})

it('a name with a part longer than names of sites may have is no address', () => {
  const isJudged = (name: string) => unfoundedOf(groundSentences(`see ${name}.example`, [])).length > 0
  expect(isJudged('a'.repeat(63))).toBe(true)
  expect(isJudged('a'.repeat(64))).toBe(false)
  expect(isJudged(`a${'-'.repeat(63)}`)).toBe(false)
})

// So long that more than one look at each sign would outlast any test.
it.each([
  ['a-----…', `a${'-'.repeat(1_000_000)}`],
  ['a-a-a-…', 'a-'.repeat(500_000)],
])('a hostile text of %s is read once', (_, text) => {
  expect(groundSentences(text, [{ origin: 'conversation', text }])).toMatchObject([{ verdict: 'unchecked' }])
})
