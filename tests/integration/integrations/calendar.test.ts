// The calendar of an agent against a server that speaks Google's protocols: the consent and what it refuses, tokens, a consent that is gone,
// and what is set up.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { checkCalendarsJob } from '#server/domain/integrations/calendar/check.job.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import type { Id } from '#shared/ids.ts'
import { DEFAULT_CALENDAR_SETTINGS } from '#shared/integrations/calendar.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeGoogleCalendar, startFakeGoogleCalendar } from '#tests/fakes/google-calendar/google-calendar.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'
import { takeOffSchedule } from '#tests/schedule.ts'

const OWN = 'salon@example.com'
const GROUP = 'bookings@group.calendar.google.com'
const SHARED = 'master@example.com'

let google: FakeGoogleCalendar
let app: TestApp
let anna: Person
let agentId: Id<'agents'>
let slug: string
const requests: GenerateRequest[] = []

beforeAll(async () => {
  google = await startFakeGoogleCalendar()
  const llm = scriptedLlm((request) => {
    requests.push(request)
    return echo(request)
  })
  app = await startApp({ config: { googleCalendar: google.config }, overrides: { llm } })
  await takeOffSchedule(app, checkCalendarsJob)
})
afterAll(async () => {
  await app.close()
  await google.close()
})
beforeEach(async () => {
  google.withdraw()
  Object.assign(google.state, { grants: [], refreshes: 0, leftOut: [], refusal: null, account: OWN })
  await app.database.root.deleteFrom('calendar_connections').execute()
  anna = await app.signUp()
  const agent = await anna.http.mutation(api.agents.create, { name: 'Salon' })
  agentId = agent._id
  slug = agent.slug
})

/** Follows the way to Google and back, up to the callback. @returns the callback's address */
async function consent(person = anna, change: (url: URL) => void = () => undefined): Promise<URL> {
  const { url } = await person.http.action(api.integrations.calendar.authorize, { agentId })
  const asked = new URL(url)
  change(asked)
  const answer = await fetch(asked, { redirect: 'manual' })
  return new URL(answer.headers.get('location') ?? '')
}

/** Comes back with the session of a person. @returns what the page is shown */
async function comeBack(url: URL, token: string | null = anna.sessionToken): Promise<string | null> {
  const answer = await fetch(url, {
    redirect: 'manual',
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  })
  expect(answer.status).toBe(303)
  const page = new URL(answer.headers.get('location') ?? '')
  expect(page.pathname).toBe('/integrations/google_calendar/setup')
  expect(page.search).not.toContain('code')
  return page.searchParams.get('result')
}

const connect = async () => expect(await comeBack(await consent())).toBe('connected')
const read = () => anna.http.query(api.integrations.calendar.get, { agentId })
const code = (error: unknown) => (error as { data?: { code?: string } }).data?.code
const refusal = (call: Promise<unknown>) => call.then(() => null, code)

