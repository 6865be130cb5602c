// Learning from conversations: operators' answers become proposals, a proposal becomes a note or is rejected, and all of it can be undone.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { proposeNotes } from '#server/domain/knowledge/review/proposals.job.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { organizationGroup } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { Id } from '#shared/ids.ts'
import type { Proposal } from '#shared/knowledge/proposals.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { scriptedLlm } from '#tests/pipeline-world.ts'

type Line = ['customer' | 'agent' | 'operator', string]
const HOUR_MS = 3_600_000

let app: TestApp
let person: Person
let agentId: Id<'agents'>
let knowledgeSpaceId: Id<'knowledgeSpaces'>
/** What the model proposes, and each request that it received. */
let proposed: string
let requests: GenerateRequest[]
/** The model fails on conversations that contain this. */
let failsAt: string | null

beforeAll(async () => {
  const llm = scriptedLlm((request) => {
    requests.push(request)
    if (failsAt && request.data?.[0]?.text.includes(failsAt)) throw new Error('the key was revoked')
    return proposed
  })
  app = await startApp({ overrides: { llm } })
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
  knowledgeSpaceId = await addSpace()
  await person.http.mutation(api.knowledge.proposals.setLearning, { knowledgeSpaceId, isOn: true })
})
afterAll(() => app.close())
beforeEach(() => {
  requests = []
  proposed = 'NOTHING'
  failsAt = null
})

const propose = () => proposeNotes(app.services, new AbortController().signal)
const list = (spaceId = knowledgeSpaceId): Promise<Proposal[]> =>
  person.http.query(api.knowledge.proposals.list, { knowledgeSpaceId: spaceId })
const notes = async () => {
  const paginationOpts = { numItems: 50, cursor: null }
  const { page } = await person.http.query(api.knowledge.fragments.list, { knowledgeSpaceId, paginationOpts })
  return page.map(({ name, content }) => [name, content])
}
const find = async (query: string) =>
  (await person.http.action(api.knowledge.search.explain, { knowledgeSpaceId, query })).results.map(
    ({ content }) => content,
  )

async function addSpace(): Promise<Id<'knowledgeSpaces'>> {
  const { _id } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId: _id, agentId })
  return _id
}

/** A conversation that has been at rest for some time. */
async function talk(lines: Line[], agoMs = HOUR_MS, by = agentId): Promise<Id<'conversations'>> {
  const organization_id = person.organization._id
  const conversation_id = newId('conversations')
  const created_at = new Date(Date.now() - agoMs)
  await app.database.organization(organization_id, async (db) => {
    await db
      .insertInto('conversations')
      .values({
        id: conversation_id,
        organization_id,
        agent_id: by,
        channel: 'telegram',
        connection_id: null,
        customer_id: null,
        test_user_id: null,
        external_chat_id: null,
        status: 'paused',
        resume_at: null,
        last_message_author: 'operator',
        last_message_text: null,
        last_message_at: created_at,
      })
      .execute()
    const nothing = { model: null, input_tokens: null, output_tokens: null, cost_micro_usd: null, price_version: null }
    const none = { ...nothing, latency_ms: null, first_token_ms: null, reason: null, turn_id: null, sources: '[]' }
    const rows = lines.map(([author, text]) => ({
      ...none,
      id: newId('messages'),
      organization_id,
      conversation_id,
      author,
      text,
      user_id: author === 'operator' ? person.user._id : null,
      status: 'complete' as const,
      created_at,
    }))
    await db.insertInto('messages').values(rows).execute()
  })
  return conversation_id
}

/** One reply of an operator, of which the model makes this. */
async function learn(question: string, answer: string, agoMs?: number): Promise<Id<'conversations'>> {
  const conversationId = await talk(
    [
      ['customer', question],
      ['operator', answer],
    ],
    agoMs,
  )
  proposed = `Q: ${question}\nA: ${answer}`
  await propose()
  return conversationId
}

