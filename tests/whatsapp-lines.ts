// WhatsApp numbers at the fake GREEN-API, for tests of failover from one number to another.
import { rerouteJob } from '#server/domain/messaging/delivery/reroute.job.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from './app.ts'
import type { FakeGreenApi, FakeInstance } from './fakes/green-api/green-api.ts'
import { takeOffSchedule } from './schedule.ts'

/** A number that is connected. */
export type Line = { instance: FakeInstance; id: Id<'channelConnections'> }
/** An installation to which GREEN-API delivers, and a member with an agent. */
export type Office = { app: TestApp; person: Person; agentId: Id<'agents'> }

/** Only `look` reroutes conversations. */
export async function openOffice(greenApi: FakeGreenApi): Promise<Office> {
  const app = await startApp({ greenApi, config: { publicUrl: 'https://parley.example', hasPublicUrl: true } })
  await takeOffSchedule(app, rerouteJob)
  greenApi.webhookOrigin = () => app.url
  const person = await app.signUp()
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
  return { app, person, agentId }
}

/** Connects another number to an agent. */
export async function connectLine(greenApi: FakeGreenApi, person: Person, agentId: Id<'agents'>): Promise<Line> {
  const instance = greenApi.addInstance()
  const { idInstance, apiToken } = instance
  const { _id: id } = await person.http.action(api.channels.whatsapp.provision, { agentId, idInstance, apiToken })
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance')
  await person.http.action(api.channels.whatsapp.refresh, { connectionId: id })
  return { instance, id }
}

/** Runs the job of each minute. */
export async function look(app: TestApp): Promise<void> {
  await app.database.system('test: look', (db) => app.services.jobs.send(db, rerouteJob, {}))
  await app.settle()
}
