// People look for a customer by whatever they have of them: a number however it is written, its end, a user name, an id, an e-mail address.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'

const PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const greenApi = await startFakeGreenApi({ secondMs: 5 })
const telegram = await startFakeTelegram()
let app: TestApp
let person: Person
/** By the name of the customer. */
let conversations: Map<string, Conversation>

beforeAll(async () => {
  app = await startApp({ greenApi, telegram })
  person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  const { idInstance, apiToken } = greenApi.addInstance()
  await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  const { token } = telegram.addBot()
  await person.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  greenApi.customerSays(idInstance, { phone: '77015550011', name: 'Anna' }, 'Hello')
  telegram.customerSays(token, { chatId: 4_815_162_342, firstName: 'Boris', username: 'boris_b' }, 'Hello')
  telegram.customerSays(
    token,
    { chatId: 5002, firstName: 'Vera' },
    'Перезвоните: 8 702 333-44-55, я до шести, жеткізу керек',
  )
  telegram.customerSays(
    token,
    { chatId: 5003, firstName: 'Gulnar' },
    '8 – 707 – 111 – 22 – 33 или 87081112233 87091112233',
  )
  telegram.customerSays(
    token,
    { chatId: 5004, firstName: 'Әсел Алёнова', username: 'asel.al' },
    'Звоните 0555 12‑34‑56',
  )
  telegram.customerSays(token, { chatId: 5005, firstName: 'Oman' }, 'Мой номер ٨٧٧١٢٢٢٣٣٤٤')
  telegram.customerSays(token, { chatId: 5006, firstName: 'Dubai' }, 'Номер +٧ ٧٧٢ ٢٢٢ ٣٣ ٤٤')
  telegram.customerSays(token, { chatId: 5007, firstName: 'Slash' }, 'Номер 8/773/222/33/44')
  telegram.customerSays(token, { chatId: 5008, firstName: 'Wide' }, 'Номер ８７７４２２２３３４４')
  const names = [
    '🌸Салтанат🌸',
    'АЙГЕРІМ Нұрланқызы',
    'Daniyar Ömirbek',
    'Наталья Цой',
    'Alexander Щербаков',
    'Қуаныш',
    'Пётр',
  ]
  for (const [at, firstName] of names.entries()) telegram.customerSays(token, { chatId: 6001 + at, firstName }, 'Hello')
  await vi.waitFor(async () => expect(await listed()).toHaveLength(16), { timeout: 20_000 })
  conversations = new Map((await listed()).map((each) => [each.customer?.name ?? '', each]))
})
afterAll(async () => {
  await app.close()
  await Promise.all([greenApi.close(), telegram.close()])
})

async function listed(): Promise<Conversation[]> {
  return (await person.http.query(api.conversations.list, PAGE)).page
}

function idOf(name: string) {
  const found = conversations.get(name)
  if (!found) throw new Error(`${name} has not written`)
  return found
}

async function found(query: string) {
  const { hits } = await person.http.action(api.conversations.search, { query, cursor: null })
  return hits
}

