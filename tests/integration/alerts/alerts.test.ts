// Alerts to members: stored with their cause, once for each member and subject, and over when seen.
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { raiseByClock } from '#server/domain/alerts/alerts.job.ts'
import { announceVersion } from '#server/domain/alerts/versions.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import {
  type Alert,
  type AlertKind,
  type AlertSettings,
  type AlertWay,
  defaultAlerts,
} from '#shared/organizations/alerts.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { scriptedLlm } from '#tests/pipeline-world.ts'

const FIRST_PAGE = { paginationOpts: { numItems: 50, cursor: null } }
const PLACE = { timeZone: 'UTC', language: 'en' } as const

let telegram: FakeTelegram
let smtp: FakeSmtp
const logged: string[] = []
let app: TestApp
let olga: Person
let pavel: Person
let token: string
let connectionId: Id<'channelConnections'>
let chat = 4000

beforeAll(async () => {
  telegram = await startFakeTelegram()
  smtp = await startFakeSmtp()
  app = await startApp({
    telegram,
    config: { mail: { smtpUrl: smtp.url, from: 'parley@example.test' } },
    overrides: {
      llm: scriptedLlm(() => 'Hello'),
      log: pino({ level: 'debug' }, { write: (line) => logged.push(line) }),
    },
  })
  olga = await app.signUp({ name: 'Olga' })
  pavel = await app.signUp({ name: 'Pavel', organization: null })
  const membership = { user_id: pavel.user._id, organization_id: olga.organization._id, role: 'admin' } as const
  await app.database.root.insertInto('members').values(membership).execute()
  const { _id: agentId } = await olga.http.mutation(api.agents.create, { name: 'Helper' })
  token = telegram.addBot().token
  const connection = await olga.http.action(api.channels.telegram.provision, { agentId, botToken: token })
  connectionId = connection._id
})
afterAll(async () => {
  await app.close()
  await telegram.close()
  smtp.close()
})
beforeEach(async () => {
  chat++
  await app.database.root.deleteFrom('alerts').execute()
  await app.database.root.deleteFrom('alert_settings').execute()
  smtp.letters.length = 0
})

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

async function says(name: string, text: string): Promise<void> {
  const update = telegram.customerSays(token, { chatId: chat, firstName: name }, text)
  await telegram.waitFor(() => telegram.acknowledged.has(update), 'the message')
  await app.settle()
}

async function assign(conversationId: Id<'conversations'>, person: Person): Promise<void> {
  await app.database.root
    .updateTable('conversations')
    .set({ assignee_id: person.user._id })
    .where('id', '=', conversationId)
    .execute()
}

async function callsFor(person: Person): Promise<Alert[]> {
  return person.http.query(api.alerts.list, {})
}
async function kindsFor(person: Person): Promise<AlertKind[]> {
  return (await callsFor(person)).map(({ kind }) => kind).sort()
}

function settingsWith(ways: Partial<Record<AlertKind, AlertWay[]>>, more: Partial<AlertSettings> = {}): AlertSettings {
  const settings = defaultAlerts('operator', PLACE)
  return { ...settings, ways: { ...settings.ways, ...ways }, ...more }
}

describe('a customer who asks for a person', () => {
  it('alerts all members, or only the assignee', async () => {
    const conversationId = await conversationWith('Anna')
    await says('Anna', 'I want to talk to a human')
    for (const person of [olga, pavel]) {
      expect(await callsFor(person)).toMatchObject([
        { kind: 'handoff', conversationId, name: 'Anna', preview: 'I want to talk to a human', isInBrowser: true },
      ])
    }
    chat++
    await assign(await conversationWith('Boris'), pavel)
    await says('Boris', 'operator please, give me a human')
    expect(await callsFor(olga)).toHaveLength(1)
    expect(await callsFor(pavel)).toMatchObject([
      { kind: 'handoff', name: 'Boris' },
      { kind: 'mine', name: 'Boris' },
      { kind: 'handoff', name: 'Anna' },
    ])
  })
})

