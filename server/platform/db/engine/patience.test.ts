// A database that is away is waited for, and what is no fault of it is not repeated.
import { expect, test } from 'vitest'
import { waitForDatabase } from './patience.ts'

const coded = (code: string) => Object.assign(new Error(code), { code })

test.each(['ECONNREFUSED', '57P03', '53300', '25006'])('%s is waited for', async (code) => {
  let runs = 0
  const run = async () => {
    if (++runs < 3) throw coded(code)
    return runs
  }
  expect(await waitForDatabase(run)).toBe(3)
})

test('it is given up when it stays away', async () => {
  let runs = 0
  const run = async () => {
    runs++
    throw coded('ECONNREFUSED')
  }
  await expect(waitForDatabase(run, 300)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(runs).toBeGreaterThan(1)
})

test.each(['23505', '28P01', '57014'])('%s is not waited for', async (code) => {
  let runs = 0
  const run = async () => {
    runs++
    throw coded(code)
  }
  await expect(waitForDatabase(run)).rejects.toMatchObject({ code })
  expect(runs).toBe(1)
})
