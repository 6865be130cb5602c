// Figures of tables: each is held against the row and the column that its sentence names.
import { describe, expect, it } from 'vitest'
import { type Evidence, groundSentences, madeUpCountsOf, unfoundedOf } from './grounding.rules.ts'
import { noting } from './grounding.ts'

const ROWS = [
  ['Кресло офисное', '7 500', '4'],
  ['Диван угловой', '12 900', '7'],
  ['Стол дубовый', '9 000', '12'],
  ['Стол сосновый', '8 200', '3'],
  ['Armchair Oslo', '499.90', '15'],
  ['Саморез 3,5х35', '12', '100'],
  ['Саморез 3,5х45', '14', '90'],
  ['Лампа настольная', '489.50', '25'],
  ['Светильник', '489.37', '6'],
  ['Чайник Тефаль', '489,50', '8'],
]
const COMPUTED = ['matchedRows: 5', 'avg of column 2: 7619.98', 'sum of column 3: 41']
const TABLE: Evidence = {
  origin: 'knowledge',
  id: 'table',
  text: [...COMPUTED, ...ROWS.map((cells) => cells.join(' | '))].join('\n'),
  table: { columns: ['Товар', 'Цена', 'Остаток'], rows: ROWS, computed: COMPUTED },
}
const KAZAKH_ROWS = [
  ['Офис креслосы', '7 500', '4'],
  ['Бұрыштық диван', '12 900', '7'],
]
const KAZAKH: Evidence = {
  origin: 'knowledge',
  id: 'kazakh',
  text: KAZAKH_ROWS.map((cells) => cells.join(' | ')).join('\n'),
  table: { columns: ['Тауар', 'Бағасы', 'Қалдығы'], rows: KAZAKH_ROWS, computed: [] },
}
const verdictsOf = (answer: string, evidence: Evidence[] = [TABLE]) => groundSentences(answer, evidence)

