// A small collection of its own, Russian and English in one index: everyday questions must lead to their passage, also mistyped.
// The figures on real collections come from eval/retrieval.ts.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { buildSegment } from '../index/build-segment.ts'
import { IndexPart, OpenSegment, SearchedIndex } from '../index/searched-index.ts'
import { noneDeleted, openSegment } from '../index/segment.ts'
import { rank } from './ranking.ts'

type Passage = { title: string; body: string; questions: string[]; mistyped: string }

const PASSAGES: Passage[] = [
  {
    title: 'Доставка по городу',
    body: 'Курьер привозит заказ на следующий рабочий день с десяти до двадцати часов. Стоимость — 300 рублей, от 5000 рублей бесплатно.',
    questions: ['сколько стоит доставка курьером', 'когда привезут заказ'],
    mistyped: 'сколько стоит дотсавка курером',
  },
  {
    title: 'Самовывоз',
    body: 'Забрать покупку можно в пункте выдачи на улице Ленина, 5. Мы храним её семь дней. Возьмите с собой паспорт.',
    questions: ['как забрать покупку самому', 'сколько хранится заказ в пункте выдачи'],
    mistyped: 'где пукнт выдачи',
  },
  {
    title: 'Возврат товара',
    body: 'Товар надлежащего качества можно вернуть в течение четырнадцати дней, если сохранены чек, упаковка и ярлыки. Деньги поступят на карту за десять дней.',
    questions: ['как вернуть товар без чека', 'за сколько дней вернут деньги на карту'],
    mistyped: 'как венруть твоар',
  },
  {
    title: 'Гарантия',
    body: 'На бытовую технику действует гарантия производителя: холодильники — пять лет, мелкая техника — один год. Ремонт выполняет сервисный центр.',
    questions: ['какая гарантия на холодильник', 'кто ремонтирует технику по гарантии'],
    mistyped: 'гаратния на хлодильник',
  },
  {
    title: 'Оплата',
    body: 'Принимаем карты «Мир», Visa и Mastercard, перевод через СБП и наличные при получении. Юридическим лицам выставляем счёт с НДС.',
    questions: ['можно ли оплатить наличными', 'выставляете ли вы счёт юридическому лицу'],
    mistyped: 'оплтаить наличыными',
  },
  {
    title: 'Рассрочка',
    body: 'Рассрочка оформляется на срок от трёх до двенадцати месяцев без переплаты. Нужен только телефон и документ, удостоверяющий личность.',
    questions: ['на какой срок дают рассрочку', 'есть ли переплата при покупке в рассрочку'],
    mistyped: 'расрочка без преплаты',
  },
  {
    title: 'Установка',
    body: 'Мастер подключит стиральную машину SM-2041 и проверит её работу. Выезд за город оплачивается отдельно по тарифу 40 рублей за километр.',
    questions: ['кто подключит стиральную машину', 'инструкция sm2041', 'сколько стоит выезд мастера за город'],
    mistyped: 'подклчюить стиралную машину',
  },
  {
    title: 'Бонусная программа',
    body: 'За каждую покупку начисляются бонусы: пять процентов от суммы. Списать ими можно до половины стоимости следующего заказа.',
    questions: ['сколько бонусов начисляют за покупку', 'как списать бонусы'],
    mistyped: 'начилсение боунсов',
  },
  {
    title: 'Password reset',
    body: 'Open the sign-in page, choose "Forgot password" and enter your e-mail. The link we send works for one hour.',
    questions: ['how do I reset my password', 'how long does the reset link work'],
    mistyped: 'forgto pasword',
  },
  {
    title: 'Two-step verification',
    body: 'Scan the code with an authenticator app in the security settings. Keep the recovery codes in a safe place.',
    questions: ['where do I turn on two-step verification', 'what are recovery codes for'],
    mistyped: 'recvoery codes authentcator',
  },
  {
    title: 'Billing',
    body: 'Invoices are issued on the first day of the month. Change the billing address before that day, later changes apply to the next invoice.',
    questions: ['when are invoices issued', 'can I change the billing address'],
    mistyped: 'chagne biling adress',
  },
  {
    title: 'Telegram integration',
    body: 'Create a bot with BotFather, copy its token and paste it into the channel settings. The bot answers within a few seconds.',
    questions: ['how to connect telegram bot', 'телеграм бот', 'куда вставить токен'],
    mistyped: 'conect telgram',
  },
]

const id = (number: number) => String(number).padStart(32, '0') as Id<'chunks'>
const chunks = PASSAGES.map(({ title, body }, number) => ({
  id: id(number),
  title,
  body,
  headingPath: [],
  alsoAskedAs: [],
}))
const segment = new OpenSegment(openSegment(buildSegment(chunks)))
const index = new SearchedIndex([new IndexPart(segment, noneDeleted(chunks.length))])
const best = (question: string) => rank(index, question, 5).chunks[0]?.chunkId

describe.each(PASSAGES.map((passage, number) => ({ ...passage, number })))(
  '«$title»',
  ({ questions, mistyped, number }) => {
    it.each(questions)('answers: %s', (question) => {
      expect(best(question)).toBe(id(number))
    })

    it('is found in spite of typing errors', () => {
      expect(best(mistyped)).toBe(id(number))
    })
  },
)
