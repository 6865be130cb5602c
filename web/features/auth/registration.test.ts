// Sign-up step by step, and where it may break.
import { ConvexError } from 'convex/values'
import { describe, expect, it } from 'vitest'
import { type RegistrationSteps, register } from './registration.ts'

const ACCOUNT = { name: 'Ann', email: 'ann@example.com', password: 'long enough', confirmPassword: 'long enough' }
const ORGANIZATION = { organizationName: 'Hotel', organizationDisplayName: '', organizationSupportEmail: '' }

function scripted(failing: Partial<RegistrationSteps> = {}) {
  const log: unknown[] = []
  const steps: RegistrationSteps = {
    signUp: async (account) => void log.push(['signUp', account]),
    begin: async () => log.push('begin') > 0,
    wait: async (milliseconds) => void log.push(['wait', milliseconds]),
    createOrganization: async (input) => log.push(['createOrganization', input]),
    signOut: async () => void log.push('signOut'),
    ...failing,
  }
  return { steps, log }
}

const failWith = (message: string) => async () => {
  throw new Error(message)
}

describe('registration', () => {
  it('makes the account, waits a second, then makes the organization', async () => {
    const { steps, log } = scripted()
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toEqual({ ended: 'done' })
    expect(log).toEqual([
      ['signUp', { name: 'Ann', email: 'ann@example.com', password: 'long enough' }],
      'begin',
      ['wait', 1000],
      ['createOrganization', { name: 'Ann', ...ORGANIZATION, timeZone: expect.any(String) }],
    ])
  })

  it('ends at a refused account, with nothing to undo', async () => {
    const { steps, log } = scripted({ signUp: failWith('taken') })
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toMatchObject({ ended: 'account' })
    expect(log).toEqual([])
  })

  it('ends with a letter where the address has to be confirmed first', async () => {
    const { steps, log } = scripted({ signUp: async () => 'unconfirmed' })
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toEqual({ ended: 'unconfirmed' })
    expect(log).toEqual([])
  })

  it('signs out when the organization cannot be made', async () => {
    const { steps, log } = scripted({ createOrganization: failWith('no') })
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toMatchObject({ ended: 'organization' })
    expect(log.at(-1)).toBe('signOut')
  })

  it('says that the session is over when the server mentions sessionExpired', async () => {
    const mentioned = scripted({ createOrganization: failWith('Error: sessionExpired') })
    expect(await register(mentioned.steps, ACCOUNT, ORGANIZATION)).toMatchObject({ ended: 'session' })
  })

  it('says that the address may be taken when the server opens no session', async () => {
    const { steps, log } = scripted({ begin: async () => false })
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toEqual({ ended: 'taken' })
    expect(log.at(-1)).toBe('signOut')
  })

  it('lets in who has come with the password of an account that has an organization', async () => {
    const createOrganization = async () => Promise.reject(new ConvexError({ code: 'organization_exists' }))
    const { steps, log } = scripted({ createOrganization })
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toEqual({ ended: 'done' })
    expect(log).not.toContain('signOut')
  })

  it('tells the reason even when the sign-out fails as well', async () => {
    const { steps } = scripted({ createOrganization: failWith('no'), signOut: failWith('offline') })
    expect(await register(steps, ACCOUNT, ORGANIZATION)).toMatchObject({ ended: 'organization' })
  })
})