describe('a figure', () => {
  it.each([
    'Кресло офисное стоит 12 900 ₽.',
    'Офисное кресло у нас по 12 900.',
    'Кресло офисное 12 900, диван угловой 7 500.',
    'Остаток кресла офисного: 7 500.',
    'Цена стола дубового 8 200 ₽.',
    'The Armchair Oslo costs 7,500.',
    'Саморез 3.5x45 – 12 руб.',
    'Кресло офисное и диван угловой стоят 12 900 и 7 500 ₽.',
    'В отличие от дивана углового, кресло офисное стоит 12 900 ₽.',
    'Осталось 7 кресел офисных.',
    'Кресел офисных осталось 12.',
    'Светильник стоит 489 рублей 50 копеек.',
    'Лампа настольная стоит 489 рублей 5 копеек.',
    'Диван угловой стоит 7 тысяч 500 рублей.',
    'Кресел офисных в наличии 7 500.',
    'Кресло офисное: 7 500 шт.',
    'Кресло офисное стоит 4 ₽.',
    'Осталось 2 кресла офисных.',
    'Кресло офисное, а не диван, стоит 12 900 ₽.',
    'Кресло: 12 900.',
    'Кресло стоит 12 900 ₽.',
    'Armchair: 7,500.',
    'Осталось 7 кресел офисных.',
    'Кресел офисных осталось 12.',
    'Осталось кресел: 7.',
    'Кресла по 12 900, диваны по 7 500.',
    'Диван угловой 12 900, кресло 9 000.',
    'Чайник стоит 489 рублей 40 копеек.',
  ])('of another row or column is no figure of this one: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([answer])
  })

  it.each([
    'Кресло: 12 900',
    'Кресло – 12 900 ₽.',
    'Диван стоит 7 500.',
    'Осталось 7 кресел.',
    'Кресел осталось 12.',
    'Стол: 12 900',
    'Кресло – 12 900, диван – 7 500.',
    'За 12 900 есть кресло.',
    'Armchair: 7,500',
    'Oslo costs 7,500.',
  ])('of another row is none of a row of which a part is named: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([answer])
  })

  it.each([
    'Кресло: 7 500',
    'Осталось 4 кресла, дивана – 7.',
    'Кресло – 7 500, диван – 12 900.',
    'Есть столы за 9 000 и 8 200.',
    'За 12 900 есть диван.',
    'Oslo costs 499.90.',
    'Саморезы по 12 и 14 ₽.',
    'Столов осталось 3 и 12.',
    'Кресел офисных осталось 4.',
  ])('of a row of which a part is named stands: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([])
  })

  it.each([
    'Кресло офисное стоит 7 500 ₽.',
    'Кресло офисное 7 500, диван угловой 12 900.',
    'Остаток кресла офисного: 4 шт.',
    'Диван угловой: цена 12 900 ₽, осталось 7.',
    'Стол стоит 8 200 или 9 000 ₽.',
    'The Armchair Oslo costs 499.90.',
    'В среднем 7 620 ₽.',
    'Средняя цена 7 619,98 ₽.',
    'Средняя цена около 7 600 ₽.',
    'The Armchair Oslo costs about 500.',
    'Диван угловой стоит около 13 тысяч рублей.',
    'Кресло офисное и диван угловой стоят 7 500 и 12 900 ₽.',
    'Кресло офисное стоит 7,5 тыс. ₽.',
    'Лампа настольная стоит 489 рублей 50 копеек.',
    'Лампа настольная – 489 руб. 50 коп.',
    'Лампа настольная: 489 ₽ и 50 копеек.',
    'Лампа настольная стоит 490 ₽.',
    'Диван угловой стоит 12 тысяч 900 рублей.',
    'Диван угловой: 12 тыс. 900 ₽, осталось 7.',
    'Саморез 3.5x35 стоит 12 ₽, саморез 3,5×45 – 14 ₽.',
    'Всего в таблице 5 товаров, на складе 41 штука.',
    'Кресло: 7 500.',
    'Кресла по 7 500, диваны по 12 900.',
    'Диван угловой 12 900, кресло 7 500.',
    'Осталось 4 кресла офисных.',
    'Кресел офисных осталось 4.',
    'Дубовый стол 9 000, сосновый 8 200.',
    'Стол сосновый или дубовый: 8 200 и 9 000 ₽.',
    'Чайник Тефаль стоит 489 рублей 50 копеек.',
    'Чайник Тефаль: 489 р. 50 коп.',
    'Чайник стоит 489,5 ₽, осталось 8.',
  ])('of its own row, a computed one, and a right rounding stand: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([])
  })

  it.each(['Средняя цена около 7 800 ₽.', 'В среднем 7 621 ₽.'])(
    'that is rounded wrongly stands nowhere: %s',
    (answer) => {
      expect(unfoundedOf(verdictsOf(answer))).toEqual([answer])
    },
  )

  it.each([
    ['**Кресло офисное**\n- Цена: 12 900 ₽', 'Цена: 12 900 ₽'],
    ['Кресло офисное:\nОстаток: 7 500', 'Остаток: 7 500'],
    ['**Кресло**\n- Цена: 12 900 ₽', 'Цена: 12 900 ₽'],
    ['Да, кресла есть. Они стоят 12 900.', 'Они стоят 12 900.'],
    ['Кресло офисное у нас есть. Оно стоит 12 900.', 'Оно стоит 12 900.'],
    ['Кресла у нас есть. Они стоят 12 900.', 'Они стоят 12 900.'],
    ['We have the Armchair Oslo. It costs 7,500.', 'It costs 7,500.'],
  ])('of a row that an earlier sentence names is held against that row: %s', (answer, wrong) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([wrong])
  })

  it.each([
    '**Кресло офисное**\n- Цена: 7 500 ₽\n- Остаток: 4',
    'Кресло офисное у нас есть. Оно стоит 7 500 ₽. Диван угловой тоже есть. Он стоит 12 900 ₽.',
    'Кресло офисное у нас есть. Всего 5 товаров.',
  ])('of that row stands: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer))).toEqual([])
  })

  it.each(['Офис креслосының бағасы – 12 900 теңге.', 'Бұрыштық диванның бағасы 7 500 теңге.'])(
    'of another row is found in Kazakh: %s',
    (answer) => expect(unfoundedOf(verdictsOf(answer, [KAZAKH]))).toEqual([answer]),
  )

  it.each([
    'Офис креслосының бағасы – 7 500 теңге, қалдығы 4.',
    'Офис креслосы 7,5 мың теңге тұрады.',
    'Бұрыштық диван шамамен 13 мың теңге.',
  ])('of its own row, and rounded, stands in Kazakh: %s', (answer) => {
    expect(unfoundedOf(verdictsOf(answer, [KAZAKH]))).toEqual([])
  })

  it('that the customer has named is no figure of another row', () => {
    const asked: Evidence = { origin: 'conversation', text: 'Найдётся что-нибудь до 9 000 ₽?' }
    expect(unfoundedOf(verdictsOf('Есть кресло офисное. Это в пределах 9 000 ₽.', [TABLE, asked]))).toEqual([])
  })

  it('that a document says of something else is no stock of a row', () => {
    const hours: Evidence = { origin: 'knowledge', id: 'hours', text: 'Завтрак с 7 до 10.' }
    expect(unfoundedOf(verdictsOf('Осталось 7 кресел офисных.', [TABLE, hours]))).toHaveLength(1)
    expect(unfoundedOf(verdictsOf('Завтрак с 7 до 10.', [TABLE, hours]))).toEqual([])
    expect(unfoundedOf(verdictsOf('Осталось 4 кресла и 7 диванов.', [TABLE, hours]))).toEqual([])
    expect(unfoundedOf(verdictsOf('Осталось 7 кресел и 4 дивана.', [TABLE, hours]))).toHaveLength(1)
  })

  it('that a document says of something else stands there', () => {
    const delivery: Evidence = { origin: 'knowledge', id: 'd', text: 'Доставка офисного кресла стоит 1 500 ₽.' }
    expect(unfoundedOf(verdictsOf('Доставка офисного кресла стоит 1 500 ₽.', [TABLE, delivery]))).toEqual([])
  })
})