it('connects an agent by a consent, with the least scopes, and keeps no token in the clear', async () => {
  const { url } = await anna.http.action(api.integrations.calendar.authorize, { agentId })
  const asked = new URL(url).searchParams
  expect(
    asked
      .get('scope')
      ?.split(' ')
      .map((scope) => scope.replace(/.*auth\//, '')),
  ).toEqual(['calendar.events.owned', 'calendar.calendarlist.readonly', 'calendar.events.freebusy'])
  expect(asked.get('code_challenge_method')).toBe('S256')
  expect(asked.get('redirect_uri')).toBe(`${app.url}/api/integrations/google/callback`)

  await connect()
  const { connection, settings } = await read()
  expect(connection).toMatchObject({
    agentId,
    status: 'connected',
    account: OWN,
    connectedBy: 'Айгуль Test',
    lostAt: null,
  })
  expect(settings.calendars).toEqual({ busy: [{ id: OWN, name: OWN }], target: { id: OWN, name: OWN } })
  expect(await anna.http.query(api.integrations.calendar.list, {})).toEqual([connection])
  const rows = await app.database.root.selectFrom('calendar_connections').selectAll().execute()
  const token = google.state.grants[0]?.refreshToken ?? ''
  expect(JSON.stringify(rows)).not.toContain(token)
  expect(JSON.stringify(await read())).not.toContain('refresh')
})

it('leaves an entry of who connected and who disconnected what', async () => {
  await connect()
  await anna.http.mutation(api.integrations.calendar.disconnect, { agentId })
  const { page } = await anna.http.query(api.organizations.audit.list, {
    range: 'all',
    paginationOpts: { numItems: 10, cursor: null },
  })
  const ours = page.filter(({ action }) => action.startsWith('integrations/'))
  expect(ours.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
    { action: 'integrations/calendar:disconnect', before: { calendar: OWN }, after: null },
    { action: 'integrations/calendar:connect', before: null, after: { calendar: OWN } },
  ])
})

it('takes a state once, from its own session alone, and within its minutes', async () => {
  const back = await consent()
  expect(await comeBack(back, null)).toBe('expired')
  const other = await app.signUp()
  expect(await comeBack(back, other.sessionToken)).toBe('expired')
  expect(await comeBack(back)).toBe('connected')
  expect(await comeBack(back)).toBe('expired')
  const late = await consent()
  await app.database.root
    .updateTable('calendar_authorizations')
    .set({ expires_at: new Date(0) })
    .execute()
  expect(await comeBack(late)).toBe('expired')
  const forged = await consent()
  forged.searchParams.set('state', randomUUID())
  expect(await comeBack(forged)).toBe('expired')
})

it('refuses a code that was asked for elsewhere, and one of a member who may not connect any more', async () => {
  const stolen = await consent(anna, (url) => url.searchParams.set('code_challenge', 'x'.repeat(43)))
  expect(await comeBack(stolen)).toBe('expired')
  const back = await consent()
  const row = { user_id: anna.user._id, organization_id: anna.organization._id }
  await app.database.root.updateTable('members').set({ role: 'operator' }).where('user_id', '=', row.user_id).execute()
  expect(await comeBack(back)).toBe('expired')
  expect((await read()).connection).toBeNull()
})

it('says that the person has declined, or has left something out', async () => {
  const back = await consent()
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  expect(await comeBack(back)).toBe('denied')
  google.state.leftOut = ['https://www.googleapis.com/auth/calendar.events.owned']
  expect(await comeBack(await consent())).toBe('scope')
  expect(google.state.grants.every(({ isWithdrawn }) => isWithdrawn)).toBe(true)
  expect((await read()).connection).toBeNull()
})

it('lists calendars with one token for all who ask at once, and another when it has expired', async () => {
  await connect()
  const ask = () => anna.http.action(api.integrations.calendar.calendars, { agentId })
  const [entries] = await Promise.all([ask(), ask(), ask()])
  expect(entries?.map(({ id, isPrimary, isOwned }) => [id, isPrimary, isOwned])).toEqual([
    [OWN, true, true],
    [GROUP, false, true],
    [SHARED, false, false],
  ])
  expect(google.state.refreshes).toBe(1)
  google.expireAccess()
  await ask()
  expect(google.state.refreshes).toBe(2)
})

it('shows that a consent is gone, alerts to it once, and is well again after the next, with what was set up', async () => {
  await connect()
  await anna.http.action(api.integrations.calendar.saveCalendars, { agentId, busyIds: [OWN, SHARED], targetId: GROUP })
  google.withdraw()
  const ask = () => refusal(anna.http.action(api.integrations.calendar.calendars, { agentId }))
  expect(await ask()).toBe('calendar_reauthorization_required')
  expect(await ask()).toBe('calendar_reauthorization_required')
  expect((await read()).connection).toMatchObject({ status: 'reauthorization_required' })
  const alerts = await anna.http.query(api.alerts.list, {})
  expect(alerts.map(({ kind, event, name, agentSlug }) => ({ kind, event, name, agentSlug }))).toEqual([
    { kind: 'connection', event: 'calendarLost', name: 'Salon', agentSlug: slug },
  ])
  await app.settle()
  expect(await anna.http.query(api.alerts.list, {})).toHaveLength(1)

  await connect()
  const { connection, settings } = await read()
  expect(connection).toMatchObject({ status: 'connected', lostAt: null })
  expect(settings.calendars.target?.id).toBe(GROUP)
  await app.settle()
  expect(await ask()).toBeNull()
})

it('finds out by itself that a consent is gone, and leaves alone what Google does not answer for', async () => {
  await connect()
  const check = async () => {
    await app.database.root
      .updateTable('calendar_connections')
      .set({ checked_at: new Date(0) })
      .execute()
    await app.services.database.system('test', (db) => app.services.jobs.send(db, checkCalendarsJob, {}))
    await app.settle()
  }
  await check()
  expect((await read()).connection?.checkedAt).toBeGreaterThan(0)
  google.withdraw()
  await check()
  expect((await read()).connection?.status).toBe('reauthorization_required')
})

it('tells the model that it cannot book as long as the consent is gone', async () => {
  const ask = async () => {
    await anna.http.mutation(api.testChat.send, { agentId, text: 'Can I come at three?' })
    await app.settle()
    return requests.at(-1)?.system ?? ''
  }
  const notice = 'cannot book, move or cancel an appointment'
  expect(await ask()).not.toContain(notice)
  await connect()
  expect(await ask()).not.toContain(notice)
  google.withdraw()
  await refusal(anna.http.action(api.integrations.calendar.calendars, { agentId }))
  expect(await ask()).toContain(notice)
  await connect()
  expect(await ask()).not.toContain(notice)
})

it.each([
  ['rateLimitExceeded', 'calendar_rate_limited', 'connected'],
  ['backendError', 'calendar_unreachable', 'connected'],
  ['accessNotConfigured', 'calendar_not_enabled', 'connected'],
  ['insufficientPermissions', 'calendar_reauthorization_required', 'reauthorization_required'],
  ['forbidden', 'calendar_refused', 'connected'],
])('says of %s that it is %s', async (reason, expected, status) => {
  await connect()
  google.state.refusal = reason
  expect(await refusal(anna.http.action(api.integrations.calendar.calendars, { agentId }))).toBe(expected)
  expect((await read()).connection?.status).toBe(status)
})

it('writes bookings only into a calendar of the account’s own, and knows one that is gone', async () => {
  await connect()
  const save = (busyIds: string[], targetId: string) =>
    refusal(anna.http.action(api.integrations.calendar.saveCalendars, { agentId, busyIds, targetId }))
  expect(await save([OWN], SHARED)).toBe('calendar_not_owned')
  expect(await save(['gone@example.com'], OWN)).toBe('calendar_gone')
  expect(await save([OWN, SHARED, SHARED], GROUP)).toBeNull()
  expect((await read()).settings.calendars).toEqual({
    busy: [
      { id: OWN, name: OWN },
      { id: SHARED, name: 'Master Aigul' },
    ],
    target: { id: GROUP, name: 'Bookings' },
  })
})

it('keeps what is set up part by part, and refuses what cannot be', async () => {
  const { templates, availability } = DEFAULT_CALENDAR_SETTINGS
  const saveTemplates = (title: string) =>
    refusal(
      anna.http.mutation(api.integrations.calendar.saveTemplates, { agentId, templates: { ...templates, title } }),
    )
  expect(await saveTemplates('{{customer}} · {{price}}')).toBe('invalid_arguments')
  expect(await saveTemplates('{{customer}} · {{note}}')).toBeNull()
  const saveAvailability = (change: Partial<typeof availability>) =>
    refusal(
      anna.http.mutation(api.integrations.calendar.saveAvailability, {
        agentId,
        availability: { ...availability, ...change },
      }),
    )
  const closed = { day: '2026-05-09', hours: null }
  expect(await saveAvailability({ exceptions: [closed, closed] })).toBe('invalid_arguments')
  expect(await saveAvailability({ exceptions: [{ day: '2026-02-30', hours: null }] })).toBe('invalid_arguments')
  expect(await saveAvailability({ exceptions: [{ day: '2026-05-09', hours: { from: 12, to: 12 } }] })).toBe(
    'invalid_arguments',
  )
  expect(await saveAvailability({ exceptions: [closed], durationMinutes: 45 })).toBeNull()
  const { settings } = await read()
  expect(settings.templates.title).toBe('{{customer}} · {{note}}')
  expect(settings.availability).toMatchObject({ exceptions: [closed], durationMinutes: 45 })
})

it('withdraws the consent when the last agent of the account is disconnected or removed, and not before', async () => {
  await connect()
  const first = agentId
  agentId = (await anna.http.mutation(api.agents.create, { name: 'Second' }))._id
  await connect()
  await anna.http.mutation(api.integrations.calendar.disconnect, { agentId: first })
  await app.settle()
  expect(google.state.grants.some(({ isWithdrawn }) => isWithdrawn)).toBe(false)
  await anna.http.mutation(api.agents.remove, { id: agentId })
  await app.settle()
  expect(google.state.grants.every(({ isWithdrawn }) => isWithdrawn)).toBe(true)
  expect(await anna.http.query(api.integrations.calendar.list, {})).toEqual([])
})

it('says what an administrator has to set up', async () => {
  expect(await anna.http.action(api.integrations.calendar.installation, {})).toEqual({
    isConfigured: true,
    callbackUrl: `${app.url}/api/integrations/google/callback`,
  })
})
