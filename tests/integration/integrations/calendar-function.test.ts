// The calendar as one of the functions of an agent: switched off, missing, and how often it was called.
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { calls, overview } from '#server/domain/agents/agent-functions.functions.ts'
import type { AgentFunctionState, FunctionCall } from '#shared/tools/functions.ts'
import { BookingWorld, call } from './booking-world.ts'

vi.setConfig({ testTimeout: 120_000 })

let stage: BookingWorld

beforeAll(async () => {
  stage = await BookingWorld.start()
})
afterAll(() => stage.stop())
beforeEach(() => stage.begin())

async function calendarState(): Promise<AgentFunctionState | undefined> {
  const { organizationId, agentId } = stage.bot
  const all = (await stage.world.call(organizationId, overview, { agentId })) as AgentFunctionState[]
  return all.find(({ name }) => name === 'calendar')
}

it('gives an agent without it no tools of the calendar, and nothing to say of it', async () => {
  const see = () =>
    stage.turn('Здравствуйте', async ({ tools, system, data }) => ({
      names: tools.map(({ name }) => name),
      said: system + JSON.stringify(data),
    }))
  expect((await see()).names).toContain('book_time')
  expect(await calendarState()).toMatchObject({ isOn: true, isMissing: false })
  await stage.world.setSettings(stage.bot, { functions: { off: ['calendar'], tools: [], mcpTools: [] } })
  const { names, said } = await see()
  expect(names.filter((name) => /book|times/.test(name))).toEqual([])
  expect(said).not.toMatch(/book/i)
  expect(await calendarState()).toMatchObject({ isOn: false })
})

it('is missing where no calendar is connected, or its consent is gone', async () => {
  const { agentId } = stage.bot
  await stage.test.database.system('test: lost', (db) =>
    db
      .updateTable('calendar_connections')
      .set({ status: 'reauthorization_required', lost_at: new Date() })
      .where('agent_id', '=', agentId)
      .execute(),
  )
  expect(await calendarState()).toMatchObject({ isMissing: true })
  await stage.world.setSettings(stage.bot, { functions: { off: ['calendar'], tools: [], mcpTools: [] } })
  const system = await stage.turn('Здравствуйте', async (request) => request.system)
  expect(system).not.toMatch(/book|calendar/i)
  await stage.test.database.system('test: disconnected', (db) =>
    db.deleteFrom('calendar_connections').where('agent_id', '=', agentId).execute(),
  )
  expect(await calendarState()).toMatchObject({ isMissing: true })
})

it('counts the calls of its tools, and lists the last of them', async () => {
  await stage.turn('Что у меня?', async (request) => {
    await call(request, 'list_bookings', {})
    await call(request, 'book_time', { slot_id: 'invented' })
  })
  expect(await calendarState()).toMatchObject({ calls: 2, failures: 1 })
  const { organizationId, agentId } = stage.bot
  const listed = (await stage.world.call(organizationId, calls, { agentId, name: 'calendar' })) as FunctionCall[]
  expect(listed.map(({ name }) => name).sort()).toEqual(['book_time', 'list_bookings'])
})
