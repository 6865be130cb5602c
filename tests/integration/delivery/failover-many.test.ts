// Very many conversations of one organization that wait for a number do not starve those of another organization.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rerouteJob } from '#server/domain/messaging/delivery/reroute.job.ts'
import { listDue } from '#server/domain/messaging/outbox/reroute.store.ts'
import type { Id } from '#shared/ids.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'
import { startFakeGreenApi } from '#tests/fakes/green-api/green-api.ts'
import { takeOffSchedule } from '#tests/schedule.ts'
import { connectLine } from '#tests/whatsapp-lines.ts'

const greenApi = await startFakeGreenApi({ secondMs: 5 })
let app: TestApp

beforeAll(async () => {
  app = await startApp({ greenApi })
  await takeOffSchedule(app, rerouteJob)
})
afterAll(async () => {
  await app.close()
  await greenApi.close()
})

/** An organization with a number that may not send, another that replaces it, and this many waiting conversations. @returns the latter's id */
async function openTeam(waiting: number): Promise<Id<'channelConnections'>> {
  const person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  // Linked and checked: a later notification of their states would change what is written here.
  const { id: first } = await connectLine(greenApi, person, agentId)
  const { id: second } = await connectLine(greenApi, person, agentId)
  await app.settle()
  const copies = sql`from channel_connections n, generate_series(1000000, ${999_999 + waiting}::int) number where n.id = ${first}`
  const id = (kind: string) => sql`${kind} || ${first}::text || number`
  const chat = sql`number || '@c.us'`
  await app.database.system('test: conversations that wait', async (db) => {
    await sql`update channel_connections set status = 'pending', is_frozen = true, frozen_since = now() - interval '1 day',
      stand_in_id = ${second} where id = ${first}`.execute(db)
    await sql`update channel_connections set status = 'connected' where id = ${second}`.execute(db)
    await sql`insert into customers (id, organization_id, connection_id, external_id, name)
      select ${id('u')}, n.organization_id, n.id, ${chat}, 'X' ${copies}`.execute(db)
    await sql`insert into conversations (id, organization_id, agent_id, channel, connection_id, customer_id, external_chat_id)
      select ${id('c')}, n.organization_id, n.agent_id, n.channel, n.id, ${id('u')}, ${chat} ${copies}`.execute(db)
    await sql`insert into messages (id, organization_id, conversation_id, author, text)
      select ${id('m')}, n.organization_id, ${id('c')}, 'agent', 'X' ${copies}`.execute(db)
    await sql`insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status, not_before)
      select ${id('o')}, n.organization_id, n.id, ${id('c')}, ${id('m')}, 0, ${chat}, 'X', 'queued', 'infinity' ${copies}`.execute(
      db,
    )
  })
  return second
}

it('each replacement number gets its share of a pass', async () => {
  const [theirs, mine] = [await openTeam(600), await openTeam(1)]
  const due = await app.database.system('test: a look', (db) => listDue({ db }))
  const countOf = (id: string) => due.filter(({ toId }) => toId === id).length
  expect([countOf(theirs), countOf(mine)]).toEqual([60, 1])
})
