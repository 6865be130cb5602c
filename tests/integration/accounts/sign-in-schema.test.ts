// Our tables hold everything that the sign-in library wants to store.
import { getAuthTables } from 'better-auth/db'
import { expect, it } from 'vitest'
import { signInOptions } from '#server/platform/auth/auth.ts'
import { createProofs } from '#server/platform/auth/factors/proof.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { createSecrets } from '#server/platform/lib/secrets.aes.ts'
import { openTestDatabase } from '#tests/database.ts'

it('the library has no table or column to add', async () => {
  const { database, close } = await openTestDatabase()
  const log = createLogger('silent')
  const mail = { smtpUrl: undefined, from: 'parley@example.test' }
  const publicUrl = 'http://localhost:3000'
  const options = signInOptions({
    productName: () => 'Parley',
    config: {
      publicUrl,
      allowedOrigins: [],
      adminEmails: [],
      signUp: { rule: 'open', domains: [] },
      mail,
      googleSignIn: undefined,
    },
    origins: { publicUrl, allowedOrigins: [], acceptsRequestHost: false },
    database,
    secrets: createSecrets('a secret of at least thirty-two characters'),
    ring: { current: 'a secret of at least thirty-two characters', previous: [] },
    sendLetter: async () => undefined,
    leaveOrganizations: async () => undefined,
    isSignUpAllowed: async () => true,
    hasOpenInvite: async () => false,
    removeOrganization: async () => true,
    findWorkplace: async () => null,
    proofs: createProofs(database, undefined),
    log,
  })
  const columns = new Map(
    (await database.root.introspection.getTables()).map((table) => [table.name, table.columns.map(({ name }) => name)]),
  )
  const wanted = Object.values(getAuthTables(options)).flatMap(({ modelName, fields }) =>
    ['id', ...Object.entries(fields).map(([name, field]) => field.fieldName ?? name)].map((column) => [
      modelName,
      column,
    ]),
  )
  expect(wanted.length).toBeGreaterThan(30)
  expect(wanted.filter(([table = '', column = '']) => !columns.get(table)?.includes(column))).toEqual([])
  await close()
})
