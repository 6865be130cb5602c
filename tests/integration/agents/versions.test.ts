// Versions of an agent: every save is kept, drafts stay apart, and any version comes back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { scriptedLlm } from '#tests/pipeline-world.ts'

const PAGE = { paginationOpts: { numItems: 10, cursor: null } }

let app: TestApp
let person: Person

beforeAll(async () => {
  // The answer shows which instructions were in force.
  app = await startApp({ overrides: { llm: scriptedLlm((request) => request.system.split('\n')[0] ?? '') } })
  person = await app.signUp()
})
afterAll(() => app.close())

const { agents } = api
const makeAgent = () => person.http.mutation(agents.create, { name: 'Helper', systemPrompt: 'One.' })
const codeOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => appErrorData(error)?.code)

describe('versions', () => {
  it('are made by every change of settings, and by nothing else', async () => {
    const { _id: id } = await makeAgent()
    await person.http.mutation(agents.update, { id, patch: { name: 'Renamed' } })
    await person.http.mutation(agents.update, { id, patch: { systemPrompt: 'One.' } })
    const saved = await person.http.mutation(agents.update, { id, patch: { buffer: { seconds: 5 } } })
    expect(saved).toMatchObject({
      name: 'Renamed',
      version: 2,
      liveVersion: 2,
      buffer: { seconds: 5 },
      systemPrompt: 'One.',
    })
    const { page } = await person.http.query(agents.versions.list, { agentId: id, ...PAGE })
    expect(page).toMatchObject([
      { number: 2, isLive: true, authorName: person.user.name, restoredFrom: null },
      { number: 1, isLive: false },
    ])
  })

  it('keep a draft from customers until it is published; the test chat already uses it', async () => {
    const { _id: id } = await makeAgent()
    const draft = await person.http.mutation(agents.update, { id, patch: { systemPrompt: 'Two.' }, isDraft: true })
    expect(draft).toMatchObject({ version: 2, liveVersion: 1, systemPrompt: 'Two.' })
    await person.http.mutation(api.testChat.send, { agentId: id, text: 'Hello' })
    await app.settle()
    const answer = (await person.http.query(api.testChat.messages, { agentId: id })).at(-1)
    expect(answer).toMatchObject({ text: 'Two.', agentVersion: 2 })
    expect(await codeOf(person.http.mutation(agents.versions.publish, { agentId: id, number: 1 }))).toBe('conflict')
    const published = await person.http.mutation(agents.versions.publish, { agentId: id, number: 2 })
    expect(published).toMatchObject({ version: 2, liveVersion: 2 })
  })

  it('come back as a new version that says where it is from', async () => {
    const { _id: id } = await makeAgent()
    await person.http.mutation(agents.update, { id, patch: { systemPrompt: 'Two.' } })
    const restored = await person.http.mutation(agents.versions.restore, { agentId: id, number: 1 })
    expect(restored).toMatchObject({ systemPrompt: 'One.', version: 3, liveVersion: 3 })
    const { page } = await person.http.query(agents.versions.list, { agentId: id, ...PAGE })
    expect(page[0]).toMatchObject({ number: 3, restoredFrom: 1, isLive: true })
    expect(await person.http.query(agents.versions.get, { agentId: id, number: 2 })).toMatchObject({
      systemPrompt: 'Two.',
    })
    expect(await codeOf(person.http.query(agents.versions.get, { agentId: id, number: 9 }))).toBe('not_found')
  })

  it('are not saved over a version that the editor has not seen', async () => {
    const { _id: id } = await makeAgent()
    await person.http.mutation(agents.update, { id, patch: { systemPrompt: 'Two.' }, baseVersion: 1 })
    const late = person.http.mutation(agents.update, { id, patch: { temperature: 0.5 }, baseVersion: 1 })
    expect(await codeOf(late)).toBe('conflict')
    expect(await person.http.query(agents.get, { id })).toMatchObject({ version: 2, systemPrompt: 'Two.' })
  })

  it('are published with what the saver has seen, never with a draft of a colleague', async () => {
    const { _id: id } = await makeAgent()
    const update = (patch: { temperature?: number; name?: string }, baseVersion?: number) =>
      person.http.mutation(agents.update, { id, patch, ...(baseVersion !== undefined && { baseVersion }) })
    await person.http.mutation(agents.update, { id, patch: { temperature: 0.1 }, isDraft: true })
    expect(await update({ temperature: 0.1, name: 'Helper' })).toMatchObject({ version: 2, liveVersion: 1 })
    await app.database.system('test: the draft is a colleague’s', (db) =>
      db.updateTable('agent_versions').set({ author_id: null }).where('agent_id', '=', id).execute(),
    )
    expect(await codeOf(update({ temperature: 0.2 }))).toBe('conflict')
    expect(await person.http.query(agents.get, { id })).toMatchObject({ version: 2, liveVersion: 1 })
    expect(await update({ temperature: 0.2 }, 2)).toMatchObject({ version: 3, liveVersion: 3 })
  })

  it('that nothing has changed are not made, and nothing looks changed', async () => {
    const { _id: id, updatedAt } = await makeAgent()
    const same = await person.http.mutation(agents.update, { id, patch: { name: 'Helper', systemPrompt: 'One.' } })
    expect(same).toMatchObject({ version: 1, updatedAt })
  })

  it('get their numbers one after another when two people save at once', async () => {
    const { _id: id } = await makeAgent()
    const saves = [0.1, 0.2, 0.3].map((temperature) =>
      person.http.mutation(agents.update, { id, patch: { temperature } }),
    )
    const numbers = (await Promise.all(saves)).map((agent) => agent.version)
    expect(numbers.sort()).toEqual([2, 3, 4])
  })
})
