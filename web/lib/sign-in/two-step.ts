// Two-step sign-in: setting it up, and the second step.
import { authRequest } from './auth.ts'

export type TwoStepStatus = { isOn: boolean; recoveryCodesLeft: number; hasPassword: boolean }
/** `totpURI`: what a QR code says; `key`: the same to type. */
export type TwoStepKey = { key: string; totpURI: string }
type Password = { password?: string | undefined }

/** Query key of the status, for code that invalidates it. */
export const TWO_STEP_KEY = ['two-step'] as const

/** Whether two-step sign-in is on, and how many recovery codes are left. */
export function fetchTwoStep(): Promise<TwoStepStatus> {
  return authRequest('GET', 'two-factor/status')
}

/** A key for the authenticator app. It counts once a code has confirmed it. */
export function enableTwoStep(password: string | undefined): Promise<TwoStepKey> {
  return authRequest('POST', 'two-factor/enable', { password } satisfies Password)
}

/** @returns the recovery codes, which the server never shows again */
export async function confirmTwoStep(code: string): Promise<string[]> {
  const { recoveryCodes } = await authRequest<{ recoveryCodes: string[] }>('POST', 'two-factor/confirm', { code })
  return recoveryCodes
}

/** From now on a password is enough. */
export async function disableTwoStep(password: string | undefined): Promise<void> {
  await authRequest('POST', 'two-factor/disable', { password } satisfies Password)
}

/** Other recovery codes in the place of all. */
export async function renewRecoveryCodes(password: string | undefined): Promise<string[]> {
  const body: Password = { password }
  const { recoveryCodes } = await authRequest<{ recoveryCodes: string[] }>('POST', 'two-factor/recovery-codes', body)
  return recoveryCodes
}

/** The second step of signing in. */
export async function verifySecondStep(
  challenge: string,
  given: { code: string } | { recoveryCode: string },
): Promise<void> {
  await authRequest('POST', 'two-factor/verify', { challenge, ...given })
}

/** For ten minutes this session may add and remove passkeys. */
export async function proveIdentity(password: string): Promise<void> {
  await authRequest('POST', 'prove', { password })
}