async function onlyProposal(): Promise<Proposal> {
  const [proposal, ...others] = await list()
  if (!proposal || others.length > 0) throw new Error('one proposal was expected')
  return proposal
}

describe('a reply of a person', () => {
  it('becomes a proposal, without details of the customer, and is charged', async () => {
    const conversationId = await talk([
      ['customer', 'Hi, order 48213, my mail is anna@example.com. Do you engrave rings?'],
      ['agent', 'I do not know.'],
      ['operator', 'Yes, engraving costs 20 dollars.'],
      ['operator', 'I will call you at +44 20 7946 0018.'],
      ['customer', 'Thanks!'],
    ])
    proposed = 'Q: Do you engrave rings?\nA: Yes, engraving costs 20 dollars. Write to anna@example.com.'
    await propose()
    expect(await list()).toMatchObject([
      {
        conversationId,
        question: 'Do you engrave rings?',
        answer: 'Yes, engraving costs 20 dollars. Write to ….',
        alike: null,
        conversations: 1,
      },
    ])
    expect(requests[0]?.data?.[0]?.text.split('\n')).toEqual([
      'Customer: Hi, order …, my mail is …. Do you engrave rings?',
      'Agent: I do not know.',
      'Colleague: Yes, engraving costs 20 dollars.',
      'Colleague: I will call you at ….',
    ])
    const spent = await app.database.organization(person.organization._id, (db) =>
      db
        .selectFrom('usage_events')
        .where('category', '=', 'helper_generation')
        .select(['messages', 'agent_id'])
        .execute(),
    )
    expect(spent).toEqual([{ messages: 0, agent_id: agentId }])
    expect(await person.http.query(api.knowledge.proposals.waiting, {})).toMatchObject([
      { knowledgeSpaceId, waiting: 1 },
    ])
  })

  it('is learnt from once, and not while the operator may still be writing', async () => {
    await talk(
      [
        ['customer', 'Are you open on Sunday?'],
        ['operator', 'Yes, until six.'],
      ],
      60_000,
    )
    await propose()
    expect(requests).toEqual([])
  })

  it('is not learnt from when the space has switched it off', async () => {
    await person.http.mutation(api.knowledge.proposals.setLearning, { knowledgeSpaceId, isOn: false })
    await talk([
      ['customer', 'Do you gift wrap?'],
      ['operator', 'Yes, with pleasure.'],
    ])
    await propose()
    expect(requests).toEqual([])
    await person.http.mutation(api.knowledge.proposals.setLearning, { knowledgeSpaceId, isOn: true })
    await app.settle()
    expect(requests).toHaveLength(1)
  })

  it('costs nothing when the monthly ceiling is reached', async () => {
    const id = person.organization._id
    const limit = (monthly_spend_limit_micro_usd: number | null) =>
      app.database.system('test: a ceiling', (db) =>
        db.updateTable('organizations').set({ monthly_spend_limit_micro_usd }).where('id', '=', id).execute(),
      )
    await limit(1)
    await learn('Do you sell vouchers?', 'Yes, for any sum.')
    expect(requests).toEqual([])
    await limit(null)
    proposed = 'NOTHING'
    await propose()
    expect(requests).toHaveLength(1)
  })
})

