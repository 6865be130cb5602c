// Twenty-seven mixed files under two hard kills. The full thousand: `npm run chaos:files`.
import { expect, it } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { doublesOf, runFileKills } from './files.ts'
import { ServerProcess } from './servers.ts'

it('complains of a file that was taken in twice', () => {
  const ready = { name: 'a.txt', status: 'ready' } as const
  expect(doublesOf([ready, { ...ready, status: 'uploading' }])).toEqual([])
  expect(doublesOf([ready, { ...ready, status: 'error' }])).toEqual(['taken in 2 times: a.txt'])
})

it('notices a server that ends by itself', async () => {
  const server = await ServerProcess.create({ APP_SECRET: 'too short' })
  expect(server.hasEnded).toBe(false)
  await expect(server.start()).rejects.toThrow('did not start')
  expect(server.hasEnded).toBe(true)
  expect(server.lastWords).toContain('APP_SECRET')
})

it('no file stays in processing, is lost or is indexed twice when servers are killed', async () => {
  const fresh = await createMigratedDatabase()
  try {
    const { complaints, ...figures } = await runFileKills(27, 2, fresh.url)
    console.log(figures)
    expect(complaints).toEqual([])
    expect(figures).toMatchObject({ ready: 24, refused: 3 })
  } finally {
    await fresh.drop()
  }
}, 900_000)