describe('a message in a conversation', () => {
  it('alerts the assignee, once until they have opened it', async () => {
    const conversationId = await conversationWith('Clara')
    await assign(conversationId, pavel)
    await says('Clara', 'One')
    await says('Clara', 'Two')
    const [alert, ...more] = await callsFor(pavel)
    expect(more).toEqual([])
    expect(alert).toMatchObject({ kind: 'mine', conversationId, name: 'Clara' })
    expect(await callsFor(olga)).toEqual([])
    const alertIds = [alert?._id as Id<'alerts'>]
    await olga.http.mutation(api.alerts.markSeen, { alertIds })
    expect(await callsFor(pavel)).toHaveLength(1)
    await pavel.http.mutation(api.alerts.markSeen, { alertIds })
    expect(await callsFor(pavel)).toEqual([])
    await says('Clara', 'Three')
    expect(await kindsFor(pavel)).toEqual(['mine'])
  })

  it('alerts no one in an unassigned conversation', async () => {
    await conversationWith('Dora')
    await says('Dora', 'And?')
    expect(await callsFor(olga)).toEqual([])
  })
})

it('a note alerts those whom it mentions, and never its author', async () => {
  const conversationId = await conversationWith('Eva')
  const mentions = [olga.user._id, pavel.user._id]
  await olga.http.mutation(api.conversations.notes.add, { conversationId, text: '@Pavel look', mentions })
  expect(await kindsFor(pavel)).toEqual(['mention'])
  expect(await kindsFor(olga)).toEqual([])
})

it('a message that did not reach its customer raises an alert', async () => {
  const conversationId = await conversationWith('Fedor')
  telegram.faults.blocked.add(String(chat))
  await olga.http.mutation(api.conversations.reply, { conversationId, text: 'Are you there?' })
  await app.settle()
  expect(await kindsFor(olga)).toEqual(['delivery'])
})

it('a reassigned conversation alerts its new assignee, and no longer the former one', async () => {
  const conversationId = await conversationWith('Gala')
  await assign(conversationId, pavel)
  await says('Gala', 'Hello again')
  await says('Gala', 'I want a human')
  expect(await kindsFor(pavel)).toEqual(['handoff', 'mine'])
  await assign(conversationId, olga)
  await app.settle()
  expect(await kindsFor(pavel)).toEqual([])
  expect(await kindsFor(olga)).toEqual(['handoff', 'mine'])
  const alertIds = (await callsFor(olga)).map(({ _id }) => _id)
  await olga.http.mutation(api.alerts.markSeen, { alertIds })
  await app.settle()
  expect(await kindsFor(olga)).toEqual([])
})

it('a connection that is down raises an alert once an hour, until it is up again', async () => {
  const setStatus = (status: 'error' | 'connected') =>
    app.database.root.updateTable('channel_connections').set({ status }).where('id', '=', connectionId).execute()
  await setStatus('error')
  expect(await callsFor(olga)).toMatchObject([{ kind: 'connection', conversationId: null, isInBrowser: true }])
  expect(await callsFor(pavel)).toMatchObject([{ kind: 'connection', isInBrowser: false }])
  await setStatus('connected')
  await setStatus('error')
  expect(await callsFor(olga)).toHaveLength(1)
  await setStatus('connected')
})

it('an allowance that is nearly used up raises one alert per threshold, also for those who have seen the last', async () => {
  const organizationId = olga.organization._id
  const { database } = app
  await database.root
    .updateTable('organizations')
    .set({ monthly_limit: 100 })
    .where('id', '=', organizationId)
    .execute()
  await conversationWith('Zoya')
  const month = () => database.root.updateTable('quotas').where('organization_id', '=', organizationId)
  const usedIs = async (used: number) => {
    await month().where('period', 'not like', '____-__-__ %').set({ used }).execute()
    await raiseByClock(database, new AbortController().signal)
  }
  await usedIs(79)
  expect(await kindsFor(olga)).toEqual([])
  await usedIs(80)
  const [alert] = await callsFor(olga)
  expect(alert).toMatchObject({ kind: 'billing', conversationId: null, isInBrowser: true })
  await olga.http.mutation(api.alerts.markSeen, { alertIds: [alert?._id as Id<'alerts'>] })
  await usedIs(81)
  expect(await kindsFor(olga)).toEqual([])
  await usedIs(95)
  expect(await kindsFor(olga)).toEqual(['billing'])
  await usedIs(1)
})

