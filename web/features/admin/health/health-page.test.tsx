// The health of the installation: one line on top, each part in words, and what to do where it is not well.
import { act, cleanup, render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { HEALTH_PROBLEMS, type Health, type HealthProblem, type StorageHealth } from '#shared/organizations/health.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import en from '#web/locales/en/admin.json' with { type: 'json' }
import ru from '#web/locales/ru/admin.json' with { type: 'json' }
import { HealthPage } from './health-page.tsx'
import { SECTIONS, sectionOf } from './health-words.ts'

const NOW = Date.now()
const MINUTE = 60_000
const HEALTH: Health = {
  at: NOW,
  servers: [
    { _id: 's', host: 'node-1', version: '1.2.3', startedAt: NOW, seenAt: NOW, isGone: false, isReplaced: false },
  ],
  queues: [],
  failing: [],
  deliveries: { waiting: 0, failed: 0, unknown: 0, oldestAt: null, organizations: [] },
  quarantine: { count: 0, connections: [], latest: [] },
  mail: { isConfigured: true, waiting: 0, tried: 0, failed: 0, kept: 0, oldestAt: null, lastSentAt: NOW },
  problems: [],
}
const STORAGE: StorageHealth = {
  database: { sizeBytes: 5 * 1024 ** 3, tables: [{ name: 'messages', sizeBytes: 1024 ** 3, rows: 2_000_000 }] },
  statements: { state: 'on', slowest: [{ text: 'select $1', calls: 1200, meanMs: 12, totalMs: 14_400 }] },
  files: { count: 7, sizeBytes: 1024 ** 2, freeBytes: 50 * 1024 ** 3, totalBytes: 100 * 1024 ** 3, host: 'node-1' },
  problems: [],
}
const ID = '0197b7c0000000000000000000000000' as never

const server = vi.hoisted(() => ({ get: vi.fn(), storage: vi.fn(), call: vi.fn() }))
const called = vi.hoisted(() => ({ get: () => server.get(), storage: () => server.storage() }))
fakeConvex(() => ({
  useAction: (action: never) => (getFunctionName(action).endsWith(':get') ? called.get : called.storage),
  useMutation: (mutation: never) => (args: object) => server.call(getFunctionName(mutation), args),
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  server.get.mockReset().mockResolvedValue(HEALTH)
  server.storage.mockReset().mockResolvedValue(STORAGE)
  server.call.mockReset().mockResolvedValue(null)
})

async function show(health: Partial<Health> = {}, storage: Partial<StorageHealth> = {}): Promise<void> {
  server.get.mockResolvedValue({ ...HEALTH, ...health })
  server.storage.mockResolvedValue({ ...STORAGE, ...storage })
  const router = createMemoryRouter([{ path: '/', element: <HealthPage /> }])
  await act(async () => render(<RouterProvider router={router} />))
}

const section = (name: string) => {
  const found = document.getElementById(name)
  if (!found) throw new Error(`no section ${name}`)
  return found
}

describe('all well', () => {
  it('says so on top and in each part', async () => {
    await show()
    expect(screen.getByText('Everything works')).toBeVisible()
    expect(screen.getAllByText('All is well')).toHaveLength(6)
    expect(within(section('servers')).getByText('Running')).toBeVisible()
    expect(section('storage')).toHaveTextContent('50 GB (50%)')
    expect(within(section('storage')).getByRole('row', { name: /select \$1 12.?ms 1,200/ })).toBeVisible()
    await expectAccessible()
  })

  it('says so in Russian', async () => {
    await setLanguage('ru')
    await show()
    expect(screen.getByText('Всё работает')).toBeVisible()
    expect(screen.getAllByText('Всё в порядке')).toHaveLength(6)
  })

  it('does not claim it before the storage is measured, nor hold the rest back for it', async () => {
    server.storage.mockReturnValue(new Promise(() => {}))
    const router = createMemoryRouter([{ path: '/', element: <HealthPage /> }])
    await act(async () => render(<RouterProvider router={router} />))
    expect(screen.getByText('Everything works so far')).toBeVisible()
    expect(screen.queryByText('Everything works')).toBeNull()
    expect(within(section('servers')).getByText('Running')).toBeVisible()
  })
})

it('leads to the place of a problem, also by an address that was opened', async () => {
  const places: string[] = []
  vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(function (this: Element) {
    if (this.id in SECTIONS) places.push(this.id)
  })
  await show({ problems: ['quarantined'] })
  expect(places).toEqual([])
  await userEvent.click(screen.getByRole('link', { name: en.health.problems.quarantined.title }))
  expect(places).toEqual(['quarantine'])
  cleanup()
  const router = createMemoryRouter([{ path: '/', element: <HealthPage /> }], { initialEntries: ['/#mail'] })
  await act(async () => render(<RouterProvider router={router} />))
  expect(places).toEqual(['quarantine', 'mail'])
})

describe.each([
  ['en', en.health],
  ['ru', ru.health],
] as const)('in %s', (language, texts) => {
  it.each(HEALTH_PROBLEMS)('%s says what to do, in its place', async (problem: HealthProblem) => {
    if (currentLanguage() !== language) await setLanguage(language)
    const isStored = problem === 'diskLow'
    await show({ problems: isStored ? [] : [problem] }, { problems: isStored ? [problem] : [] })
    const { title, advice } = texts.problems[problem]
    const name = sectionOf(problem)
    expect(screen.getByRole('link', { name: title })).toHaveAttribute('href', `/#${name}`)
    expect(section(name)).toHaveTextContent(advice.replaceAll('{{product}}', 'Parley').replaceAll('\u00a0', ' '))
    expect(within(section(name)).getByText(texts.state.attention)).toBeVisible()
    expect(screen.getAllByText(texts.state.well)).toHaveLength(5)
  })

  it('counts them', async () => {
    if (currentLanguage() !== language) await setLanguage(language)
    await show({ problems: ['queueLate', 'quarantined'] })
    const expected = language === 'en' ? '2 things need you' : 'Требуют внимания: 2 пункта'
    expect(screen.getByText(expected)).toBeVisible()
  })
})

describe('what can be done', () => {
  it('a failed job is queued again, one that is tried again by itself is not', async () => {
    const job = { attempts: 6, failedAt: NOW - MINUTE, cause: { kind: 'network', detail: 'ECONNREFUSED' } as const }
    const queue = 'knowledge.ingest.00000000-0000-4000-8000-000000000000'
    await show({
      queues: [{ name: queue, waiting: 3, running: 1, failed: 1, oldestAt: NOW - 7 * MINUTE }],
      failing: [
        { ...job, queue, jobId: 'first', nextAt: null },
        { ...job, queue: 'renew-access', jobId: 'second', nextAt: NOW + MINUTE },
      ],
      problems: ['queueLate', 'jobsFailed'],
    })
    const queues = section('queues')
    expect(queues).toHaveTextContent('Knowledge knowledge.ingest3 waitthe oldest for 7 mins1 runs1 failed')
    expect(queues).toHaveTextContent('An address could not be reachedECONNREFUSED6 attempts')
    expect(queues).toHaveTextContent('Upkeep renew-access')
    expect(within(queues).getByText('Will be retried by itself')).toBeVisible()
    await userEvent.click(within(queues).getByRole('button', { name: 'Retry' }))
    expect(server.call).toHaveBeenCalledWith('admin/health:retryJob', { queue, jobId: 'first' })
    expect(server.get).toHaveBeenCalledTimes(2)
    await expectAccessible()
  })

  it('organizations whose messages have not arrived are a link away', async () => {
    const organizations = [{ _id: ID, name: 'Tea shop', waiting: 0, failed: 2, unknown: 1 }]
    const deliveries = { waiting: 5, failed: 2, unknown: 1, oldestAt: NOW - 6 * MINUTE, organizations }
    await show({ deliveries, problems: ['deliveriesFailed'] })
    expect(screen.getByRole('link', { name: 'Tea shop' })).toHaveAttribute('href', `/admin/organizations/${ID}`)
    expect(section('deliveries')).toHaveTextContent('Tea shopfailed: 2delivery unknown: 1')
    await expectAccessible()
  })

  it('notifications are taken in again, one or all of a connection, after a question', async () => {
    const organization = { _id: ID, name: 'Tea shop' }
    const connection = { _id: ID, organization, channel: 'telegram', identifier: 'tea_bot', latestAt: NOW } as const
    const event = { connectionId: ID, at: NOW, sizeBytes: 2048 }
    await show({
      problems: ['quarantined'],
      quarantine: {
        count: 2,
        connections: [{ ...connection, count: 2, requested: 0 }],
        latest: [
          { ...event, eventId: 'first', isRequested: false },
          { ...event, eventId: 'second', isRequested: true },
        ],
      },
    })
    const quarantine = section('quarantine')
    expect(quarantine).toHaveTextContent('Telegram · tea_bot')
    expect(within(quarantine).getByText('Being taken in again')).toBeVisible()
    for (const [button, ...expected] of [
      ['Take in again', 'admin/health:replay', { eventId: 'first' }],
      ['Take in all again', 'admin/health:replayConnection', { connectionId: ID }],
    ] as const) {
      await userEvent.click(within(quarantine).getByRole('button', { name: button }))
      const question = await screen.findByRole('alertdialog')
      expect(question).toHaveTextContent('customers may get an answer to what they wrote long ago')
      await userEvent.click(within(question).getByRole('button', { name: 'Take in again' }))
      expect(server.call).toHaveBeenLastCalledWith(...expected)
    }
    await expectAccessible()
  })

  it('mail that is not set up says how; statements that are not counted say how', async () => {
    await show({ mail: { ...HEALTH.mail, isConfigured: false, lastSentAt: null } }, { statements: { state: 'off' } })
    expect(section('mail')).toHaveTextContent('set SMTP_URL and MAIL_FROM')
    expect(section('storage')).toHaveTextContent('create extension pg_stat_statements;')
    expect(screen.getByText('Everything works')).toBeVisible()
  })

  it('statements that may not be read name the right', async () => {
    await show({}, { statements: { state: 'hidden', role: 'parley' } })
    expect(section('storage')).toHaveTextContent('grant pg_read_all_stats to parley;')
  })

  it('servers that were replaced are no problem', async () => {
    const gone = { ...HEALTH.servers[0], _id: 'g', host: 'node-2', isGone: true } as Health['servers'][number]
    await show({ servers: [gone, { ...gone, _id: 'r', isReplaced: true }], problems: ['serverGone'] })
    expect(within(section('servers')).getByText('Gone')).toBeVisible()
    expect(within(section('servers')).getByText('Gone, replaced')).toBeVisible()
  })
})

describe('a failure', () => {
  it('keeps what was read last on the page, and says that it is not renewed', async () => {
    await show()
    server.get.mockRejectedValue(new Error('Failed to fetch'))
    await userEvent.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(screen.getByRole('alert')).toHaveTextContent('The state of the installation could not be read')
    expect(within(section('servers')).getByText('Running')).toBeVisible()
  })

  it('of the measurement stays in its part', async () => {
    server.storage.mockRejectedValue(new Error('Failed to fetch'))
    const router = createMemoryRouter([{ path: '/', element: <HealthPage /> }])
    await act(async () => render(<RouterProvider router={router} />))
    server.storage.mockResolvedValue(STORAGE)
    await userEvent.click(within(section('storage')).getByRole('button', { name: 'Refresh' }))
    expect(section('storage')).toHaveTextContent('5 GB')
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