describe('a customer is found', () => {
  it.each([
    ...['77015550011', '+7 701 555 00 11', '+7(701)555-00-11', '8 701 555-00-11', '87015550011', '7015550011'],
    ...['701 555 00 11', '555-00-11', '550011', '0011'],
    ...['\u202a+7\u00a0701\u202f555‑00–11\u202c', '8 - 701 - 555 - 00 - 11', '+7 (701) – 555 – 00 – 11'],
    ...[
      '٨٧٠١٥٥٥٠٠١١',
      '＋７ ７０１ ５５５ ００ １１',
      'тел. 8 701 555-00-11',
      'https://wa.me/77015550011',
      '77015550011@c.us',
    ],
    ...['+7 701 55', '8 701 555', '870155', '701555', '+7/701/555/00/11', '8\\701\\555', '٨٧٠١٥٥'],
    ...['Anna', 'Анна', 'анн'],
    ...['77015', '8701555', '+7 701 5', '8 (701) 555', '701555', '7015550', '8/701/555/00/11', '+7 701/555-00-11'],
  ])('by their number or name as %s', async (typed) => {
    expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([idOf('Anna')._id])
  })

  it.each(['4815162342', '№ 4815162342', '481516', '@boris_b', 'boris', 'Борис'])(
    'by their id or user name as %s',
    async (typed) => {
      expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([idOf('Boris')._id])
    },
  )

  it.each(['Алёнова', 'Alenova', 'Asel', 'аленова', 'асел', 'Әсел Аленова', 'asel.al', '@asel.a'])(
    'by their name or user name, however their letters are typed, as %s',
    async (typed) => {
      expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([idOf('Әсел Алёнова')._id])
    },
  )

  it.each([
    ['Анна 8 701 555 00 11', 'Anna'],
    ['+7 701 555 00 11 (WhatsApp)', 'Anna'],
    ['8 701 555 0011 доб. 5', 'Anna'],
    ['https://api.whatsapp.com/send?phone=77015550011&text=hi', 'Anna'],
    ['https://wa.me/77015550011?text=hi', 'Anna'],
    ['https://t.me/boris_b', 'Boris'],
    ['t.me/@boris_b', 'Boris'],
    ['tg://user?id=4815162342', 'Boris'],
    ['ID: 4815162342', 'Boris'],
    ['id4815162342', 'Boris'],
    ['Салтанат', '🌸Салтанат🌸'],
    ['🌸Saltanat', '🌸Салтанат🌸'],
    ['Aigerim', 'АЙГЕРІМ Нұрланқызы'],
    ['Nurlankyzy', 'АЙГЕРІМ Нұрланқызы'],
    ['Omirbek', 'Daniyar Ömirbek'],
    ['Омирбек Данияр', 'Daniyar Ömirbek'],
    ['Ömirbek', 'Daniyar Ömirbek'],
    ['Natalia', 'Наталья Цой'],
    ['Natalya Tsoi', 'Наталья Цой'],
    ['Александр', 'Alexander Щербаков'],
    ['Shcherbakov', 'Alexander Щербаков'],
    ['Quanysh', 'Қуаныш'],
    ['Pyotr', 'Пётр'],
  ])(
    'by what is copied with a number, an address of a profile, or a name as others spell it: %s',
    async (typed, name) => {
      expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([idOf(name)._id])
    },
  )

  it('by what the team noted of them', async () => {
    const { customer, _id } = idOf('Boris')
    if (!customer) throw new Error('Boris has no contact')
    const attributes = [
      { key: 'E-mail', value: 'boris@example.com' },
      { key: 'Phone', value: '8 (705) 111-22-33' },
    ]
    await person.http.mutation(api.conversations.contacts.update, { customerId: customer._id, patch: { attributes } })
    const addresses = [
      'boris@example.com',
      'mailto:Boris@Example.com',
      '<boris@example.com>',
      'boris@example',
      'boris@',
    ]
    for (const typed of [...addresses, '+7 705 111 22 33']) {
      expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([_id])
    }
  })

  it('among contacts too', async () => {
    const hits = await person.http.action(api.conversations.contacts.search, { query: '8 701 555 00 11' })
    expect(hits).toMatchObject([{ name: 'Anna' }])
    expect(await person.http.action(api.conversations.contacts.search, { query: '8 701 55' })).toMatchObject(hits)
    expect(await person.http.action(api.conversations.contacts.search, { query: '8 702 55' })).toEqual([])
  })
})

it('a number in a message is found in any writing, and marked where it stands', async () => {
  for (const typed of ['+77023334455', '8 (702) 333 44 55', '333-44-55']) {
    const [hit, ...others] = await found(typed)
    expect(others).toEqual([])
    expect(hit?.conversationId).toBe(idOf('Vera')._id)
    const marked = hit?.excerpt?.filter(({ isMatch }) => isMatch).map(({ text }) => text.replace(/\D/g, ''))
    expect(marked?.join('')).toMatch(/3334455$/)
  }
})

it.each([
  ['+7 707 111 22 33', 'Gulnar'],
  ['8 708 111-22-33', 'Gulnar'],
  ['+7 (709) 111-22-33', 'Gulnar'],
  ['+996 555 123456', 'Әсел Алёнова'],
  ['0555123456', 'Әсел Алёнова'],
])(
  'a number with long dashes, next to another or without the code of its country is found as %s',
  async (typed, name) => {
    expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([idOf(name)._id])
  },
)

it.each([
  ['8702333', 'Vera'],
  ['+7 702 33', 'Vera'],
  ['702 333', 'Vera'],
  ['8708111', 'Gulnar'],
  ['+7 709 111', 'Gulnar'],
  ['87712223344', 'Oman'],
  ['+7 771 222 33 44', 'Oman'],
  ['8 772 222-33-44', 'Dubai'],
  ['+7 773 222 33 44', 'Slash'],
  ['8/773/222/33/44', 'Slash'],
  ['+7 774 222 33 44', 'Wide'],
  ['٨٧٧١٢٢٢٣٣٤٤', 'Oman'],
])('a number in a message is found by its beginning, and in other scripts, as %s', async (typed, name) => {
  const hits = await found(typed)
  expect(hits.map(({ conversationId }) => conversationId)).toEqual([idOf(name)._id])
  expect(hits[0]?.excerpt).not.toBeNull()
})

it.each(['жеткізу', 'Жеткизу', 'ПЕРЕЗВОНИТЕ'])(
  'a word of a message is found however its letters are typed, as %s',
  async (typed) => {
    expect((await found(typed)).map(({ conversationId }) => conversationId)).toEqual([idOf('Vera')._id])
  },
)