it('a month that may be exceeded raises its alerts too, though nothing measures it before an answer', async () => {
  const { root } = app.database
  const organization = root.updateTable('organizations').where('id', '=', olga.organization._id)
  await root.deleteFrom('quotas').where('organization_id', '=', olga.organization._id).execute()
  await organization.set({ monthly_limit: 1, at_limit: 'overage' }).execute()
  await conversationWith('Ulf')
  await app.database.root.deleteFrom('alerts').execute()
  await raiseByClock(app.database, new AbortController().signal)
  expect(await callsFor(olga)).toMatchObject([{ kind: 'billing', event: 'billingCritical' }])
  await organization.set({ monthly_limit: 100, at_limit: 'stop' }).execute()
})

describe('a choice', () => {
  it('is stored per member, and decides what is shown and where', async () => {
    expect(await olga.http.query(api.alerts.settings, {})).toMatchObject({ ways: { connection: ['browser', 'email'] } })
    const chosen = settingsWith({ handoff: [] }, { hasPreviews: false, quietHours: { from: 22, to: 7 } })
    await pavel.http.mutation(api.alerts.save, chosen)
    expect(await pavel.http.query(api.alerts.settings, {})).toEqual(chosen)
    expect(await olga.http.query(api.alerts.settings, {})).not.toEqual(chosen)
    await conversationWith('Gleb')
    await says('Gleb', 'human please')
    expect(await callsFor(pavel)).toMatchObject([{ isInBrowser: false, preview: null }])
    expect(await callsFor(olga)).toMatchObject([{ isInBrowser: true, preview: 'human please' }])
  })
})

it('e-mails are in the member’s interface language, no matter their other settings', async () => {
  const chosen = async (person: Person) => (await person.http.query(api.alerts.settings, {})).language
  await pavel.http.mutation(api.alerts.setLanguage, { language: 'en' })
  expect(await pavel.http.query(api.alerts.settings, {})).toMatchObject({ language: 'en', ways: { mine: ['browser'] } })
  await pavel.http.mutation(api.alerts.save, settingsWith({ mine: [] }, { language: 'en' }))
  await pavel.http.mutation(api.alerts.setLanguage, { language: 'ru' })
  expect(await pavel.http.query(api.alerts.settings, {})).toMatchObject({ language: 'ru', ways: { mine: [] } })
  await olga.http.mutation(api.alerts.setLanguage, { language: 'en' })
  expect(await chosen(olga)).toBe('en')
})

