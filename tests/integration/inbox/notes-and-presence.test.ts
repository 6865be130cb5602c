// Collaboration in a conversation: notes that never leave the team, mentions, canned replies, and presence.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { INBOX_VIEWS_MAX } from '#shared/limits.ts'
import type { Contact, ContactHit } from '#shared/messaging/contacts.ts'
import type { Mention, Presence } from '#shared/messaging/operator-tools.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 20, cursor: null } }
const SECRET = 'do not refund before Friday'

let telegram: FakeTelegram
let app: TestApp
let olga: Person
let pavel: Person
let token: string
let model: (request: GenerateRequest) => string | Promise<string> = echo
const requests: GenerateRequest[] = []
let chat = 7000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  const llm = scriptedLlm((request) => {
    requests.push(request)
    return model(request)
  })
  app = await startApp({ telegram, overrides: { llm } })
  olga = await app.signUp({ name: 'Olga' })
  pavel = await app.signUp({ name: 'Pavel', organization: null })
  await joinOrganization(pavel, olga)
  const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
})
afterAll(async () => {
  await app.close()
  await telegram.close()
})
beforeEach(() => {
  model = echo
  chat++
})

async function joinOrganization(person: Person, owner: Person): Promise<void> {
  const row = { user_id: person.user._id, organization_id: owner.organization._id, role: 'admin' } as const
  await app.database.root.insertInto('members').values(row).execute()
}

/** A customer writes and is answered. */
async function conversationWith(name: string): Promise<Id<'conversations'>> {
  telegram.customerSays(token, { chatId: chat, firstName: name }, 'Hello')
  await telegram.waitForSent(chat)
  await app.settle()
  const { page } = await olga.http.query(api.conversations.list, FIRST_PAGE)
  const found = page.find((conversation) => conversation.customer?.name === name)
  if (!found) throw new Error(`no conversation with ${name}`)
  return found._id
}

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

describe('a note', () => {
  it('is seen by the team, and never sent to the customer or a model', async () => {
    const conversationId = await conversationWith('Anna')
    const before = await olga.http.query(api.conversations.get, { conversationId })
    await olga.http.mutation(api.conversations.notes.add, { conversationId, text: SECRET })
    expect(await pavel.http.query(api.conversations.notes.list, { conversationId })).toMatchObject([
      { author: { name: 'Olga' }, text: SECRET, mentions: [] },
    ])
    expect(await olga.http.query(api.conversations.get, { conversationId })).toEqual(before)
    await olga.http.mutation(api.conversations.reply, { conversationId, text: 'One moment' })
    await olga.http.mutation(api.conversations.resume, { conversationId })
    telegram.customerSays(token, chat, 'And my money?')
    await telegram.waitForSent(chat, 3)
    await app.settle()
    const { page } = await olga.http.query(api.conversations.messages, { conversationId, ...FIRST_PAGE })
    expect(page).toHaveLength(5)
    expect(requests.at(-1)?.messages.at(-1)?.text).toBe('And my money?')
    for (const output of [requests, telegram.sentTo(chat), page]) expect(JSON.stringify(output)).not.toContain(SECRET)
  })

  it('alerts those whom it mentions, until they have opened the conversation', async () => {
    const conversationId = await conversationWith('Vera')
    const mentioned = async (person: Person) =>
      (await person.http.query(api.conversations.notes.mentions, {})).map((mention: Mention) => mention.conversationId)
    const mentions = [pavel.user._id, olga.user._id, pavel.user._id]
    await olga.http.mutation(api.conversations.notes.add, { conversationId, text: '@Pavel, please look', mentions })
    expect(await mentioned(pavel)).toEqual([conversationId])
    expect(await mentioned(olga)).toEqual([])
    await olga.http.mutation(api.conversations.notes.markSeen, { conversationId })
    expect(await mentioned(pavel)).toEqual([conversationId])
    await pavel.http.mutation(api.conversations.notes.markSeen, { conversationId })
    expect(await mentioned(pavel)).toEqual([])
  })

  it('mentions members only, and can be deleted by its author only', async () => {
    const conversationId = await conversationWith('Nina')
    const stranger = await app.signUp()
    const add = (mentions: Id<'users'>[]) =>
      olga.http.mutation(api.conversations.notes.add, { conversationId, text: 'Hm', mentions })
    expect(await codeOf(add([stranger.user._id]))).toBe('not_found')
    const { noteId } = await add([])
    expect(await codeOf(pavel.http.mutation(api.conversations.notes.remove, { noteId }))).toBe('not_found')
    await olga.http.mutation(api.conversations.notes.remove, { noteId })
    expect(await olga.http.query(api.conversations.notes.list, { conversationId })).toEqual([])
  })
})

