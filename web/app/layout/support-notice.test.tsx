// What stands above every page while an administrator of the installation acts on behalf of the organization.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, expect, it, vi } from 'vitest'
import type { SupportAccess } from '#shared/organizations/support.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { SupportNotice } from './support-notice.tsx'

const ACCESS: SupportAccess = {
  ...{ _id: 'a1' as SupportAccess['_id'], name: 'Anna', reason: 'The bot is silent', mayWrite: false, isOwn: false },
  ...{ beganAt: 0, endsAt: Date.UTC(2026, 1, 2, 10), endedAt: null },
}
const user = vi.hoisted(() => ({ organization: { name: 'Tea shop' }, supportAccesses: [] as unknown[] }))
const end = vi.fn((_name: string, _args: unknown) => Promise.resolve(null))
fakeConvex(() => ({
  useMutation: (mutation: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    end(getFunctionName(mutation), args),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useCurrentUser: () => user }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('support')
})

it('says to members who it is, what they may do, until when and why', async () => {
  user.supportAccesses = [{ ...ACCESS, mayWrite: true }, ACCESS]
  render(<SupportNotice />)
  const notice = screen.getByRole('region', { name: 'Access of an administrator of the installation' })
  expect(notice).toHaveTextContent(/^Anna, an administrator.*may make changes until 2 Feb 2026, .*The bot is silent/)
  expect(notice).toHaveTextContent('One more administrator is here, too.')
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
  await expectAccessible()
})

it('says to the administrator where they are, and ends it, in Russian too', async () => {
  await setLanguage('ru')
  await loadTexts('support')
  user.supportAccesses = [ACCESS, { ...ACCESS, _id: 'a2', isOwn: true }]
  render(<SupportNotice />)
  expect(screen.getByRole('region')).toHaveTextContent(
    /Вы действуете от имени организации «Tea shop»:.*только просмотр/,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Завершить' }))
  expect(end).toHaveBeenCalledExactlyOnceWith('admin/support:end', { accessId: 'a2' })
})