describe('an e-mail', () => {
  const byMail = (more: Partial<AlertSettings> = {}) =>
    pavel.http.mutation(api.alerts.save, settingsWith({ handoff: ['email'], mine: ['email'] }, more))

  it('is sent once per conversation until it is opened, and nothing of it is logged', async () => {
    await byMail()
    const conversationId = await conversationWith('Ilya')
    await assign(conversationId, pavel)
    await says('Ilya', 'My card is 4000')
    await says('Ilya', 'Hello?')
    await says('Ilya', 'I want a human')
    const [letter, ...more] = smtp.letters
    expect(more).toEqual([])
    expect(letter?.to).toEqual([pavel.email])
    expect(letter?.text).toContain('Ilya wrote to you')
    expect(letter?.text).toContain('My card is 4000')
    expect(letter?.text).toContain(`/conversations/${conversationId}`)
    expect(logged.join()).not.toContain('4000')
    expect(logged.join()).not.toContain(pavel.email)
    const alertIds = (await callsFor(pavel)).map(({ _id }) => _id)
    await pavel.http.mutation(api.alerts.markSeen, { alertIds })
    await says('Ilya', 'Still here')
    expect(smtp.letters).toHaveLength(2)
  })

  it('is sent once for merged conversations', async () => {
    await byMail()
    const first = { id: await conversationWith('Jana'), chat: chat++ }
    const second = await conversationWith('Jana two')
    for (const conversationId of [first.id, second]) await assign(conversationId, pavel)
    await app.database.root
      .updateTable('conversations')
      .set({ thread_id: newId('threads') })
      .where('id', 'in', [first.id, second])
      .execute()
    await says('Jana two', 'Hello?')
    chat = first.chat
    await says('Jana', 'I want a human')
    expect(smtp.letters).toHaveLength(1)
    chat++
  })

  it('contains no message text when previews are off', async () => {
    await byMail({ hasPreviews: false })
    await conversationWith('Katya')
    await says('Katya', 'a human about my divorce')
    expect(smtp.letters.map(({ text }) => text).join()).toContain('Katya is waiting for a person')
    expect(smtp.letters.map(({ text }) => text).join()).not.toContain('divorce')
  })

  it('waits for the end of quiet hours, and is not sent once a member has opened the conversation', async () => {
    const hour = new Date().getUTCHours()
    await byMail({ quietHours: { from: hour, to: (hour + 2) % 24 } })
    const conversationId = await conversationWith('Lev')
    await says('Lev', 'I want a human')
    expect(smtp.letters).toEqual([])
    const waiting = app.database.root.selectFrom('alert_sends').select(['status', 'not_before'])
    const [send, ...more] = await waiting.execute()
    expect(more).toEqual([])
    expect(send?.status).toBe('waiting')
    expect(send?.not_before.getTime()).toBeGreaterThan(Date.now())
    await olga.http.mutation(api.conversations.resume, { conversationId })
    await app.database.root.updateTable('alert_sends').set({ not_before: new Date() }).execute()
    await app.settle()
    expect(smtp.letters).toEqual([])
    expect(await callsFor(pavel)).toEqual([])
  })

  it('is never sent to a former member, nor to one who is viewing the conversation', async () => {
    await byMail()
    const conversationId = await conversationWith('Mark')
    await assign(conversationId, pavel)
    await pavel.http.mutation(api.conversations.presence.announce, { conversationId, state: 'looking' })
    await says('Mark', 'One')
    expect(smtp.letters).toEqual([])
    await app.database.root.deleteFrom('alerts').execute()
    await pavel.http.mutation(api.conversations.presence.announce, { conversationId, state: 'gone' })
    const membership = { user_id: pavel.user._id, organization_id: olga.organization._id }
    await app.database.root
      .insertInto('alerts')
      .values({
        ...membership,
        kind: 'mine',
        subject: conversationId,
        conversation_id: conversationId,
        connection_id: null,
      })
      .execute()
    await app.database.root.deleteFrom('members').where('user_id', '=', pavel.user._id).execute()
    await app.settle()
    expect(smtp.letters).toEqual([])
    await app.database.root
      .insertInto('members')
      .values({ ...membership, role: 'admin' })
      .execute()
  })

  it('that may have arrived is not sent again', async () => {
    await byMail()
    await conversationWith('Nik')
    await says('Nik', 'I want a human')
    expect(smtp.letters).toHaveLength(1)
    await app.database.root
      .updateTable('alert_sends')
      .set({ status: 'sending', not_before: new Date(0) })
      .execute()
    await app.settle()
    expect(smtp.letters).toHaveLength(1)
  })

  it('can be sent as a test', async () => {
    await olga.http.action(api.alerts.testEmail, {})
    expect(smtp.letters.map(({ to }) => to)).toEqual([[olga.email]])
    expect(await olga.http.action(api.alerts.reach, {})).toMatchObject({ email: true, telegram: false })
  })
})

describe('what colleagues do with an agent', () => {
  const wants = (person: Person, ways: Partial<Record<AlertKind, AlertWay[]>>) =>
    person.http.mutation(api.alerts.save, settingsWith(ways))
  const instructions = (systemPrompt: string) => ({ systemPrompt })

  it('alerts the others who want to know, once until they have seen it, and never who did it', async () => {
    const { _id: id, slug } = await olga.http.mutation(api.agents.create, { name: 'Shop' })
    await wants(olga, { agent: ['browser'] })
    await olga.http.mutation(api.agents.update, { id, patch: instructions('First') })
    expect(await kindsFor(olga)).toEqual([])
    expect(await kindsFor(pavel)).toEqual([])

    await wants(pavel, { agent: ['browser', 'email'] })
    const saved = await olga.http.mutation(api.agents.update, { id, patch: instructions('Second') })
    await olga.http.mutation(api.agents.update, { id, patch: instructions('Third') })
    const [alert, ...others] = await callsFor(pavel)
    expect(others).toEqual([])
    expect(alert).toMatchObject({ kind: 'agent', event: null, name: 'Shop', by: 'Olga', agentSlug: slug })
    await app.settle()
    expect(smtp.letters).toHaveLength(1)
    expect(smtp.letters[0]?.to).toEqual([pavel.email])
    expect(smtp.letters[0]?.text).toContain('Agent Shop: a new version was published (Olga)')
    expect(smtp.letters[0]?.text).toContain(`/agents/${slug}/settings`)
    await pavel.http.mutation(api.alerts.markSeen, { alertIds: [alert?._id as Id<'alerts'>] })
    const draft = await olga.http.mutation(api.agents.update, {
      ...{ id, patch: instructions('A draft'), isDraft: true, baseVersion: saved.version + 1 },
    })
    expect(await kindsFor(pavel)).toEqual([])
    await olga.http.mutation(api.agents.versions.publish, { agentId: id, number: draft.version })
    expect(await kindsFor(pavel)).toEqual(['agent'])
    await olga.http.mutation(api.agents.versions.publish, { agentId: id, number: draft.version })
    await olga.http.mutation(api.agents.remove, { id })
    expect(await callsFor(pavel)).toMatchObject([
      { event: 'agentRemoved', name: 'Shop', by: 'Olga', agentSlug: null },
      { event: null },
    ])
  })

  it('alerts no other organization', async () => {
    const stranger = await app.signUp({ name: 'Stranger' })
    await wants(stranger, { agent: ['browser'] })
    const { _id: id } = await olga.http.mutation(api.agents.create, { name: 'Private' })
    await olga.http.mutation(api.agents.update, { id, patch: instructions('Changed') })
    expect(await kindsFor(stranger)).toEqual([])
  })
})

