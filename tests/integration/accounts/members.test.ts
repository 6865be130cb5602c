// Members, their invitations and roles, and one person in several organizations.
import { ConvexClient, ConvexHttpClient } from 'convex/browser'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import type { GrantedRole } from '#shared/organizations/policy.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'

let app: TestApp
let smtp: FakeSmtp
let owner: Person

beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startApp({ config: { mail: { smtpUrl: smtp.url, from: 'parley@example.test' } } })
  await app.signUp() // the platform admin
})
beforeEach(async () => {
  owner = await app.signUp({ name: 'Olga', organization: 'Чайная лавка' })
})
afterAll(async () => {
  await app.close()
  smtp.close()
})

const invites = api.organizations.invites
const members = api.organizations.members

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code ?? String(error),
  )
}

const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''
const invite = (email: string, role: GrantedRole = 'operator') => owner.http.mutation(invites.create, { email, role })

/** A person who has joined the owner's organization. */
async function join(role: GrantedRole = 'operator', name = 'Pavel'): Promise<Person> {
  const person = await app.signUp({ name, organization: null })
  const { link } = await invite(person.email, role)
  await person.http.mutation(invites.accept, { token: tokenOf(link) })
  return person
}

/** Moves what the clock of an invitation says. */
async function age(column: 'expires_at' | 'sent_at', ms: number): Promise<void> {
  const of = app.database.root.updateTable('invites').where('organization_id', '=', owner.organization._id)
  await of.set({ [column]: new Date(Date.now() - ms) }).execute()
}

describe('an invitation', () => {
  it('reaches its address by letter, shows what it is, and makes its owner a member with the role', async () => {
    const person = await app.signUp({ organization: null })
    const { link, isSent } = await invite(person.email.toUpperCase(), 'builder')
    expect(isSent).toBe(true)
    await app.settle()
    const letter = smtp.letters.find(({ to, text }) => to.includes(person.email) && text.includes('/invite'))
    expect(letter?.text).toContain(link)
    const anonymous = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    expect(await anonymous.query(invites.preview, { token: tokenOf(link) })).toMatchObject({
      ...{ organizationName: 'Чайная лавка', invitedBy: 'Olga', email: person.email, role: 'builder' },
      hasAccount: true,
    })
    const joined = await person.http.mutation(invites.accept, { token: tokenOf(link) })
    expect(joined).toEqual({ organizationId: owner.organization._id })
    const user = await person.http.query(api.users.current, {})
    expect(user).toMatchObject({ organizationId: owner.organization._id, organizationRole: 'builder' })
    expect(await owner.http.query(members.list, {})).toMatchObject([
      { email: owner.email, role: 'owner' },
      { email: person.email, role: 'builder' },
    ])
    expect(await person.http.mutation(invites.accept, { token: tokenOf(link) })).toEqual(joined) // safe to repeat
  })

  it('is refused in words when its link is forged, expired, revoked, used or for another address', async () => {
    const person = await app.signUp({ organization: null })
    const other = await app.signUp({ organization: null })
    const accept = (by: Person, link: string) => codeOf(by.http.mutation(invites.accept, { token: tokenOf(link) }))
    expect(await accept(person, 'https://a/?token=forged')).toBe('invite_not_found')
    const { _id, link } = await invite(person.email)
    expect(await accept(other, link)).toBe('invite_for_other_email')
    await age('expires_at', 1000)
    expect(await accept(person, link)).toBe('invite_expired')
    expect(await codeOf(owner.http.query(invites.preview, { token: tokenOf(link) }))).toBe('invite_expired')
    expect(await codeOf(owner.http.mutation(invites.revoke, { inviteId: _id }))).toBe('invite_expired')
    const second = await invite(person.email)
    await owner.http.mutation(invites.revoke, { inviteId: second._id })
    expect(await accept(person, second.link)).toBe('invite_revoked')
    expect(await codeOf(owner.http.mutation(invites.revoke, { inviteId: second._id }))).toBe('invite_revoked')
    const third = await invite(person.email)
    expect(await accept(person, third.link)).toBeUndefined()
    expect(await accept(other, third.link)).toBe('invite_used')
    expect(await codeOf(owner.http.mutation(invites.revoke, { inviteId: third._id }))).toBe('invite_used')
    const states = (await owner.http.query(invites.list, {})).map(({ state }) => state)
    expect(states).toEqual(['accepted', 'revoked', 'revoked'])
  })

  it('is one for an address, and none for a member', async () => {
    const person = await app.signUp({ organization: null })
    const codes = await Promise.all([1, 2, 3].map(() => codeOf(invite(person.email))))
    expect(codes.sort()).toEqual(['invite_pending', 'invite_pending', undefined])
    expect(await codeOf(invite(owner.email.toUpperCase()))).toBe('already_member')
    expect(await codeOf(invite('no address'))).toBe('invalid_arguments')
  })

  it('that is sent again has another link, and the one before is dead', async () => {
    const person = await app.signUp({ organization: null })
    const first = await invite(person.email)
    const resend = () => owner.http.mutation(invites.resend, { inviteId: first._id })
    expect(await codeOf(resend())).toBe('invite_just_sent')
    await age('sent_at', 6 * 60_000)
    const again = await resend()
    expect(again._id).toBe(first._id)
    const preview = (link: string) => codeOf(owner.http.query(invites.preview, { token: tokenOf(link) }))
    expect(await preview(first.link)).toBe('invite_not_found')
    expect(await preview(again.link)).toBeUndefined()
  })

  it('takes no more people than the plan has room for', async () => {
    await join()
    await app.database.root.updateTable('plans').set({ members: 3 }).where('slug', '=', 'parking').execute()
    const person = await app.signUp({ organization: null })
    const { link } = await invite(person.email)
    expect(await codeOf(invite('further@example.test'))).toBe('members_limit_reached')
    await app.database.root.updateTable('plans').set({ members: 2 }).where('slug', '=', 'parking').execute()
    const accept = () => codeOf(person.http.mutation(invites.accept, { token: tokenOf(link) }))
    expect(await accept()).toBe('members_limit_reached')
    await app.database.root.updateTable('plans').set({ members: 5 }).where('slug', '=', 'parking').execute()
    expect(await accept()).toBeUndefined()
  })

  it('is of its organization only', async () => {
    const { _id: inviteId } = await invite('guest@example.test')
    const stranger = await app.signUp()
    expect(await codeOf(stranger.http.mutation(invites.revoke, { inviteId }))).toBe('not_found')
    expect(await codeOf(stranger.http.mutation(invites.resend, { inviteId }))).toBe('not_found')
    expect(await stranger.http.query(invites.list, {})).toEqual([])
  })
})