describe('canned replies', () => {
  it('belong to the organization, with unique names in any case, and require a text', async () => {
    const { canned } = api.conversations
    const greeting = { name: 'Greeting', texts: { ru: 'Здравствуйте', en: '' } }
    const { cannedReplyId } = await olga.http.mutation(canned.create, greeting)
    expect(await pavel.http.query(canned.list, {})).toEqual([{ _id: cannedReplyId, ...greeting }])
    expect(await codeOf(pavel.http.mutation(canned.create, { ...greeting, name: 'GREETING' }))).toBe(
      'canned_reply_exists',
    )
    const empty = { name: 'Empty', texts: { ru: ' ', en: '' } }
    expect(await codeOf(olga.http.mutation(canned.create, empty))).toBe('invalid_arguments')
    const reply = { name: 'Hello', texts: { ru: '', en: 'Hello, {customer}' } }
    await pavel.http.mutation(canned.update, { cannedReplyId, reply })
    expect(await olga.http.query(canned.list, {})).toEqual([{ _id: cannedReplyId, ...reply }])
    await olga.http.mutation(canned.remove, { cannedReplyId })
    expect(await olga.http.query(canned.list, {})).toEqual([])
  })
})

describe('views of the inbox', () => {
  const { views } = api.conversations
  const namesOf = async (person: Person) => (await person.http.query(views.list, {})).map(({ name }) => name)
  const keep = async (person: Person, name: string, isShared: boolean) =>
    (await person.http.mutation(views.create, { name, query: '?status=paused&sort=waiting', isShared })).viewId

  it('belong to the organization or a member, and are renamed and deleted by anyone who sees them', async () => {
    const own = await keep(olga, 'Mine', false)
    const shared = await keep(olga, 'Ours', true)
    expect(await olga.http.query(views.list, {})).toMatchObject([{ name: 'Mine', isShared: false }, { name: 'Ours' }])
    expect(await pavel.http.query(views.list, {})).toEqual([
      { _id: shared, name: 'Ours', query: '?status=paused&sort=waiting', isShared: true, isDefault: false },
    ])
    for (const call of [
      pavel.http.mutation(views.update, { viewId: own, name: 'His', isShared: true }),
      pavel.http.mutation(views.remove, { viewId: own }),
      pavel.http.mutation(views.setDefault, { viewId: own }),
    ]) {
      expect(await codeOf(call)).toBe('not_found')
    }
    await pavel.http.mutation(views.update, { viewId: shared, name: 'Waiting', isShared: true })
    await olga.http.mutation(views.update, { viewId: own, name: 'Shown', isShared: true })
    expect(await namesOf(pavel)).toEqual(['Shown', 'Waiting'])
    await pavel.http.mutation(views.remove, { viewId: own })
    await pavel.http.mutation(views.remove, { viewId: shared })
    expect(await namesOf(olga)).toEqual([])
  })

  it('open with the inbox of the member who chose one, until it is deleted', async () => {
    const viewId = await keep(olga, 'Ours', true)
    const defaultOf = async (person: Person) =>
      (await person.http.query(views.list, {})).find(({ isDefault }) => isDefault)?._id
    await pavel.http.mutation(views.setDefault, { viewId })
    expect([await defaultOf(pavel), await defaultOf(olga)]).toEqual([viewId, undefined])
    await pavel.http.mutation(views.setDefault, { viewId: null })
    expect(await defaultOf(pavel)).toBeUndefined()
    await pavel.http.mutation(views.setDefault, { viewId })
    await olga.http.mutation(views.remove, { viewId })
    expect(await namesOf(pavel)).toEqual([])
  })

  it('are limited in number, and require a filter', async () => {
    for (let number = 1; number <= INBOX_VIEWS_MAX; number++) await keep(olga, `View ${number}`, false)
    expect(await codeOf(keep(olga, 'One more', false))).toBe('too_many_views')
    const shared = await keep(olga, 'Shared', true)
    expect(await codeOf(olga.http.mutation(views.update, { viewId: shared, name: 'Mine', isShared: false }))).toBe(
      'too_many_views',
    )
    expect(await codeOf(pavel.http.mutation(views.create, { name: 'All', query: '?', isShared: false }))).toBe(
      'invalid_arguments',
    )
  })
})