it('an agent that fails several times within an hour raises one alert a day', async () => {
  await olga.http.mutation(api.alerts.save, settingsWith({ agent: ['browser'] }))
  const conversationId = await conversationWith('Wanda')
  const { root } = app.database
  const organization_id = olga.organization._id
  const fail = async () => {
    const at = new Date()
    const times = { not_before: at, waiting_since: at, created_at: at, finished_at: at, attempts: '[]' }
    const turn = { id: newId('turns'), organization_id, conversation_id: conversationId, ...times }
    await root
      .insertInto('turns')
      .values({ ...turn, status: 'failed', outcome: 'model_failed' })
      .execute()
    await raiseByClock(app.database, new AbortController().signal)
  }
  await fail()
  await fail()
  expect(await kindsFor(olga)).toEqual([])
  await fail()
  const [alert] = await callsFor(olga)
  expect(alert).toMatchObject({ kind: 'agent', event: 'agentFailing', name: 'Helper', agentSlug: expect.any(String) })
  await olga.http.mutation(api.alerts.markSeen, { alertIds: [alert?._id as Id<'alerts'>] })
  await fail()
  expect(await kindsFor(olga)).toEqual([])
  expect(await kindsFor(pavel)).toEqual([])
  await root.deleteFrom('turns').where('outcome', '=', 'model_failed').execute()
})

it('a spending limit that is reached raises one alert a month', async () => {
  const organizationId = olga.organization._id
  const spent = (limit: number | null) =>
    app.database.root
      .updateTable('organizations')
      .set({ monthly_spend_limit_micro_usd: limit })
      .where('id', '=', organizationId)
      .execute()
  await spent(100)
  await conversationWith('Yana')
  const months = app.database.root.updateTable('quotas').where('organization_id', '=', organizationId)
  await months.where('period', 'not like', '____-__-__ %').set({ cost_micro_usd: 100 }).execute()
  await raiseByClock(app.database, new AbortController().signal)
  const [alert] = await callsFor(olga)
  expect(alert).toMatchObject({ kind: 'billing', event: 'billingSpending' })
  await olga.http.mutation(api.alerts.markSeen, { alertIds: [alert?._id as Id<'alerts'>] })
  await raiseByClock(app.database, new AbortController().signal)
  expect(await kindsFor(olga)).toEqual([])
  await spent(null)
})

it('a newer version of Parley is announced once, to those who want to know', async () => {
  await pavel.http.mutation(api.alerts.save, settingsWith({ product: [] }))
  const announce = (version: string) => announceVersion(app.database, version)
  await announce('0.0.1')
  expect(await kindsFor(olga)).toEqual([])
  await Promise.all([announce('0.10.0'), announce('0.10.0')])
  await announce('0.10.0')
  expect(await callsFor(olga)).toMatchObject([{ kind: 'product', name: '0.10.0' }])
  expect(await kindsFor(pavel)).toEqual([])
  await announce('0.9.0')
  expect(await kindsFor(olga)).toEqual(['product'])
})
