// The members as the settings of the team show them to each role.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { MemberDetails } from '#shared/organizations/members.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MembersSection } from './members-section.tsx'

const calls = vi.hoisted(() => vi.fn((_name: string, _args: unknown) => Promise.resolve(null)))
const me = vi.hoisted(() => ({ _id: 'anna', organizationRole: 'owner' as string }))
let members: MemberDetails[] = []

fakeConvex(() => ({
  useQuery: () => members,
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    calls(getFunctionName(reference), args),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => me,
  useOrganization: () => ({ _id: 'o1', name: 'Hotel' }),
}))

function member(id: string, role: MemberDetails['role'], more: Partial<MemberDetails> = {}): MemberDetails {
  const name = id[0]?.toUpperCase() + id.slice(1)
  const rest = { avatar: null, jobTitle: '', joinedAt: 0, lastActiveAt: null, hasTwoStep: false }
  return { _id: id as MemberDetails['_id'], name, email: `${id}@example.com`, role, ...rest, ...more }
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  calls.mockClear()
  Object.assign(me, { _id: 'anna', organizationRole: 'owner' })
  members = [
    member('anna', 'owner', { hasTwoStep: true, lastActiveAt: Date.now() }),
    member('boris', 'operator', { jobTitle: 'Front desk' }),
    member('clara', 'admin'),
  ]
})

const row = (name: string) => screen.getByText(name).closest('li') as HTMLElement
const role = (name: string) => screen.getByRole('combobox', { name: `Role of ${name}` })
async function choose(name: string, action: string) {
  await userEvent.click(screen.getByRole('button', { name: `More actions for ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: action }))
}

describe('the members', () => {
  it('are shown with what one knows about them', async () => {
    render(<MembersSection />)
    expect(row('Anna (you)')).toHaveTextContent('Two-step sign-in')
    expect(row('Anna (you)')).toHaveTextContent('Owner')
    expect(row('Boris')).toHaveTextContent('Front desk · boris@example.com')
    expect(row('Boris')).toHaveTextContent('Not signed in anywhere')
    expect(screen.queryByRole('searchbox')).not.toBeInTheDocument()
    await expectAccessible()
  })

  it('get another role by keyboard, each with what it may do', async () => {
    render(<MembersSection />)
    role('Boris').focus()
    await userEvent.keyboard('{Enter}')
    const analyst = await screen.findByRole('option', { name: /Analyst/ })
    expect(analyst).toHaveTextContent('Sees everything and changes nothing.')
    expect(screen.queryByRole('option', { name: /Owner/ })).not.toBeInTheDocument()
    await userEvent.click(analyst)
    expect(calls).toHaveBeenCalledWith('organizations/members:setRole', { userId: 'boris', role: 'analyst' })
  })

  it('are removed after a dialog that names what happens to their conversations', async () => {
    render(<MembersSection />)
    await choose('Boris', 'Remove from the organization')
    const dialog = await screen.findByRole('alertdialog', { name: 'Remove Boris?' })
    expect(dialog).toHaveTextContent('Conversations assigned to them go back to the queue')
    await expectAccessible()
    await userEvent.click(within(dialog).getByRole('button', { name: 'Remove' }))
    expect(calls).toHaveBeenCalledWith('organizations/members:remove', { userId: 'boris' })
  })

  it('take over the organization only once its name is typed', async () => {
    render(<MembersSection />)
    await choose('Clara', 'Hand over ownership')
    const dialog = await screen.findByRole('alertdialog')
    const confirm = within(dialog).getByRole('button', { name: 'Hand over' })
    await userEvent.type(within(dialog).getByRole('textbox'), 'Hote')
    expect(confirm).toBeDisabled()
    await userEvent.type(within(dialog).getByRole('textbox'), 'l')
    await userEvent.click(confirm)
    expect(calls).toHaveBeenCalledWith('organizations/members:handOver', { userId: 'clara' })
  })

  it('are changed by an administrator, except the owner and themselves', async () => {
    Object.assign(me, { _id: 'clara', organizationRole: 'admin' })
    render(<MembersSection />)
    expect(role('Boris')).toBeEnabled()
    expect(role('Clara')).toBeDisabled()
    expect(role('Clara')).toHaveAccessibleDescription('Another administrator can change your role.')
    expect(screen.queryByRole('combobox', { name: 'Role of Anna' })).not.toBeInTheDocument()
    expect(within(row('Anna')).queryByRole('button')).not.toBeInTheDocument()
    await choose('Clara', 'Leave the organization')
    const dialog = await screen.findByRole('alertdialog', { name: 'Leave “Hotel”?' })
    await userEvent.click(within(dialog).getByRole('button', { name: 'Leave' }))
    expect(calls).toHaveBeenCalledWith('organizations/members:leave', {})
  })

  it.each(['builder', 'operator', 'analyst'])('are only read by a person who is %s, who may leave', async (own) => {
    Object.assign(me, { _id: 'boris', organizationRole: own })
    render(<MembersSection />)
    expect(screen.queryByRole('combobox')).not.toBeInTheDocument()
    expect(screen.getByText(/The owner and administrators change roles/)).toBeVisible()
    expect(screen.getAllByRole('button')).toHaveLength(1)
    await userEvent.click(screen.getByRole('button', { name: 'More actions for Boris' }))
    expect(await screen.findAllByRole('menuitem')).toHaveLength(1)
  })

  it('are searched once there are more than ten', async () => {
    members = Array.from({ length: 11 }, (_, index) => member(`person${index}`, 'operator'))
    render(<MembersSection />)
    await userEvent.type(screen.getByRole('searchbox', { name: 'Find a member' }), 'person10@')
    expect(screen.getAllByRole('listitem')).toHaveLength(1)
    await userEvent.type(screen.getByRole('searchbox'), 'x')
    expect(screen.getByRole('status')).toHaveTextContent('No member matches this search.')
  })
})
