// Who counts as one person: a number is the same over any provider, and only within its kind. Holds and erasures of one apply to all of them.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isOnLegalHold, setLegalHold } from '#server/domain/messaging/customers/legal-hold.store.ts'
import { listPersonContacts } from '#server/domain/messaging/customers/people.store.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const NUMBER = '77001234567'

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})

/** A contact of another connection. */
async function addContact(channel: Channel, externalId: string): Promise<Id<'customers'>> {
  const [id, connectionId] = [newId('customers'), newId('channelConnections')]
  await sql`insert into channel_connections select (jsonb_populate_record(c, jsonb_build_object('id', ${connectionId}::text,
      'channel', ${channel}::text, 'external_account_id', ${connectionId}::text, 'webhook_path', ${connectionId}::text))).*
    from channel_connections c where id = ${bot.connectionId}`.execute(test.database.root)
  await sql`insert into customers (id, organization_id, connection_id, external_id, name)
    values (${id}, ${bot.organizationId}, ${connectionId}, ${externalId}, 'Anna')`.execute(test.database.root)
  return id
}

async function isHeld(id: Id<'customers'>): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`select ${isOnLegalHold(sql`${id}::text`)} as held`.execute(
    test.database.root,
  )
  return rows[0]?.held ?? false
}

it('a number is one person over GREEN-API and the Cloud API; the same id of another kind is another person', async () => {
  const number = await addContact('whatsapp', `${NUMBER}@c.us`)
  const cloud = await addContact('whatsappCloud', NUMBER)
  const others = [
    await addContact('telegram', NUMBER),
    await addContact('http', NUMBER),
    await addContact('http', `${NUMBER}@c.us`),
    await addContact('whatsappCloud', NUMBER.slice(0, -1)),
  ]
  const { organizationId } = bot
  await test.database.organization(organizationId, async (db) => {
    const people = async (id: Id<'customers'>) =>
      (await listPersonContacts({ db, organizationId }, id)).map((each) => each.id)
    expect(await people(number)).toEqual([number, cloud])
    expect(await people(cloud)).toEqual([cloud, number])
    for (const other of others) expect(await people(other)).toEqual([other])
    const { owner_id: by } = await db.selectFrom('organizations').select('owner_id').executeTakeFirstOrThrow()
    await setLegalHold({ db, organizationId }, cloud, { by, reason: 'A lawsuit', now: new Date() })
  })
  const later = await addContact('whatsappCloud', NUMBER)
  for (const id of [number, cloud, later]) expect(await isHeld(id)).toBe(true)
  for (const id of others) expect(await isHeld(id)).toBe(false)
})

it('a MAX user is one person for every bot, and not the Telegram user with the same id', async () => {
  const [one, two] = [await addContact('max', '5551234'), await addContact('max', '5551234')]
  const other = await addContact('telegram', '5551234')
  const { organizationId } = bot
  await test.database.organization(organizationId, async (db) => {
    const people = async (id: Id<'customers'>) =>
      (await listPersonContacts({ db, organizationId }, id)).map((each) => each.id)
    expect(await people(one)).toEqual([one, two])
    expect(await people(other)).toEqual([other])
    const { owner_id: by } = await db.selectFrom('organizations').select('owner_id').executeTakeFirstOrThrow()
    await setLegalHold({ db, organizationId }, one, { by, reason: 'A lawsuit', now: new Date() })
  })
  expect(await isHeld(two)).toBe(true)
  expect(await isHeld(other)).toBe(false)
})
