// Guesses at one account's password over changing addresses, spellings of the e-mail and two servers of one database: few reach the check.
// GUESSES says how many; `npm run test:deep` makes 5,000.
import { hash } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SIGN_IN_ATTEMPTS } from '#server/platform/auth/guesses.ts'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

const GUESSES = Number(process.env.GUESSES ?? 300)
const AT_ONCE = 20
const EMAIL = 'anna.petrova@example.test'

let database: TestDatabase
let servers: TestApp[]
let victimHash: string | undefined
let checks = 0
const passwords = {
  hash: async (password: string) => hash('sha256', password),
  verify: async (given: { hash: string; password: string }) => {
    if (given.hash === victimHash) checks++
    return given.hash === hash('sha256', given.password)
  },
}

beforeAll(async () => {
  database = await openTestDatabase()
  servers = [
    await startApp({ database, overrides: { passwords } }),
    await startApp({ database, overrides: { passwords } }),
  ]
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await database.close()
})

/** Of one account, as far as the server takes them for one; others must not be taken for it. */
const SPELLINGS = [
  EMAIL,
  EMAIL.toUpperCase(),
  'Anna.Petrova@Example.Test',
  ` ${EMAIL} `,
  `${EMAIL}\t`,
  'annapetrova@example.test',
  'anna.petrova+x@example.test',
  'anna․petrova@example.test',
  'аnna.petrova@example.test',
  'anna.petrova@example.test.',
  'anna.petrova@EXAMPLE。test',
]

it(`lets ${SIGN_IN_ATTEMPTS} of ${GUESSES} guesses reach the password`, {
  timeout: 30_000 + GUESSES * 20,
}, async () => {
  const [first] = servers
  await first?.auth('/sign-up/email', { body: { email: EMAIL, password: PASSWORD } })
  victimHash = hash('sha256', PASSWORD)
  checks = 0
  const statuses = new Map<number, number>()
  const guess = async (index: number) => {
    const server = servers[index % servers.length]
    const email = SPELLINGS[index % SPELLINGS.length]
    // Signing up with an address that is taken checks the password too.
    const path = index % 7 === 0 ? '/sign-up/email' : '/sign-in/email'
    const answer = await server?.auth(path, { body: { email, password: `wrong guess number ${index}` } })
    statuses.set(answer?.status ?? 0, (statuses.get(answer?.status ?? 0) ?? 0) + 1)
  }
  for (let start = 0; start < GUESSES; start += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, GUESSES - start) }, (_, index) => guess(start + index)))
  expect(checks).toBeGreaterThan(0)
  expect(checks).toBeLessThanOrEqual(SIGN_IN_ATTEMPTS)
  expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([])
  expect(statuses.get(429)).toBeGreaterThan(0)
})
