// Passkeys of the account, and signing in by one. The library of the browser's side is loaded when first needed.
import { isServerElsewhere } from '#web/lib/server/server-address.ts'
import { authRequest } from './auth.ts'

export type Passkey = { id: string; name: string | null; createdAt: string }
type Library = typeof import('@simplewebauthn/browser')
type Creation = Parameters<Library['startRegistration']>[0]['optionsJSON']
type Request = Parameters<Library['startAuthentication']>[0]['optionsJSON']

/** Query key of the list, for code that invalidates it. */
export const PASSKEYS_KEY = ['passkeys'] as const

/** Whether this page can use passkeys: they belong to the server's own host name, and need a browser that has them. */
export function hasPasskeys(): boolean {
  return !isServerElsewhere && typeof window.PublicKeyCredential === 'function'
}

/** The passkeys of the account. */
export function listPasskeys(): Promise<Passkey[]> {
  return authRequest('GET', 'passkey/list-user-passkeys')
}

/** Makes a passkey on this device and adds it. Rejects when the person breaks it off. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await authRequest<Creation>('GET', 'passkey/generate-register-options')
  const response = await startRegistration({ optionsJSON })
  await authRequest('POST', 'passkey/verify-registration', { response, name })
}

/** Gives a passkey another name. */
export async function renamePasskey(id: string, name: string): Promise<void> {
  await authRequest('POST', 'passkey/update-passkey', { id, name })
}

/** No device signs in by it any more. */
export async function removePasskey(id: string): Promise<void> {
  await authRequest('POST', 'passkey/delete-passkey', { id })
}

/** Signs in by a passkey of this device, or of one nearby. */
export async function signInWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await authRequest<Request>('GET', 'passkey/generate-authenticate-options')
  const response = await startAuthentication({ optionsJSON })
  await authRequest('POST', 'passkey/verify-authentication', { response })
}

/** Whether the person, or their device, broke off the use of a passkey. */
export function isBrokenOff(error: unknown): boolean {
  return error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}
