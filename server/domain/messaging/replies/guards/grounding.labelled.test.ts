// The same measure as in grounding.rules.test.ts on sentences that the rules were not written for: a salon and a hotel.
import { describe, expect, it } from 'vitest'
import { type Evidence, groundSentences, unfoundedOf } from './grounding.rules.ts'

const knowledge = (id: string, title: string, text: string): Evidence => ({ origin: 'knowledge', id, title, text })

const SOURCES: Record<'ru' | 'en', Evidence[]> = {
  ru: [
    knowledge(
      'a',
      'Услуги.docx',
      'Стрижка женская – 1800 руб., мужская – 1200 руб., детская (до 10 лет) – 900 руб.\nОкрашивание от 3500 ₽, длится около 2 часов.\nСкидка пенсионерам 10 % по будням с 10:00 до 14:00.',
    ),
    knowledge(
      'b',
      'О нас',
      'Салон «Лилия» работает с понедельника по субботу, с 9 до 20 часов. Адрес: Казань, проспект Победы, 78, второй этаж. Телефон: +7 843 200-30-40. Парковка бесплатная. Администратор – Ольга Викторовна.',
    ),
    knowledge(
      'c',
      'Правила',
      'Отменить запись можно не позднее чем за 3 часа. Предоплата 500 рублей для окрашивания. Подарочные сертификаты на 2000, 3000 и 5000 рублей действуют полгода.',
    ),
    {
      origin: 'instructions',
      text: 'Ты администратор салона красоты «Лилия». It is Saturday, 21 November 2026 at 12:30 (Europe/Moscow).',
    },
    {
      origin: 'conversation',
      text: 'Добрый день! Меня зовут Света, хочу постричь сына, ему 7 лет. Можно завтра в 15:00?',
    },
  ],
  en: [
    knowledge(
      'a',
      'Rooms',
      'Single room: $95 per night. Double room: $140 per night. Suite: $260 per night, sleeps four.\nCheck-in from 3 pm, check-out until 11 am. Late check-out costs $25.',
    ),
    knowledge(
      'b',
      'Hotel',
      'The Harbour Hotel is at 8 Quay Street, Bristol. Breakfast is served from 7:00 to 10:30 and costs $14. Parking is $12 a day. Phone: +44 117 496 0123. Manager: Susan Miller.',
    ),
    knowledge(
      'c',
      'Policy',
      'Free cancellation until 48 hours before arrival. Pets up to 10 kg stay for $20. Wi-Fi is free. The pool is open from May 1 to September 30.',
    ),
    {
      origin: 'instructions',
      text: 'You are the receptionist of the Harbour Hotel. It is Saturday, 21 November 2026 at 12:30.',
    },
    { origin: 'conversation', text: 'Hello, this is Tom. We are 3 people with a dog of 8 kg, arriving on December 5.' },
  ],
}

/** Labelled before the rules had seen any of them. */
const FOUNDED = {
  ru: [
    'Детская стрижка стоит 900 рублей.',
    'Мужская стрижка – 1 200 ₽.',
    'Женская стрижка обойдётся в 1800 рублей.',
    'Окрашивание стоит от 3500 рублей и занимает примерно два часа.',
    'Пенсионерам скидка 10% с 10 до 14 в будни.',
    'Мы работаем с 9:00 до 20:00, кроме воскресенья.',
    'Ждём вас: Казань, пр. Победы, 78.',
    'Телефон салона: +7 (843) 200-30-40.',
    'Для окрашивания нужна предоплата 500 ₽.',
    'Отменить запись можно за 3 часа.',
    'Есть сертификаты на 2 000, 3 000 и 5 000 руб.',
    'Света, записать сына на 15:00?',
    'Для детей до 10 лет стрижка 900 рублей, вашему сыну 7, так что подходит.',
    'Спросите Ольгу Викторовну.',
    'Завтра воскресенье, мы не работаем.',
    'Парковка у нас бесплатная.',
    'Да, конечно!',
  ],
  en: [
    'A double room is $140 a night.',
    'The suite costs 260 dollars and sleeps four.',
    'Check-in starts at 15:00.',
    'You can check out until 11:00.',
    'Late check-out is $25.',
    'Breakfast is from 7 to 10:30 am and costs $14.',
    'Your dog of 8 kg is welcome for $20.',
    'Parking costs $12 per day.',
    'We are at 8 Quay Street, Bristol.',
    'You can cancel free of charge up to 48 hours before.',
    'Please call +44 117 496 0123.',
    'Ask for Susan Miller.',
    'The pool opens on 1 May.',
    'See you on December 5, Tom!',
    'The pool is closed in December.',
    'Wi-Fi is free.',
    'How many nights would you like?',
  ],
}

const UNFOUNDED = {
  ru: [
    'Детская стрижка стоит 700 рублей.',
    'Мужская стрижка стоит 1800 рублей.',
    'Окрашивание стоит 2500 ₽.',
    'Окрашивание занимает 4 часа.',
    'Пенсионерам скидка 20%.',
    'Мы открыты до 22:00.',
    'Наш адрес: улица Баумана, 12.',
    'Звоните: +7 843 555-66-77.',
    'Предоплата для окрашивания 1000 рублей.',
    'Отменить запись можно за сутки, то есть за 24 часа.',
    'Сертификат на 10 000 рублей тоже есть.',
    'Вас примет мастер Екатерина.',
    'Салон открылся в 2011 году.',
    'Запишитесь на lilia-salon.ru.',
    'Женская стрижка сейчас 1500 вместо 1800 рублей.',
    'Парковка стоит 100 рублей в час.',
    'Сертификаты действуют 12 месяцев.',
    'Мы используем краску Wella.',
  ],
  en: [
    'A double room is $120 a night.',
    'The single room costs $140.',
    'The suite sleeps six people for $300.',
    'Check-in starts at 1 pm.',
    'Check-out is until 12:30 pm.',
    'Late check-out is $40.',
    'Breakfast costs $9.',
    'Breakfast is served until 11:45.',
    'Dogs stay for $35.',
    'Parking costs $25 per day.',
    'We are at 21 Castle Road.',
    'Call +44 117 999 8877.',
    'Ask for Peter Jones.',
    'The pool opens on April 15.',
    'You can cancel up to 12 hours before.',
    'Book at harbour-hotel-bristol.com.',
    'Three nights come to $420.',
    'We partner with Uber.',
  ],
}

describe.each(['ru', 'en'] as const)('unseen sentences in %s', (language) => {
  const isUnfounded = (sentence: string) => unfoundedOf(groundSentences(sentence, SOURCES[language])).length > 0

  it('are classified at a recall of 0.85 and a precision of 0.8 at least', () => {
    const missed = UNFOUNDED[language].filter((sentence) => !isUnfounded(sentence))
    const blamed = FOUNDED[language].filter(isUnfounded)
    const caught = UNFOUNDED[language].length - missed.length
    expect(caught / UNFOUNDED[language].length, `missed: ${missed.join(' ')}`).toBeGreaterThanOrEqual(0.85)
    expect(caught / (caught + blamed.length), `blamed: ${blamed.join(' ')}`).toBeGreaterThanOrEqual(0.8)
  })
})