describe('a customer', () => {
  it('keeps the name that the team gave them, even if the channel sends another', async () => {
    const conversationId = await conversationWith('Ann')
    const { contacts } = api.conversations
    const customerId = (await olga.http.query(api.conversations.get, { conversationId })).customer?._id
    if (!customerId) throw new Error('no customer')
    const patch = {
      name: 'Anna Petrova',
      tags: ['vip', 'vip'],
      attributes: [{ key: 'Size', value: 'M' }],
      note: 'Calls',
    }
    await olga.http.mutation(contacts.update, { customerId, patch })
    const found = async (query: string) => (await olga.http.action(api.conversations.search, { query })).hits
    expect(await found('petro')).toEqual([{ conversationId, messageId: null, excerpt: null }])
    telegram.customerSays(token, { chatId: chat, firstName: 'Annie' }, 'Hello again')
    await telegram.waitForSent(chat, 2)
    await app.settle()
    const asked = requests.at(-1)
    expect(asked?.data).toContainEqual({ title: 'Name of the customer', text: 'Anna Petrova' })
    expect(JSON.stringify([asked?.system, asked?.messages])).not.toContain('Anna Petrova')
    expect(await olga.http.query(api.conversations.get, { conversationId })).toMatchObject({
      customer: { name: 'Anna Petrova' },
    })
    expect(await pavel.http.query(contacts.get, { customerId })).toMatchObject({
      givenName: 'Anna Petrova',
      channelName: 'Annie',
      tags: ['vip'],
      attributes: [{ key: 'Size', value: 'M' }],
      note: 'Calls',
      identifiers: [{ channel: 'telegram', externalId: String(chat) }],
      conversations: [{ _id: conversationId, messageCount: 4 }],
    })
    const twice = [1, 2].map((value) => ({ key: 'Size', value: String(value) }))
    expect(await codeOf(olga.http.mutation(contacts.update, { customerId, patch: { attributes: twice } }))).toBe(
      'invalid_arguments',
    )
    await olga.http.mutation(contacts.update, { customerId, patch: { name: '' } })
    expect(await pavel.http.query(contacts.get, { customerId })).toMatchObject({ givenName: null, note: 'Calls' })
  })

  it('is one contact for all bots of the organization, with their earlier conversations', async () => {
    const first = await conversationWith('Ira')
    const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Other' })
    const other = telegram.addBot().token
    await olga.http.action(api.channels.telegram.provision, { agentId, botToken: other })
    telegram.customerSays(other, { chatId: chat, firstName: 'Ira' }, 'Hello here')
    await telegram.waitForSent(chat, 2)
    await app.settle()
    const customerId = (await olga.http.query(api.conversations.get, { conversationId: first })).customer?._id
    if (!customerId) throw new Error('no customer')
    const contact = await olga.http.query(api.conversations.contacts.get, { customerId })
    expect(contact.identifiers).toHaveLength(2)
    expect(contact.conversations.map(({ agentName }: { agentName: string }) => agentName)).toEqual(['Other', 'Helper'])
  })
})

