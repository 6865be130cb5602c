// The prompt generator: a model writes instructions, they are counted, and they change nothing by themselves.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { releaseHolds } from '#server/domain/billing/holds.job.ts'
import { hold } from '#server/domain/billing/quotas.store.ts'
import { withRoom } from '#server/domain/billing/room.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { PromptDraft } from '#shared/agents/agents.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { AppError, appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type Model, scriptedLlm } from '#tests/pipeline-world.ts'

let app: TestApp
let person: Person
let agentId: Id<'agents'>
let model: Model

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  const agent = { name: 'Helper', systemPrompt: 'Speak of roses.', model: 'test/echo' }
  agentId = (await person.http.mutation(api.agents.create, agent))._id
})

const { prompts } = api.agents
const wish = { description: 'A flower shop in Almaty', language: 'ru' as const }
const addAgent = async ({ http }: Person): Promise<Id<'agents'>> =>
  (await http.mutation(api.agents.create, { name: 'Writer', model: 'test/echo' }))._id

/** A user whose organization has this monthly allowance of messages. */
async function limited(monthlyLimit: number): Promise<Person> {
  const fresh = await app.signUp()
  await app.database.root
    .updateTable('organizations')
    .set({ monthly_limit: monthlyLimit })
    .where('id', '=', fresh.organization._id)
    .execute()
  return fresh
}

const monthsOf = ({ organization }: Person) =>
  app.database.root
    .selectFrom('quotas')
    .where('organization_id', '=', organization._id)
    .select(({ cast, ref }) => [cast<number>(ref('used'), 'integer').as('used'), 'reserved'])
    .execute()

const codeOf = (call: Promise<unknown>) => call.then(() => null).catch((error: unknown) => appErrorData(error)?.code)

/** Resolves once `holds` is true of the draft. */
async function waitForDraft(holds: (draft: PromptDraft | null) => boolean): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = person.live().onUpdate(prompts.draft, { agentId }, (draft) => {
    if (holds(draft)) resolve()
  })
  await promise
  stop()
}

