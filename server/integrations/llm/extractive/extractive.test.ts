// What the built-in model quotes, where it says it comes from, and when it says that it does not know.
import { describe, expect, it } from 'vitest'
import { createLogger } from '#server/platform/lib/logger.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { createLlm } from '../create.ts'
import type { ChatMessage, Generation, Passage } from '../llm.ts'

const none = { apiKey: undefined, baseUrl: undefined }
const llm = createLlm({ openai: none, anthropic: none, google: none }, createLogger('silent'))

const DELIVERY_RU: Passage = {
  id: 'ru-delivery',
  source: 'Доставка и оплата.pdf',
  page: 2,
  score: 1,
  text: `Доставка
Мы доставляем букеты по Москве ежедневно с 9:00 до 22:00. Стоимость доставки в пределах МКАД — 390 рублей, при заказе от 5000 руб. она бесплатна. За МКАД доставка стоит 390 рублей плюс 30 рублей за километр.
Оплата
Оплатить заказ можно картой на сайте, по СБП или наличными курьеру. Чек приходит на электронную почту.`,
}
const RETURNS_RU: Passage = {
  id: 'ru-returns',
  source: 'Возврат',
  page: null,
  score: 0.6,
  text: 'Если цветы завяли в течение суток, мы заменим букет или вернём деньги. Пришлите фотографию букета и номер заказа. Мастерская находится по адресу: ул. Лесная, д. 5, метро «Белорусская».',
}
const HOTEL_EN: Passage = {
  id: 'en-hotel',
  source: 'House rules',
  page: 1,
  score: 1,
  text: `Check-in and check-out
Check-in starts at 3 p.m. and check-out is until 11 a.m. Late check-out until 2 p.m. costs 25 euros. Breakfast is served daily from 7 to 10:30.
Parking
The garage is under the building. A place costs 18 euros a night and must be booked at least one day ahead.`,
}

function ask(question: string | ChatMessage[], passages: Passage[], isWeakEvidence = false): Promise<Generation> {
  const messages = typeof question === 'string' ? [{ role: 'user' as const, text: question }] : question
  return llm.generate({
    model: EXTRACTIVE_MODEL,
    temperature: 1,
    system: '',
    messages,
    passages,
    isWeakEvidence,
    tools: [],
    signal: new AbortController().signal,
  })
}