describe('members', () => {
  it('cannot lose their owner, who hands the organization over first', async () => {
    const pavel = await join('admin')
    const userId = owner.user._id
    const role = 'operator'
    expect(await codeOf(pavel.http.mutation(members.setRole, { userId, role }))).toBe('last_owner')
    expect(await codeOf(pavel.http.mutation(members.remove, { userId }))).toBe('last_owner')
    expect(await codeOf(owner.http.mutation(members.setRole, { userId, role }))).toBe('last_owner')
    expect(await codeOf(owner.http.mutation(members.leave, {}))).toBe('last_owner')
    await owner.http.mutation(members.handOver, { userId: pavel.user._id })
    expect((await pavel.http.query(api.users.current, {})).organizationRole).toBe('owner')
    expect((await owner.http.query(api.users.current, {})).organizationRole).toBe('admin')
    await owner.http.mutation(members.leave, {})
    expect((await owner.http.query(api.users.current, {})).organizationId).toBeNull()
  })

  it('see a change of their role, and the end of their membership, in open live queries within a second', async () => {
    const pavel = await join('operator')
    const seen: unknown[] = []
    const live = pavel.live()
    live.onUpdate(api.users.current, {}, (user) => seen.push(user.organizationRole))
    const failures: unknown[] = []
    live.onUpdate(
      api.agents.list,
      {},
      () => {},
      (error) => failures.push(appErrorData(error)?.code),
    )
    await vi.waitFor(() => expect(seen).toEqual(['operator']), 5000)
    await owner.http.mutation(members.setRole, { userId: pavel.user._id, role: 'analyst' })
    await vi.waitFor(() => expect(seen.at(-1)).toBe('analyst'), 5000)
    await owner.http.mutation(members.remove, { userId: pavel.user._id })
    await vi.waitFor(() => expect(seen.at(-1)).toBeNull(), 5000)
    await vi.waitFor(() => expect(failures).toContain('organization_required'), 5000)
  })

  it('who leave, or may not answer any more, give back what they had in hand', async () => {
    const pavel = await join('operator')
    const { root } = app.database
    const organizationId = owner.organization._id
    const { _id: agentId } = await owner.http.mutation(api.agents.create, { name: 'Helper' })
    const add = async (id: string, given: object) => {
      const values = { id: `${id}-${organizationId}`.slice(0, 32), organization_id: organizationId, agent_id: agentId }
      const conversation = {
        ...values,
        channel: 'telegram',
        external_chat_id: id,
        assignee_id: pavel.user._id,
        ...given,
      }
      await root
        .insertInto('conversations')
        .values(conversation as never)
        .execute()
      return conversation.id
    }
    const taken = await add('taken', { status: 'paused', pause_reason: 'operator' })
    const running = await add('running', { status: 'active' })
    const ended = await add('ended', { status: 'ended' })
    const stateOf = async (id: string) =>
      root
        .selectFrom('conversations')
        .where('id', '=', id as never)
        .select(['assignee_id', 'needs_person', 'queued_at'])
        .executeTakeFirstOrThrow()
    await owner.http.mutation(members.setRole, { userId: pavel.user._id, role: 'builder' })
    expect(await stateOf(taken)).toMatchObject({ assignee_id: null, needs_person: true, queued_at: expect.any(Date) })
    expect(await stateOf(running)).toMatchObject({ assignee_id: null, needs_person: false, queued_at: null })
    expect(await stateOf(ended)).toMatchObject({ assignee_id: pavel.user._id })
    const assign = (assigneeId: typeof pavel.user._id) =>
      codeOf(owner.http.mutation(api.conversations.bulk.assign, { conversationIds: [running as never], assigneeId }))
    expect(await assign(pavel.user._id)).toBe('cannot_answer')
    expect(await assign(owner.user._id)).toBeUndefined()
  })

  it('of another organization cannot be changed', async () => {
    const stranger = await app.signUp()
    const userId = stranger.user._id
    expect(await codeOf(owner.http.mutation(members.setRole, { userId, role: 'admin' }))).toBe('not_found')
    expect(await codeOf(owner.http.mutation(members.remove, { userId }))).toBe('not_found')
    expect(await codeOf(owner.http.mutation(members.handOver, { userId }))).toBe('not_found')
  })

  it('who delete their account leave every organization of others', async () => {
    const pavel = await join('operator')
    const answer = await app.auth('/delete-user', {
      token: pavel.sessionToken,
      body: { password: 'correct horse battery staple' },
    })
    expect(answer.status).toBe(200)
    expect(await owner.http.query(members.list, {})).toHaveLength(1)
  })
})