describe('the prompt generator', () => {
  it('writes from the description and the existing prompt, in the chosen language, and changes nothing', async () => {
    let asked = ''
    model = (request) => {
      asked = `${request.system}\n${request.messages[0]?.text}`
      return '# Роль\nПомощник магазина'
    }
    const made = await person.http.action(prompts.generate, { agentId, ...wish })
    expect(made.text).toBe('# Роль\nПомощник магазина')
    expect(asked).toContain('Russian')
    expect(asked).toContain('A flower shop in Almaty')
    expect(asked).toContain('Speak of roses.')
    expect(await person.http.query(prompts.draft, { agentId })).toMatchObject({ status: 'complete', text: made.text })
    expect(await person.http.query(api.agents.get, { id: agentId })).toMatchObject({ systemPrompt: 'Speak of roses.' })
  })

  it('shows the text while it is written', async () => {
    const go = Promise.withResolvers<void>()
    model = async (request) => {
      request.onText?.('# Роль')
      await go.promise
      return '# Роль'
    }
    const done = person.http.action(prompts.generate, { agentId, ...wish })
    await waitForDraft((draft) => draft?.status === 'streaming' && draft.text === '# Роль')
    go.resolve()
    await done
  })

  it('stops when the draft is discarded', async () => {
    const asked = Promise.withResolvers<void>()
    model = (request) => {
      asked.resolve()
      const more = setInterval(() => request.onText?.('more '), 10)
      return new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => {
          clearInterval(more)
          reject(request.signal.reason)
        })
      })
    }
    const done = codeOf(person.http.action(prompts.generate, { agentId, ...wish }))
    await asked.promise
    await person.http.mutation(prompts.discard, { agentId })
    expect(await done).toBe('conflict')
    expect(await person.http.query(prompts.draft, { agentId })).toBeNull()
  })

  it('is counted as a helper generation, also when it failed', async () => {
    model = () => Promise.reject(new AppError('model_failed', { reason: 'quota' }))
    const fresh = await app.signUp()
    const { _id } = await fresh.http.mutation(api.agents.create, { name: 'Other', model: 'test/echo' })
    expect(await codeOf(fresh.http.action(prompts.generate, { agentId: _id, ...wish }))).toBe('model_failed')
    expect(await fresh.http.query(prompts.draft, { agentId: _id })).toMatchObject({ status: 'failed', reason: 'quota' })
    const now = Date.now()
    const timeRange = { start: now - 3_600_000, end: now + 60_000 }
    const args = { organizationId: fresh.organization._id, timeRange }
    const { categories, totals } = await fresh.http.query(api.billing.getOrganizationUsageOverview, args)
    expect(categories.find(({ key }) => key === 'helper_generation')?.messages).toBe(1)
    expect(totals.tokens).toBe(15)
  })

  it.each([
    ['allowance_used_up', { monthly_limit: 1 }],
    ['spending_limit_reached', { monthly_spend_limit_micro_usd: 0 }],
  ])('calls no model beyond the limits of the organization: %s', async (code, limits) => {
    model = () => '# Role'
    const fresh = await app.signUp()
    const { _id } = await fresh.http.mutation(api.agents.create, { name: 'Other', model: 'test/echo' })
    await fresh.http.action(prompts.generate, { agentId: _id, ...wish })
    await app.database.system('test: limits', (db) =>
      db.updateTable('organizations').set(limits).where('id', '=', fresh.organization._id).execute(),
    )
    model = () => Promise.reject(new Error('a model was asked'))
    expect(await codeOf(fresh.http.action(prompts.generate, { agentId: _id, ...wish }))).toBe(code)
    expect(await fresh.http.query(prompts.draft, { agentId: _id })).toMatchObject({ text: '# Role' })
  })

  it('writes exactly one prompt when many are requested at once and one message is left', async () => {
    const fresh = await limited(1)
    const agentIds = await Promise.all(Array.from({ length: 12 }, () => addAgent(fresh)))
    const go = Promise.withResolvers<string>()
    let [asked, refused] = [0, 0]
    const releaseOnceAllCalled = () => asked + refused === agentIds.length && go.resolve('# Role')
    model = () => {
      asked++
      releaseOnceAllCalled()
      return go.promise
    }
    const codes = await Promise.all(
      agentIds.map(async (id) => {
        const code = await codeOf(
          fresh.http.action(prompts.generate, { agentId: id, ...wish }).catch((error: unknown) => {
            refused++
            releaseOnceAllCalled()
            throw error
          }),
        )
        return code ?? 'written'
      }),
    )
    expect(asked).toBe(1)
    expect(codes.sort()).toEqual([...Array.from({ length: 11 }, () => 'allowance_used_up'), 'written'])
    expect(await monthsOf(fresh)).toEqual([{ used: 1, reserved: 0 }])
  })

  it('is refunded its message when nothing was written', async () => {
    const fresh = await limited(1)
    const { _id: organizationId } = fresh.organization
    const transact = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
      app.database.organization(organizationId, (db) => run({ db, organizationId }))
    const asking = { now: new Date(), read: transact, write: transact }
    const payer = { id: await addAgent(fresh), monthlyLimitUsd: null }
    const failing = withRoom(asking, payer, async () => {
      expect(await monthsOf(fresh)).toEqual([{ used: 0, reserved: 1 }])
      throw new Error('nothing was written')
    })
    await expect(failing).rejects.toThrow('nothing was written')
    expect(await monthsOf(fresh)).toEqual([{ used: 0, reserved: 0 }])
  })

  it('is refunded after a while what a crashed server had reserved', async () => {
    const fresh = await limited(2)
    const { _id: organizationId } = fresh.organization
    const id = await addAgent(fresh)
    model = () => '# Role'
    await fresh.http.action(prompts.generate, { agentId: id, ...wish })
    const now = new Date()
    await app.database.organization(organizationId, (db) =>
      hold({ db, organizationId }, now.toISOString().slice(0, 7), new Date(now.getTime() + 60_000)),
    )
    const write = () => codeOf(fresh.http.action(prompts.generate, { agentId: id, ...wish }))
    await releaseHolds(app.database, now)
    expect(await write()).toBe('allowance_used_up')
    await releaseHolds(app.database, new Date(now.getTime() + 60_001))
    expect(await monthsOf(fresh)).toEqual([{ used: 1, reserved: 0 }])
    expect(await write()).toBeNull()
  })

  it('needs a description, and a model that can write', async () => {
    const empty = person.http.action(prompts.generate, { agentId, ...wish, description: ' ' })
    expect(await codeOf(empty)).toBe('invalid_arguments')
    await person.http.mutation(api.agents.update, { id: agentId, patch: { model: EXTRACTIVE_MODEL } })
    expect(await codeOf(person.http.action(prompts.generate, { agentId, ...wish }))).toBe('model_cannot_write')
  })
})