describe('a proposal', () => {
  it('that equals a pending one is counted with it', async () => {
    await learn('Do you engrave rings?', 'Yes, engraving costs 20 dollars.')
    expect(await onlyProposal()).toMatchObject({ conversations: 2 })
  })

  it('becomes a note in the wording of the approver, and is pending again when that is undone', async () => {
    const { _id: proposalId } = await onlyProposal()
    const approved = { proposalId, question: 'Engraving of rings', answer: 'It costs 20 dollars.', replaces: false }
    await person.http.mutation(api.knowledge.proposals.approve, approved)
    expect(await list()).toEqual([])
    expect(await find('engraving of rings')).toEqual(['It costs 20 dollars.'])
    await expect(person.http.mutation(api.knowledge.proposals.approve, approved)).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
    await person.http.mutation(api.knowledge.proposals.reopen, { proposalId })
    expect(await notes()).toEqual([])
    expect(await onlyProposal()).toMatchObject({ _id: proposalId })
  })

  it('that was rejected is not proposed again, unless that is undone', async () => {
    const { _id: proposalId } = await onlyProposal()
    await person.http.mutation(api.knowledge.proposals.reject, { proposalId })
    await learn('Do you engrave rings?', 'Yes, engraving costs 20 dollars.')
    expect(await list()).toEqual([])
    await person.http.mutation(api.knowledge.proposals.reopen, { proposalId })
    expect(await onlyProposal()).toMatchObject({ _id: proposalId, conversations: 3 })
    await person.http.mutation(api.knowledge.proposals.reject, { proposalId })
  })

  it('is not made if a note already contains it', async () => {
    const note = { name: 'Parking', content: 'Parking is free for two hours.' }
    await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, ...note })
    await learn('Is parking free?', 'Parking is free for two hours.')
    expect(await list()).toEqual([])
  })

  it('names the note that it contradicts, replaces it, and restores it', async () => {
    await learn('Is parking free?', 'Parking is free for 3 hours.')
    const { _id: proposalId, alike, question, answer } = await onlyProposal()
    expect(alike).toMatchObject({ kind: 'fragment', name: 'Parking', content: 'Parking is free for two hours.' })
    const approved = { proposalId, question, answer, replaces: true }
    await person.http.mutation(api.knowledge.proposals.approve, approved)
    expect(await notes()).toEqual([['Is parking free?', 'Parking is free for 3 hours.']])
    await person.http.mutation(api.knowledge.proposals.reopen, { proposalId })
    expect(await notes()).toEqual([['Parking', 'Parking is free for two hours.']])
    await person.http.mutation(api.knowledge.proposals.reject, { proposalId })
  })

  it('hides the document passage that it replaces, and shows it again when undone', async () => {
    const headers = { authorization: `Bearer ${person.sessionToken}` }
    const query = new URLSearchParams({ knowledgeSpaceId, name: 'hours.txt' })
    const body = 'The museum closes at 18 on weekdays.'
    await fetch(`${app.url}/api/files/documents?${query}`, { method: 'POST', headers, body })
    await app.settle()
    await learn('When does the museum close on weekdays?', 'The museum closes at 20 on weekdays.')
    const { _id: proposalId, alike, question, answer } = await onlyProposal()
    expect(alike).toMatchObject({ kind: 'document', name: 'hours.txt' })
    await person.http.mutation(api.knowledge.proposals.approve, { proposalId, question, answer, replaces: true })
    expect(await find('museum weekdays')).toEqual(['The museum closes at 20 on weekdays.'])
    await person.http.mutation(api.knowledge.proposals.reopen, { proposalId })
    expect(await find('museum weekdays')).toEqual(['The museum closes at 18 on weekdays.'])
  })
})

describe('the review of a space', () => {
  it('is live in all of its parts', async () => {
    const live = person.live()
    const { proposals, review } = api.knowledge
    expect(await live.query(proposals.learning, { knowledgeSpaceId })).toEqual({ isOn: true, hasAuthor: true })
    expect(await live.query(proposals.list, { knowledgeSpaceId })).toHaveLength(1)
    expect(await live.query(proposals.waiting, {})).toHaveLength(1)
    expect(await live.query(review.pairs, { knowledgeSpaceId })).toEqual([])
    expect(await live.query(review.unfounded, { knowledgeSpaceId })).toEqual({ count: 0, isMore: false, newest: [] })
  })

  it('counts unsupported answers up to a hundred, and lists the newest', async () => {
    const conversationId = newId('conversations')
    const organizationId = person.organization._id
    await sql`insert into conversations (id, organization_id, agent_id, channel)
      values (${conversationId}, ${organizationId}, ${agentId}, 'telegram')`.execute(app.database.root)
    await sql`insert into messages (id, organization_id, conversation_id, author, status, text, unfounded, created_at)
      select 'unfounded' || n, ${organizationId}, ${conversationId}, 'agent', 'complete', 'It costs 5.',
        jsonb_build_array('It costs ' || n || '.'), now() + n * interval '1 second'
      from generate_series(1, 101) as n`.execute(app.database.root)
    const { count, isMore, newest } = await person.http.query(api.knowledge.review.unfounded, { knowledgeSpaceId })
    expect([count, isMore, newest.length]).toEqual([100, true, 20])
    expect(newest[0]?.sentences).toEqual(['It costs 101.'])
  })

  it('reports when no agent of the space could write', async () => {
    const { _id } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Alone' })
    const learning = await person.live().query(api.knowledge.proposals.learning, { knowledgeSpaceId: _id })
    expect(learning).toEqual({ isOn: false, hasAuthor: false })
  })
})

