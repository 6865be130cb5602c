// The trace of a turn: its contents, who may read it, and what it never contains.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError, appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, type Model, scriptedLlm } from '#tests/pipeline-world.ts'

let app: TestApp
let person: Person
let model: Model = echo

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp()
})
afterAll(() => app.close())

/** Asks a new agent, with a note in its knowledge, and waits until the turn is over. */
async function ask(text: string) {
  const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper', systemPrompt: 'Be kind.' })
  const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
  const note = { knowledgeSpaceId, name: 'Returns', content: 'Returns are accepted within 30 days.' }
  await person.http.mutation(api.knowledge.fragments.create, note)
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  await app.settle()
  await person.http.mutation(api.testChat.send, { agentId, text })
  await app.settle()
  const turnId = (await person.http.query(api.testChat.messages, { agentId })).at(-1)?.turnId
  if (!turnId) throw new Error('the last message has no turn')
  return turnId
}

describe('the trace of a turn', () => {
  it('contains the rules, the search, the prompt, the model and the version of an answer', async () => {
    const turnId = await ask('How long are returns accepted?')
    const trace = await person.http.query(api.testChat.why, { turnId })
    expect(trace).toMatchObject({
      outcome: 'replied',
      agentVersion: 1,
      isDraft: false,
      searches: [{ query: 'How long are returns accepted?', results: [{ source: 'Returns' }] }],
      attempts: [{ model: expect.any(String), failure: null, costMicroUsd: 42 }],
    })
    expect(trace?.gates.every((gate) => gate.hasPassed)).toBe(true)
    expect(trace?.prompt?.system).toMatch(/Be kind\.[\s\S]*Rules that always hold/)
    expect(trace?.prompt?.messages[0]).toMatchObject({ role: 'data', text: expect.stringContaining('within 30 days') })
    expect(trace?.prompt).toMatchObject({ tools: ['search_knowledge', 'hand_off'], isCut: false })
    expect(trace?.prompt?.messages.at(-1)).toEqual({ role: 'user', text: 'How long are returns accepted?' })
  })

  it('contains passages below their headings, as the model received them', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Courier' })
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Delivery' })
    const towns = ['Almaty', 'Astana'].map((town, at) => `## ${town}\n\nDelivery costs ${at + 5}00.`)
    const query = new URLSearchParams({ knowledgeSpaceId, name: 'delivery.md' })
    const headers = { authorization: `Bearer ${await person.token()}` }
    const body = `# Delivery\n\n${towns.join('\n\n')}`
    await fetch(`${app.url}/api/files/documents?${query}`, { method: 'POST', headers, body })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
    await app.settle()
    await person.http.mutation(api.testChat.send, { agentId, text: 'What does delivery cost?' })
    await app.settle()
    const turnId = (await person.http.query(api.testChat.messages, { agentId })).at(-1)?.turnId ?? ''
    const trace = await person.http.query(api.testChat.why, { turnId: turnId as Id<'turns'> })
    const given = trace?.prompt?.messages.find(({ role }) => role === 'data')?.text
    expect(given).toMatch(/Almaty[\s\S]*500/)
    expect(given).toMatch(/Astana[\s\S]*600/)
  })

  it('contains the failure of a model', async () => {
    model = () => Promise.reject(new AppError('model_failed', { reason: 'quota' }))
    const turnId = await ask('Hello')
    model = echo
    const trace = await person.http.query(api.testChat.why, { turnId })
    expect(trace?.outcome).toBe('quota')
    expect(trace?.attempts[0]).toMatchObject({ failure: 'quota' })
  })

  it('contains no secret that a user typed', async () => {
    const turnId = await ask('My key is sk-abcdefghijklmnopqrstuvwxyz123456, what now?')
    const trace = await person.http.query(api.testChat.why, { turnId })
    expect(JSON.stringify(trace)).not.toContain('abcdefghijklmnop')
    expect(trace?.prompt?.messages.at(-1)?.text).toBe('My key is •••, what now?')
  })

  it('is opened from its message, by the tester only', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    const { messageId } = await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    await app.settle()
    const answer = (await person.http.query(api.testChat.messages, { agentId })).at(-1)
    const explanation = await person.http.query(api.testChat.explainMessage, { messageId })
    expect(explanation).toMatchObject({
      turns: [{ _id: answer?.turnId, outcome: 'replied', hasRecord: true }],
      turnId: answer?.turnId,
      held: null,
      standing: { kind: 'answered', by: 'agent', messageId: answer?._id },
    })
    const refused = [
      (await app.signUp()).http.query(api.testChat.explainMessage, { messageId }),
      person.http.query(api.conversations.explainMessage, { messageId }),
    ].map((call) => call.catch((error: unknown) => appErrorData(error)?.code))
    expect(await Promise.all(refused)).toEqual(['not_found', 'not_found'])
  })

  it('explains why a message in a handed-over test chat waits, and that a stopped one was stopped', async () => {
    const { _id: agentId } = await person.http.mutation(api.agents.create, { name: 'Helper' })
    await person.http.mutation(api.testChat.send, { agentId, text: 'operator' })
    await app.settle()
    const held = await person.http.mutation(api.testChat.send, { agentId, text: 'Anybody?' })
    await app.settle()
    expect(await person.http.query(api.testChat.explainMessage, { messageId: held.messageId })).toMatchObject({
      turns: [],
      held: { reason: 'customer_request', by: null },
      standing: { kind: 'paused', reason: 'customer_request' },
    })
    await person.http.mutation(api.testChat.clear, { agentId })
    model = async (request) => {
      await person.http.mutation(api.testChat.stop, { agentId })
      return echo(request)
    }
    const { messageId } = await person.http.mutation(api.testChat.send, { agentId, text: 'Hello' })
    await app.settle()
    model = echo
    expect(await person.http.query(api.testChat.explainMessage, { messageId })).toMatchObject({
      turns: [{ outcome: 'stopped', hasRecord: false }],
      standing: null,
    })
  })

  it('is visible to the tester only, and not shown in the inbox', async () => {
    const turnId = await ask('Hello')
    const codes = await Promise.all(
      [
        (await app.signUp()).http.query(api.testChat.why, { turnId }),
        person.http.query(api.conversations.why, { turnId }),
        person.http.query(api.testChat.why, { turnId: newId('turns') }),
      ].map((call) => call.catch((error: unknown) => appErrorData(error)?.code)),
    )
    expect(codes).toEqual(['not_found', 'not_found', 'not_found'])
  })
})
