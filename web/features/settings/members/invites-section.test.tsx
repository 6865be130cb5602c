// Invitations in the settings of the team: made, refused at the field, sent again, revoked.
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '#shared/errors.ts'
import type { CreatedInvite, Invite } from '#shared/organizations/members.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { InvitesSection } from './invites-section.tsx'

const call = vi.hoisted(() => vi.fn<(name: string, args: { email?: string }) => Promise<unknown>>())
let invites: Invite[] = []
let members = [{ _id: 'anna' }, { _id: 'boris' }]

fakeConvex(() => ({
  useQuery: (reference: Parameters<typeof getFunctionName>[0]) =>
    getFunctionName(reference) === 'organizations/invites:list' ? invites : members,
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: object) =>
    call(getFunctionName(reference), args),
}))

function made(email: string, isSent: boolean): CreatedInvite {
  return { _id: email as CreatedInvite['_id'], link: `https://parley.example/invite?token=${email}`, isSent }
}

function invite(email: string, state: Invite['state']): Invite {
  const times = { createdAt: 0, expiresAt: 1, acceptedAt: state === 'accepted' ? 1 : null }
  return { _id: email as Invite['_id'], email, role: 'operator', state, invitedBy: 'Anna', ...times }
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  call.mockReset()
  call.mockImplementation(async (_name, { email = 'x' }) => made(email, false))
  invites = []
  members = [{ _id: 'anna' }, { _id: 'boris' }]
})

async function openDialog(): Promise<HTMLElement> {
  await userEvent.click(screen.getByRole('button', { name: 'Invite' }))
  return screen.findByRole('dialog', { name: 'Invite colleagues' })
}

describe('invitations', () => {
  it('are the next step of who works alone', async () => {
    members = [{ _id: 'anna' }]
    render(<InvitesSection />)
    expect(screen.getByRole('heading', { name: 'You are working alone so far' })).toBeVisible()
    const dialog = await openDialog()
    expect(within(dialog).getByText('Answers customers and edits contacts; sees everything else.')).toBeVisible()
    await expectAccessible()
  })

  it('end with links to hand on where no letters can be sent', async () => {
    render(<InvitesSection />)
    const dialog = await openDialog()
    await userEvent.type(within(dialog).getByRole('textbox'), 'Dan@example.com, eve@example.com')
    await userEvent.click(within(dialog).getByRole('radio', { name: /Builder/ }))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText('https://parley.example/invite?token=dan@example.com')).toBeVisible()
    expect(screen.getByText(/Copy the link and send it yourself/)).toBeVisible()
    expect(screen.getByRole('button', { name: 'Copy the link for eve@example.com' })).toBeVisible()
    expect(call.mock.calls).toEqual([
      ['organizations/invites:create', { email: 'dan@example.com', role: 'builder' }],
      ['organizations/invites:create', { email: 'eve@example.com', role: 'builder' }],
    ])
    await expectAccessible()
  })

  it('say that a letter is on its way', async () => {
    call.mockImplementation(async (_name, { email = '' }) => made(email, true))
    render(<InvitesSection />)
    const dialog = await openDialog()
    await userEvent.type(within(dialog).getByRole('textbox'), 'dan@example.com')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Invite' }))
    expect(await screen.findByText(/The letter is on its way/)).toBeVisible()
  })

  it.each([
    ['', 'Enter at least one address.'],
    ['dan@example.com nonsense', 'This is not an address: nonsense'],
    [Array.from({ length: 21 }, (_, at) => `p${at}@example.com`).join(' '), 'Enter at most 20 addresses at once.'],
  ])('are not made of “%s”', async (text, fault) => {
    render(<InvitesSection />)
    const dialog = await openDialog()
    const field = within(dialog).getByRole('textbox')
    if (text) await userEvent.click(field).then(() => userEvent.paste(text))
    await userEvent.click(within(dialog).getByRole('button', { name: 'Invite' }))
    expect(await within(dialog).findByText(fault)).toBeVisible()
    expect(field).toBeInvalid()
    expect(field).toHaveFocus()
    expect(call).not.toHaveBeenCalled()
  })

  it('keep in the field whom the server refuses, with the reason', async () => {
    call.mockImplementation(async (_name, { email = '' }) => {
      if (email.startsWith('dan')) throw new AppError('already_member', { email })
      return made(email, false)
    })
    render(<InvitesSection />)
    const dialog = await openDialog()
    await userEvent.type(within(dialog).getByRole('textbox'), 'dan@example.com eve@example.com')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Invite' }))
    expect(await within(dialog).findByText('dan@example.com already belongs to your organization.')).toBeVisible()
    expect(within(dialog).getByRole('textbox')).toHaveValue('dan@example.com')
    expect(within(dialog).getByText('https://parley.example/invite?token=eve@example.com')).toBeVisible()
  })

  it('are sent again or revoked while they are open, and folded away when they are over', async () => {
    invites = [invite('p@x.example', 'pending'), invite('e@x.example', 'expired'), invite('a@x.example', 'accepted')]
    render(<InvitesSection />)
    expect(screen.getByText('Earlier invitations (1)')).toBeVisible()
    expect(screen.queryByRole('button', { name: /a@x.example/ })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Revoke the invitation to e@x.example' })).not.toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: 'Send again: invitation to e@x.example' }))
    const renewed = await screen.findByRole('dialog', { name: 'New link for e@x.example' })
    expect(renewed).toHaveTextContent('The earlier link no longer works.')
    await userEvent.click(within(renewed).getByRole('button', { name: 'Done' }))
    await userEvent.click(screen.getByRole('button', { name: 'Revoke the invitation to p@x.example' }))
    const dialog = await screen.findByRole('alertdialog')
    await userEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(call.mock.calls.map(([name]) => name)).toEqual([
      'organizations/invites:resend',
      'organizations/invites:revoke',
    ])
  })
})
