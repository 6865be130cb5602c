// The template of the installation: it stands before every agent's instructions from the next answer on, and "Why?" names its version.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { TEMPLATE_MAX } from '#shared/organizations/prompt-template.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const template = api.admin.template
let app: TestApp
const requests: GenerateRequest[] = []
let admin: Person
let owner: Person
beforeAll(async () => {
  const llm = scriptedLlm((request) => {
    requests.push(request)
    return echo(request)
  })
  app = await startApp({ overrides: { llm } })
  admin = await app.signUp()
  owner = await app.signUp({ organization: 'Чайная лавка' })
})
afterAll(() => app.close())

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
const save = (text: string) => admin.http.mutation(template.update, { text })

/** What the model was asked last, and which version of the template that is explained by. */
async function ask(agentId: Id<'agents'>): Promise<{ system: string | undefined; number: number | undefined }> {
  await owner.http.mutation(api.testChat.send, { agentId, text: 'Hello?', overrides: {}, variant: 'a' })
  await app.settle()
  const messages: Message[] = await owner.http.query(api.testChat.messages, { agentId, variant: 'a' })
  const turnId = messages.at(-1)?.turnId
  if (!turnId) throw new Error('the answer has no turn')
  const trace = await owner.http.query(api.testChat.why, { turnId })
  return { system: requests.at(-1)?.system, number: trace?.prompt?.template }
}

describe('the template', () => {
  it('is not there at first', async () => {
    expect(await admin.http.query(template.get, {})).toBeNull()
  })

  it('refuses nothing, too much, and placeholders that do not exist', async () => {
    expect(await codeOf(save('   '))).toBe('invalid_arguments')
    expect(await codeOf(save('x'.repeat(TEMPLATE_MAX + 1)))).toBe('invalid_arguments')
    expect(await codeOf(save('Hello {{name}}'))).toBe('template_placeholder_unknown')
    expect(await admin.http.query(template.get, {})).toBeNull()
  })

  it('has versions with authors, of which an earlier one can be taken up again', async () => {
    const first = await save('Будьте вежливы.')
    const second = await save('Будьте кратки.')
    expect(await save('Будьте кратки.')).toEqual(second)
    const restored = await admin.http.mutation(template.restore, { number: first.number })
    expect(restored).toMatchObject({ number: second.number + 1, text: 'Будьте вежливы.', restoredFrom: first.number })
    const { page } = await admin.http.query(template.versions, { paginationOpts: { numItems: 10, cursor: null } })
    expect(page.map(({ number }) => number)).toEqual([3, 2, 1])
    expect(page[0]).toMatchObject({ author: admin.user.name })
    expect(await codeOf(admin.http.mutation(template.restore, { number: 99 }))).toBe('not_found')
  })

  it('stands before the agent’s own instructions in the next answer, filled in, and “Why?” names it', async () => {
    const agent = await owner.http.mutation(api.agents.create, {
      name: 'Продавец',
      systemPrompt: 'Продавайте чай.',
    })
    const { number } = await save('Вы {{agent}} из {{ organization }}.')
    const asked = await ask(agent._id)
    expect(asked.system).toContain('Вы Продавец из Чайная лавка.\n\nПродавайте чай.')
    expect(asked.number).toBe(number)
    const later = await save('Отвечайте кратко.')
    expect(await ask(agent._id)).toMatchObject({ number: later.number })
    const preview = await admin.http.query(template.preview, { text: 'Сначала {{agent}}', agentId: agent._id })
    expect(preview.text).toBe('Сначала Продавец\n\nПродавайте чай.')
  })

  it('is for administrators of the installation, and its changes are on record', async () => {
    expect(await codeOf(owner.http.query(template.get, {}))).toBe('admin_required')
    expect(await codeOf(owner.http.mutation(template.update, { text: 'x' }))).toBe('admin_required')
    const { page } = await admin.http.query(api.admin.audit.list, {
      range: '24h',
      organizationId: null,
      paginationOpts: { numItems: 1, cursor: null },
    })
    expect(page[0]).toMatchObject({
      action: 'admin/template:update',
      before: { text: 'Вы {{agent}} из {{ organization }}.' },
      after: { text: 'Отвечайте кратко.' },
    })
  })
})