describe('contacts that are one person', () => {
  /** A customer who has written, with a tag, an attribute and a note. */
  async function contactOf(
    name: string,
  ): Promise<{ customerId: Id<'customers'>; conversationId: Id<'conversations'> }> {
    chat++
    const conversationId = await conversationWith(name)
    const customerId = (await olga.http.query(api.conversations.get, { conversationId })).customer?._id
    if (!customerId) throw new Error('no customer')
    const attributes = [{ key: 'Size', value: name }]
    const patch = { tags: [`tag of ${name}`], attributes, note: `About ${name}` }
    await olga.http.mutation(api.conversations.contacts.update, { customerId, patch })
    return { customerId, conversationId }
  }
  const { contacts } = api.conversations
  const get = (customerId: Id<'customers'>): Promise<Contact> => olga.http.query(contacts.get, { customerId })
  const merge = (survivorId: Id<'customers'>, otherId: Id<'customers'>) =>
    olga.http.mutation(contacts.merge, { survivorId, otherId })
  const nameIn = async (conversationId: Id<'conversations'>) =>
    (await olga.http.query(api.conversations.get, { conversationId })).customer?.name

  it('are shown together under the survivor, and each gets its own data back when they are separated', async () => {
    const [fedor, work] = [await contactOf('Fedor'), await contactOf('Workfedor')]
    const before = [await get(fedor.customerId), await get(work.customerId)]
    await merge(fedor.customerId, work.customerId)
    const one = await get(work.customerId)
    expect(one).toEqual(await get(fedor.customerId))
    expect(one).toMatchObject({
      _id: fedor.customerId,
      tags: ['tag of Fedor'],
      merged: [{ name: 'Workfedor', tags: ['tag of Workfedor'], note: 'About Workfedor', mergedBy: 'Olga' }],
    })
    expect(one.identifiers).toHaveLength(2)
    expect(one.conversations.map(({ _id }) => _id)).toEqual([work.conversationId, fedor.conversationId])
    expect(await nameIn(work.conversationId)).toBe('Fedor')
    const { hits } = await olga.http.action(api.conversations.search, { query: 'fedor' })
    expect(hits.map(({ conversationId }) => conversationId)).toEqual([work.conversationId, fedor.conversationId])
    // A note written while they are merged belongs to the survivor, whichever of them is named.
    await olga.http.mutation(contacts.update, { customerId: work.customerId, patch: { note: 'Noted since' } })
    await olga.http.mutation(contacts.separate, { customerId: work.customerId })
    await olga.http.mutation(contacts.separate, { customerId: work.customerId })
    const [first, second] = before
    expect(await get(fedor.customerId)).toEqual({ ...first, note: 'Noted since' })
    expect(await get(work.customerId)).toEqual(second)
    expect(await nameIn(work.conversationId)).toBe('Workfedor')
  })

  it('bring along contacts merged with them before, and keep those when they are separated', async () => {
    const [gleb, home, phone] = [await contactOf('Gleb'), await contactOf('Glebhome'), await contactOf('Glebphone')]
    await merge(home.customerId, phone.customerId)
    const before = await get(home.customerId)
    await merge(gleb.customerId, home.customerId)
    expect((await get(phone.customerId)).merged.map(({ name }) => name).sort()).toEqual(['Glebhome', 'Glebphone'])
    expect(await codeOf(merge(phone.customerId, gleb.customerId))).toBe('contacts_one_already')
    await olga.http.mutation(contacts.separate, { customerId: home.customerId })
    expect(await get(phone.customerId)).toEqual(before)
    expect((await get(gleb.customerId)).merged).toEqual([])
  })

  it('are found by the beginning of a name or by their channel id, the survivor once', async () => {
    const [dina, other] = [await contactOf('Dinara'), await contactOf('Dinaraother')]
    const found = async (query: string) => (await olga.http.action(contacts.search, { query })) as ContactHit[]
    expect((await found('dinar')).map(({ name }) => name).sort()).toEqual(['Dinara', 'Dinaraother'])
    await merge(dina.customerId, other.customerId)
    expect((await found('dinar')).map(({ _id }) => _id)).toEqual([dina.customerId])
    expect((await found(String(chat))).map(({ _id }) => _id)).toEqual([dina.customerId])
    const stranger = await app.signUp()
    expect(await stranger.http.action(contacts.search, { query: String(chat) })).toEqual([])
  })

  it('stay in their organization', async () => {
    const [own, stranger] = [await contactOf('Egor'), await app.signUp()]
    const { _id: agentId } = await stranger.http.mutation(api.agents.create, { name: 'Theirs' })
    const theirs = telegram.addBot().token
    await stranger.http.action(api.channels.telegram.provision, { agentId, botToken: theirs })
    telegram.customerSays(theirs, { chatId: ++chat, firstName: 'Them' }, 'Hello')
    await telegram.waitForSent(chat)
    await app.settle()
    const { page } = await stranger.http.query(api.conversations.list, FIRST_PAGE)
    const theirId = page[0]?.customer?._id
    if (!theirId) throw new Error('no customer')
    expect(await codeOf(merge(own.customerId, theirId))).toBe('not_found')
    expect(await codeOf(merge(theirId, own.customerId))).toBe('not_found')
    expect(await codeOf(olga.http.mutation(contacts.separate, { customerId: theirId }))).toBe('not_found')
  })
})