describe('the built-in model', () => {
  it.each([
    ['Сколько стоит доставка за МКАД?', 'плюс 30 рублей за километр', 'Доставка и оплата.pdf, стр. 2'],
    ['доставка бесплатная от какой суммы', 'при заказе от 5000 руб. она бесплатна', 'Доставка и оплата.pdf, стр. 2'],
    ['Можно ли расплатиться наличными?', 'наличными курьеру', 'Доставка и оплата.pdf'],
    ['До скольки вы доставляете?', 'с 9:00 до 22:00', 'Доставка и оплата.pdf'],
    ['Букет завял, что делать?', 'мы заменим букет', 'Возврат'],
    ['Где находится ваша мастерская?', 'ул. Лесная, д. 5', 'Возврат'],
  ])('answers «%s» with the sentence that holds it', async (question, sentence, source) => {
    const { text } = await ask(question, [DELIVERY_RU, RETURNS_RU])
    expect(text).toContain(sentence)
    expect(text).toContain(`Источник: ${source}`)
  })

  it('adds the sum that is asked for when it stands in the sentence after', async () => {
    const pool: Passage = {
      ...RETURNS_RU,
      text: 'Бассейн открыт с 9:00 до 22:00. Для гостей утром бесплатно, в другое время 800 рублей. Массаж стоит 3900 рублей.',
    }
    const { text } = await ask('Сколько стоит бассейн вечером?', [pool])
    expect(text).toContain('в другое время 800 рублей')
    expect(text).not.toContain('3900')
  })

  it.each([
    ['When can I check in?', 'Check-in starts at 3 p.m.'],
    ['How much is parking?', 'A place costs 18 euros a night'],
    ['what time is breakfast', 'Breakfast is served daily from 7 to 10:30.'],
  ])('answers "%s" with the sentence that holds it', async (question, sentence) => {
    const { text, usedPassageIds } = await ask(question, [HOTEL_EN])
    expect(text).toContain(sentence)
    expect(text).toContain('Source: House rules, p. 1')
    expect(usedPassageIds).toEqual(['en-hotel'])
  })

  it('names both pages of a passage that runs over to the next', async () => {
    const { text } = await ask('How much is parking?', [{ ...HOTEL_EN, lastPage: 2 }])
    expect(text).toContain('Source: House rules, p. 1–2')
  })

  it('quotes at most three sentences, each word for word', async () => {
    const { text } = await ask('доставка букетов оплата заказа', [DELIVERY_RU, RETURNS_RU])
    const quoted = [...text.matchAll(/«(.+?)»\nИсточник/gs)].flatMap((match) => (match[1] ?? '').split(/ … |\n/))
    expect(quoted.length).toBeLessThanOrEqual(3)
    for (const part of quoted) expect(`${DELIVERY_RU.text} ${RETURNS_RU.text}`).toContain(part)
  })

  it('quotes what is about the same topic when the question shares no word with it', async () => {
    const { text, usedPassageIds } = await ask('Привезёте розы?', [DELIVERY_RU, RETURNS_RU])
    expect(text).toContain('Мы доставляем букеты по Москве')
    expect(usedPassageIds).toEqual(['ru-delivery'])
  })

  it('takes the beginning of a passage that is near in meaning only', async () => {
    const question = 'Хочу порадовать маму'
    expect((await ask(question, [DELIVERY_RU])).text).toContain('Я не знаю')
    expect((await ask(question, [{ ...DELIVERY_RU, isNear: true }])).text).toContain('Мы доставляем букеты по Москве')
  })

  it.each([
    ['Какая у вас гарантия на ноутбуки?', 'Я не знаю'],
    ['Do you repair laptops?', 'I do not know'],
  ])('says in the language of the question that it does not know: %s', async (question, beginning) => {
    for (const answer of [await ask(question, [DELIVERY_RU, HOTEL_EN], true), await ask(question, [])]) {
      expect(answer.text.startsWith(beginning)).toBe(true)
      expect(answer.usedPassageIds).toEqual([])
    }
  })

  it.each([
    ['Здравствуйте!', 'Здравствуйте!'],
    ['добрый вечер', 'Здравствуйте!'],
    ['Hi there', 'Hello!'],
    ['Спасибо большое', 'Пожалуйста!'],
    ['Thanks a lot!', 'You are welcome!'],
    ['Вы бот?', 'Я программа'],
    ['are you a real person?', 'I am a program'],
    ['👍', 'Напишите'],
    ['/catalog', 'Команд я не знаю'],
    ['/help@shop_bot me', 'Команд я не знаю'],
  ])('meets "%s" shortly and honestly, whatever was found', async (message, beginning) => {
    const answer = await ask(message, [DELIVERY_RU])
    expect(answer.text.startsWith(beginning)).toBe(true)
    expect(answer.usedPassageIds).toEqual([])
  })

  it.each([
    ['Сіздерде жұмыс бар ма?', 'Білмеймін'],
    ['есть работа у вас?', 'Я не знаю'],
    ['Are there any job openings?', 'I do not know'],
    ['Можно оплатить биткоинами?', 'Я не знаю'],
    ['до скольки работает бассейн?', 'Я не знаю'],
  ])('declines what is only near to what it was given: %s', async (question, beginning) => {
    const hours: Passage = {
      ...DELIVERY_RU,
      text: `${DELIVERY_RU.text}\nЧасы работы поддержки: в будни с 9:00 до 18:00.`,
    }
    const { text, usedPassageIds } = await ask(question, [hours])
    expect(text.slice(0, beginning.length)).toBe(beginning)
    expect(usedPassageIds).toEqual([])
  })

  it.each([
    ['до скольки вы открыты', 'до 18:00'],
    ['Вы возите в Шымкент?', 'по всему Казахстану'],
    ['Где можно забрать самому?', 'Самовывоз'],
    ['Шымкентке жеткізесіздер ме?', 'по всему Казахстану'],
    ['дүкен нешеге дейін ашық', 'до 18:00'],
  ])('answers what is asked in other words: %s', async (question, piece) => {
    const shop: Passage = {
      ...DELIVERY_RU,
      text: 'Магазин работает ежедневно с 9:00 до 18:00. Доставляем по всему Казахстану за 3 дня. Самовывоз со склада на улице Абая, 5.',
    }
    expect((await ask(question, [shop])).text).toContain(piece)
  })

  it.each([
    ['Потеряла чек, как вернуть деньги?', 'с чеком или без'],
    ['в субботу работаете?', 'ежедневно'],
    ['скажите пожалуста, есть прививка от гриппа?', 'от гриппа'],
    ['когда делоете привевку', 'от гриппа'],
    ['шина ауыстыру багасы', 'Шина ауыстыру'],
  ])('reads what is asked in it: %s', async (question, piece) => {
    const service: Passage = {
      ...DELIVERY_RU,
      text: 'Открыты ежедневно с 9:00 до 18:00. Деньги вернём с чеком или без него. Прививку от гриппа делаем осенью. Шина ауыстыру 8 000 теңге.',
    }
    expect((await ask(question, [service])).text).toContain(piece)
  })

  it.each(['Do you deliver food?', 'Делаете МРТ колена?', 'Балаларға массаж жасайсыздар ма?'])(
    'declines what only a part of it is written of: %s',
    async (question) => {
      const cafe: Passage = {
        ...DELIVERY_RU,
        source: 'Menu',
        text: 'Opening hours are from 8 am. Tables can be booked. Business lunch costs 9 dollars. Төлем әдістері: қолма-қол ақша. Балалар дәрігерінің қабылдауы 7 000 теңге.',
      }
      expect((await ask(question, [cafe])).usedPassageIds).toEqual([])
    },
  )

  it('answers a Kazakh question in Kazakh', async () => {
    expect((await ask('Сәлеметсіз бе!', [])).text).toContain('Сәлеметсіз бе!')
    expect((await ask('Букет қанша тұрады?', [], true)).text).toContain('Білмеймін')
    expect((await ask('доставка қанша тұрады?', [DELIVERY_RU])).text).toContain('Дереккөз: ')
  })

  it('keeps the language of the conversation where a message does not show its own', async () => {
    const inRussian = (text: string): ChatMessage[] => [
      { role: 'user', text: 'Здравствуйте' },
      { role: 'assistant', text: 'Здравствуйте!' },
      { role: 'user', text },
    ]
    const phones: Passage = { ...HOTEL_EN, source: 'Телефоны', page: null, text: 'iPhone 15: 399 000 tenge, in stock.' }
    expect((await ask(inRussian('iPhone 15?'), [phones])).text).toContain('Источник: Телефоны')
    expect((await ask(inRussian('PS5?'), [phones], true)).text).toContain('Я не знаю')
    expect((await ask(inRussian('👍'), [])).text).toContain('Напишите')
    expect((await ask('iPhone 15?', [phones])).text).toContain('Source: Телефоны')
  })

  it('reads no language and no question from a note about a colleague', async () => {
    const messages: ChatMessage[] = [
      { role: 'user', text: 'Здравствуйте' },
      { role: 'user', isColleague: true, text: '[A colleague took over here, and you were silent. Parking.]' },
      { role: 'user', text: 'PS5?' },
    ]
    expect((await ask(messages, [HOTEL_EN], true)).text).toContain('Я не знаю')
  })

  it('answers a question that comes along with a command', async () => {
    expect((await ask('/menu\nСколько стоит доставка?', [DELIVERY_RU])).text).toContain('390 рублей')
  })

  it('answers a question that begins with a greeting', async () => {
    expect((await ask('Здравствуйте! Сколько стоит доставка?', [DELIVERY_RU])).text).toContain('390 рублей')
  })

  it('answers all messages since the last reply', async () => {
    const messages: ChatMessage[] = [
      { role: 'user', text: 'Привет' },
      { role: 'assistant', text: 'Здравствуйте!' },
      { role: 'user', text: 'Хочу оплатить' },
      { role: 'user', text: 'наличными можно?' },
    ]
    expect((await ask(messages, [DELIVERY_RU])).text).toContain('наличными курьеру')
  })

  it('streams its answer word by word and costs nothing', async () => {
    const pieces: string[] = []
    const { text, call } = await llm.generate({
      model: EXTRACTIVE_MODEL,
      temperature: 1,
      system: '',
      messages: [{ role: 'user', text: 'How much is parking?' }],
      passages: [HOTEL_EN],
      isWeakEvidence: false,
      tools: [],
      signal: new AbortController().signal,
      onText: (delta) => pieces.push(delta),
    })
    expect(pieces.join('')).toBe(text)
    expect(pieces.length).toBeGreaterThan(10)
    expect(call).toMatchObject({ provider: 'parley', model: EXTRACTIVE_MODEL, costMicroUsd: 0 })
  })
})
