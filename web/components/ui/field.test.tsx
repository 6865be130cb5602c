// What a field tells assistive technology.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it } from 'vitest'
import { startI18n } from '#web/lib/i18n.ts'
import { Field } from './field.tsx'
import { Input } from './input.tsx'
import { PasswordInput } from './password-input.tsx'
import { Select } from './select.tsx'

beforeAll(() => startI18n('en'))

describe('a field', () => {
  it('names its control and reads the hint with it', () => {
    render(
      <Field label="Name" hint="As in your passport" isRequired>
        <Input />
      </Field>,
    )
    const input = screen.getByLabelText('Name')
    expect(input).toHaveAccessibleDescription('As in your passport')
    expect(input).toBeRequired()
    expect(input).toBeValid()
  })

  it('ties the error to the control and marks it as wrong', () => {
    render(
      <Field label="E-mail" hint="Work address" error="Enter an address">
        <Input />
      </Field>,
    )
    const input = screen.getByLabelText('E-mail')
    expect(input).toBeInvalid()
    expect(input).toHaveAccessibleDescription('Work address Enter an address')
  })

  it('counts characters', () => {
    render(
      <Field label="Prompt" counter={{ used: 12, max: 10 }}>
        <Input />
      </Field>,
    )
    expect(screen.getByLabelText('Prompt')).toHaveAccessibleDescription('12 / 10')
  })

  it('names selects and passwords too', () => {
    render(
      <>
        <Field label="Model" error="Choose one">
          <Select value="" onValueChange={() => {}} options={[{ value: 'a', label: 'A' }]} />
        </Field>
        <Field label="Password">
          <PasswordInput />
        </Field>
      </>,
    )
    expect(screen.getByRole('combobox', { name: 'Model' })).toHaveAccessibleDescription('Choose one')
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
  })

  it('shows a password on request and hides it again', async () => {
    render(
      <Field label="Password">
        <PasswordInput />
      </Field>,
    )
    await userEvent.click(screen.getByRole('button', { name: 'Show password' }))
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'text')
    await userEvent.click(screen.getByRole('button', { name: 'Hide password' }))
    expect(screen.getByLabelText('Password')).toHaveAttribute('type', 'password')
  })
})