describe('the helper', () => {
  it('writes a reply, a summary and other wordings for the operator, counts each call, and sends nothing', async () => {
    const conversationId = await conversationWith('Sofia')
    const { helper } = api.conversations
    const at = Date.now()
    const used = async () => {
      const timeRange = { start: at - 86_400_000, end: at + 86_400_000 }
      const organizationId = olga.organization._id
      const overview = await olga.http.query(api.billing.getOrganizationUsageOverview, { organizationId, timeRange })
      return JSON.stringify(overview)
    }
    const before = await used()
    await olga.http.mutation(api.conversations.notes.add, { conversationId, text: SECRET })
    requests.length = 0
    model = (request) => (request.purpose === 'task' ? ` Task: ${request.data?.[0]?.text} ` : 'Good day, Sofia')
    expect(await olga.http.action(helper.suggest, { conversationId })).toEqual({ text: 'Good day, Sofia', sources: [] })
    expect(requests[0]?.messages).toMatchObject([{ role: 'user', text: 'Hello' }])
    const draft = 'We is open'
    const answers = [
      await olga.http.action(helper.rewrite, { conversationId, draft, manner: 'correct' }),
      await olga.http.action(helper.translate, { conversationId, draft, language: 'ru' }),
      await olga.http.action(helper.summarize, { conversationId }),
    ]
    expect(answers.map(({ text }: { text: string }) => text)).toEqual([
      'Task: We is open',
      'Task: We is open',
      'Task: customer: Hello\nagent: You said: Hello',
    ])
    expect(JSON.stringify(requests)).not.toContain(SECRET)
    expect(await used()).not.toBe(before)
    await app.settle()
    expect(telegram.sentTo(chat)).toHaveLength(1)
    expect(await olga.http.query(api.conversations.get, { conversationId })).toMatchObject({
      status: 'active',
      messageCount: 2,
    })
  })
})