const sheet = (columns: string[], ...rows: string[][]): Evidence[] => [
  {
    ...{ origin: 'knowledge', id: 'sheet', text: rows.map((cells) => cells.join(' | ')).join('\n') },
    table: { columns, rows, computed: [] },
  },
]
const ROOMS = sheet(
  ['Номер', 'Низкий сезон', 'Высокий сезон', 'Мест'],
  ['Стандарт', '15 000', '22 000', '2'],
  ['Люкс', '30 000', '45 000', '4'],
)
const DEPOSITS = sheet(
  ['Вклад', 'Ставка, % годовых', 'Минимальная сумма, тг', 'Срок, мес'],
  ['Надёжный', '14,5', '50 000', '12'],
  ['Накопительный', '12', '10 000', '24'],
)
const DOCTORS = sheet(
  ['Врач', 'Специальность', 'Цена', 'Кабинет'],
  ['Ахметова А.С.', 'Терапевт', '8 000', '12'],
  ['Ким В.П.', 'Хирург', '12 000', '14'],
  ['Ли М.Ю.', 'ЛОР', '9 500', '7'],
)
const CLASSES = sheet(
  ['Class', 'Fee per month', 'Seats left'],
  ['Grade 1', '$450', '3'],
  ['Grade 5', '$520', '0'],
  ['Grade 9', '$610', '12'],
)

describe('a row or a column', () => {
  it.each([
    ['is named before a dash', ROOMS, 'Люкс в низкий сезон — 45 000 тг.'],
    ['is known by a unit', DEPOSITS, 'Накопительный: 24 % на 12 месяцев.'],
    ['is known by a text of another column', DOCTORS, 'Приём хирурга стоит 8 000 тенге.'],
    ['is known so twice in a sentence', DOCTORS, 'Терапевт — 8000 тг, хирург — 9500 тг.'],
    ['has a number in its name', CLASSES, 'Grade 5 costs $450 per month.'],
  ])('that %s has no figure of another', (_, evidence, answer) => {
    expect(unfoundedOf(verdictsOf(answer, evidence))).toEqual([answer])
  })

  it.each([
    [ROOMS, 'Люкс в низкий сезон — 30 000 тг, в высокий — 45 000.'],
    [ROOMS, 'Стандарт — 15 000 тенге, в высокий сезон — 22 000 тенге.'],
    [DEPOSITS, 'Накопительный: 12 % на 24 месяца, минимум 10 000 тенге.'],
    [DOCTORS, 'Приём хирурга стоит 12 000 тенге, кабинет 14.'],
    [DOCTORS, 'Терапевт — 8000 тг, хирург — 12000 тг.'],
    [DOCTORS, 'ЛОР Ли М.Ю. принимает в 7 кабинете, приём 9 500 ₸.'],
    [CLASSES, 'Grade 5 costs $520 per month.'],
    [CLASSES, 'There are 12 seats left in Grade 9.'],
    [CLASSES, 'No seats are left in Grade 5.'],
  ])('has its own figures: %#', (evidence, answer) => {
    expect(unfoundedOf(verdictsOf(answer, evidence))).toEqual([])
  })
})

describe('a total', () => {
  const RESULT = {
    columns: ['Товар', 'Вид', 'Продано'],
    computed: [
      { group: 'Кресла', 'sum of column 3': 340 },
      { group: 'Лампы', 'sum of column 3': 125 },
    ],
    rows: [],
  }
  const given = async () => {
    const evidence: Evidence[] = []
    const tool = { name: 'ask_table', description: '', parameters: {}, run: () => Promise.resolve(RESULT) }
    await noting(tool, evidence).run({ table: 't' }, new AbortController().signal)
    return evidence
  }

  it.each(['Кресел продано 125.', 'Продано кресел: 125, ламп: 340.'])(
    'of another group is none of this one: %s',
    async (answer) => expect(unfoundedOf(verdictsOf(answer, await given()))).toEqual([answer]),
  )

  it.each(['Кресел продано 340.', 'Продано кресел: 340, ламп: 125.'])('of its own group stands: %s', async (answer) =>
    expect(unfoundedOf(verdictsOf(answer, await given()))).toEqual([]),
  )
})

describe('a count', () => {
  it('that no table says is made up', () => {
    expect(madeUpCountsOf(verdictsOf('У нас в ассортименте 57 товаров.'))).toHaveLength(1)
    expect(madeUpCountsOf(verdictsOf('We have 57 items in total.'))).toHaveLength(1)
  })

  it('that a table says, and a made-up number of something else, are none', () => {
    expect(madeUpCountsOf(verdictsOf('Всего 5 товаров.'))).toEqual([])
    expect(madeUpCountsOf(verdictsOf('Приходите к 57 дому.'))).toEqual([])
    expect(
      madeUpCountsOf(verdictsOf('У нас 57 товаров.', [{ origin: 'knowledge', id: 'd', text: 'Мы продаём мебель.' }])),
    ).toEqual([])
  })
})
