// Screens offer what the policy allows, follow a changed role at once, and keep what was typed.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, it } from 'vitest'
import { may, ORGANIZATION_ROLES, PERMISSIONS } from '#shared/organizations/policy.ts'
import { asRole } from '#tests/fakes/signed-in.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { May, WritableBy } from './permissions.tsx'

beforeAll(() => startI18n('en'))

it.each(ORGANIZATION_ROLES)('shows a member who is %s exactly what the policy allows', (role) => {
  render(
    asRole(
      role,
      PERMISSIONS.map((need) => (
        <May key={need} need={need}>
          <p>{need}</p>
        </May>
      )),
    ),
  )
  const shown = PERMISSIONS.filter((need) => screen.queryByText(need))
  expect(shown).toEqual(PERMISSIONS.filter((need) => may(role, need)))
})

it('shows nothing to those without a role', () => {
  render(
    asRole(
      null,
      <May need="read">
        <p>Secret</p>
      </May>,
    ),
  )
  expect(screen.queryByText('Secret')).not.toBeInTheDocument()
})

it('keeps what was typed when the role changes, disables the field and says why', async () => {
  const form = (
    <WritableBy permission="agents.write">
      <Input aria-label="Name" />
    </WritableBy>
  )
  const { rerender } = render(asRole('builder', form))
  await userEvent.type(screen.getByRole('textbox'), 'Robo')
  expect(screen.queryByRole('status')).not.toBeInTheDocument()
  rerender(asRole('analyst', form))
  expect(screen.getByRole('textbox')).toBeDisabled()
  expect(screen.getByRole('textbox')).toHaveValue('Robo')
  expect(screen.getByRole('status')).toHaveTextContent('your role is analyst')
  rerender(asRole('builder', form))
  expect(screen.getByRole('textbox')).toBeEnabled()
  expect(screen.getByRole('textbox')).toHaveValue('Robo')
})