describe('the last message of the month', () => {
  it('goes to one of many concurrent calls of the helper', async () => {
    const conversationId = await conversationWith('Zoya')
    const { helper } = api.conversations
    await setLimit((await usedUp()) + 1)
    const go = Promise.withResolvers<string>()
    let [asked, refused] = [0, 0]
    const tell = () => asked + refused === 8 && go.resolve('We are open')
    model = () => {
      asked++
      tell()
      return go.promise
    }
    const draft = 'We is open'
    const rewrites = Array.from({ length: 8 }, () =>
      codeOf(olga.http.action(helper.rewrite, { conversationId, draft, manner: 'correct' })).then((code) => {
        if (code) refused++
        tell()
        return code ?? 'written'
      }),
    )
    expect((await Promise.all(rewrites)).sort()).toEqual([...Array(7).fill('allowance_used_up'), 'written'])
    expect(asked).toBe(1)
    await setLimit(null)
  })

  /** Messages that the allowance counts. */
  async function usedUp(): Promise<number> {
    const timeRange = { start: Date.now() - 60_000, end: Date.now() + 60_000 }
    const organizationId = olga.organization._id
    const overview = await olga.http.query(api.billing.getOrganizationUsageOverview, { organizationId, timeRange })
    return overview.period.messages
  }

  async function setLimit(monthlyLimit: number | null): Promise<void> {
    const organization = app.database.root.updateTable('organizations').where('id', '=', olga.organization._id)
    await organization.set({ monthly_limit: monthlyLimit }).execute()
  }
})

describe('the metrics of a conversation', () => {
  it('include messages by author, tokens, cost, and the customer’s waiting time', async () => {
    const conversationId = await conversationWith('Mila')
    await olga.http.mutation(api.conversations.reply, { conversationId, text: 'Anything else?' })
    const metrics = await olga.http.query(api.conversations.contacts.metrics, { conversationId })
    expect(metrics).toMatchObject({
      messages: { customer: 1, agent: 1, operator: 1 },
      inputTokens: 10,
      outputTokens: 5,
      costMicroUsd: 42,
      costs: [{ purpose: 'reply', costMicroUsd: 42 }],
      unpricedCalls: 0,
    })
    expect(metrics.firstResponseMs).toBeGreaterThanOrEqual(0)
    expect(metrics.medianResponseMs).toBe(metrics.firstResponseMs)
  })
})

describe('a colleague', () => {
  it('is seen live looking, typing and leaving', async () => {
    const conversationId = await conversationWith('Rita')
    const { presence } = api.conversations
    const seen: string[] = []
    const gone = Promise.withResolvers<void>()
    const typing = Promise.withResolvers<void>()
    const stop = olga.live().onUpdate(presence.list, { conversationId }, (there: Presence[]) => {
      seen.push(there.map(({ user, state }) => `${user.name} ${state}`).join())
      if (seen.at(-1) === 'Pavel typing') typing.resolve()
      if (seen.at(-1) === '' && seen.length > 1) gone.resolve()
    })
    await pavel.http.mutation(presence.announce, { conversationId, state: 'looking' })
    await pavel.http.mutation(presence.announce, { conversationId, state: 'typing' })
    await typing.promise
    await pavel.http.mutation(presence.announce, { conversationId, state: 'gone' })
    await gone.promise
    stop()
  })

  it('who vanished silently is dropped when another member comes', async () => {
    const conversationId = await conversationWith('Lena')
    const { presence } = api.conversations
    await pavel.http.mutation(presence.announce, { conversationId, state: 'looking' })
    await app.database.root
      .updateTable('conversation_presence')
      .set({ at: new Date(Date.now() - 60_000) })
      .where('conversation_id', '=', conversationId)
      .execute()
    await olga.http.mutation(presence.announce, { conversationId, state: 'looking' })
    const there = await olga.http.query(presence.list, { conversationId })
    expect(there.map(({ user }: Presence) => user.name)).toEqual(['Olga'])
  })
})