describe('a person in two organizations', () => {
  it('lists both, switches, and every live query of the session follows', async () => {
    const pavel = await app.signUp({ name: 'Pavel', organization: 'Pavel’s shop' })
    const own = pavel.organization._id
    const { link } = await invite(pavel.email)
    await owner.http.mutation(api.agents.create, { name: 'Of the tea shop' })
    const names: string[][] = []
    pavel.live().onUpdate(api.agents.list, {}, (agents) => names.push(agents.map(({ name }) => name)))
    await vi.waitFor(() => expect(names).toEqual([[]]), 5000)
    await pavel.http.mutation(invites.accept, { token: tokenOf(link) })
    await vi.waitFor(() => expect(names.at(-1)).toEqual(['Of the tea shop']), 5000)
    expect(await pavel.http.query(api.organizations.listMine, {})).toEqual([
      expect.objectContaining({ name: 'Pavel’s shop', role: 'owner', isCurrent: false }),
      expect.objectContaining({ name: 'Чайная лавка', role: 'operator', isCurrent: true }),
    ])
    await pavel.http.mutation(api.organizations.switch, { organizationId: own })
    await vi.waitFor(() => expect(names.at(-1)).toEqual([]), 5000)
    const stranger = await app.signUp()
    const organizationId = stranger.organization._id
    expect(await codeOf(pavel.http.mutation(api.organizations.switch, { organizationId }))).toBe('not_found')
  })

  it('works in both at once with a token for each, and in neither with one for a third', async () => {
    const pavel = await app.signUp({ name: 'Pavel', organization: 'Pavel’s shop' })
    const { link } = await invite(pavel.email)
    await pavel.http.mutation(invites.accept, { token: tokenOf(link) })
    await owner.http.mutation(api.agents.create, { name: 'Of the tea shop' })
    const tokenFor = async (organizationId: string) => {
      const answer = await app.auth(`/token?organizationId=${organizationId}`, { token: pavel.sessionToken })
      return { status: answer.status, ...((await answer.json()) as { token: string; organizationId: string }) }
    }
    const tea = await tokenFor('current')
    expect(tea.organizationId).toBe(owner.organization._id)
    const own = await tokenFor(pavel.organization._id)
    expect((await tokenFor((await app.signUp()).organization._id)).status).toBe(403)
    const agentsSeenWith = async (token: string) => {
      const client = new ConvexHttpClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
      client.setAuth(token)
      return (await client.query(api.agents.list, {})).map(({ name }) => name)
    }
    expect(await agentsSeenWith(tea.token)).toEqual(['Of the tea shop'])
    expect(await agentsSeenWith(own.token)).toEqual([])
    const pinned = new ConvexClient(app.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    pinned.setAuth(async () => tea.token)
    const names: string[][] = []
    pinned.onUpdate(api.agents.list, {}, (agents) => names.push(agents.map(({ name }) => name)))
    await vi.waitFor(() => expect(names).toEqual([['Of the tea shop']]), 5000)
    await pavel.http.mutation(api.organizations.switch, { organizationId: pavel.organization._id })
    await owner.http.mutation(api.agents.create, { name: 'Second' })
    await vi.waitFor(() => expect(names.at(-1)).toEqual(['Of the tea shop', 'Second']), 5000)
    expect(names).not.toContainEqual([])
    await pinned.close()
    await owner.http.mutation(members.remove, { userId: pavel.user._id })
    await expect(agentsSeenWith(tea.token)).rejects.toThrow('belongs to no organization')
  })
})
