// The limits of a day that a new agent has.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import { AGENT_DAILY_LIMIT_DEFAULT, CUSTOMER_DAILY_LIMIT_DEFAULT } from '#shared/limits.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const DEFAULTS = { agentDailyLimit: AGENT_DAILY_LIMIT_DEFAULT, customerDailyLimit: CUSTOMER_DAILY_LIMIT_DEFAULT }

let app: TestApp
let person: Person

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
})
afterAll(() => app.close())

const addAgent = async () => (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
const spamOf = async (id: Id<'agents'>) => (await person.http.query(api.agents.get, { id }))?.spam

async function change(id: Id<'agents'>, limits: Partial<AgentSettings['spam']>): Promise<void> {
  const before = await spamOf(id)
  if (!before) throw new Error('the agent is gone')
  await person.http.mutation(api.agents.update, { id, patch: { spam: { ...before, ...limits } } })
}

it('a new agent has limits, and a person may take them away', async () => {
  const id = await addAgent()
  expect(await spamOf(id)).toMatchObject(DEFAULTS)
  await change(id, { agentDailyLimit: null, customerDailyLimit: null })
  expect(await spamOf(id)).toMatchObject({ agentDailyLimit: null, customerDailyLimit: null })
})