describe('an agent whose replies cannot be learnt from', () => {
  let spaceId: Id<'knowledgeSpaces'>
  let unable: Id<'agents'>

  beforeEach(async () => {
    spaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Shared' }))._id
    const agents = []
    for (const name of ['Unable', 'Able']) {
      const { _id } = await person.http.mutation(api.agents.create, { name })
      await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId: spaceId, agentId: _id })
      agents.push(_id)
    }
    await person.http.mutation(api.knowledge.proposals.setLearning, { knowledgeSpaceId: spaceId, isOn: true })
    await app.settle()
    const [first, second] = agents
    if (!first || !second) throw new Error('two agents were expected')
    unable = first
    for (let number = 0; number < 6; number++) await reply(`Unable ${number}?`, first, 2 * HOUR_MS)
    await reply('Do you repair watches?', second, HOUR_MS)
    proposed = 'Q: Do you repair watches?\nA: Yes, within a week.'
  })

  const reply = (question: string, by: Id<'agents'>, agoMs: number) =>
    talk(
      [
        ['customer', question],
        ['operator', 'Yes, within a week.'],
      ],
      agoMs,
      by,
    )
  const asked = () => requests.map((request) => request.data?.[0]?.text.split('\n')[0])

  it('does not block others of its space when its model fails, which is reported in the end', async () => {
    failsAt = 'Unable'
    await expect(propose()).rejects.toThrow('the key was revoked')
    expect(asked()).toEqual(['Customer: Unable 0?', 'Customer: Do you repair watches?'])
    expect(await list(spaceId)).toMatchObject([{ question: 'Do you repair watches?' }])
    failsAt = null
    proposed = 'NOTHING'
    await propose()
    expect(requests).toHaveLength(2 + 6)
  })

  it('does not block others of its space when its monthly allowance is used up', async () => {
    await app.database.organization(person.organization._id, async (db) => {
      await sql`update agent_versions set settings = jsonb_set(settings, '{spending}', '{"monthlyLimitUsd": 0}')
        where agent_id = ${unable}`.execute(db)
    })
    await propose()
    expect(asked()).toEqual(['Customer: Do you repair watches?'])
    expect(await list(spaceId)).toMatchObject([{ question: 'Do you repair watches?' }])
  })
})

it('lookups of proposals count, like those of the tester, towards the organization’s concurrent searches', async () => {
  const gate = vi.spyOn(app.services.searches, 'run')
  proposed = 'Q: How long is the guarantee?\nA: The guarantee is three years.'
  await talk([
    ['customer', 'How long is the guarantee?'],
    ['operator', 'The guarantee is three years.'],
  ])
  await propose()
  const group = organizationGroup(person.organization._id)
  expect(gate.mock.calls.map(([party]) => party.group)).toEqual([group])
  await person.http.query(api.knowledge.search.run, { knowledgeSpaceId, query: 'guarantee' })
  expect(gate.mock.calls.map(([party]) => party.group)).toEqual([group, group])
  const counted = vi.spyOn(app.services.searches, 'occupy')
  await person.live().query(api.knowledge.search.run, { knowledgeSpaceId, query: 'guarantee' })
  expect(counted).toHaveBeenCalledOnce()
  for (const spy of [gate, counted]) spy.mockRestore()
})
