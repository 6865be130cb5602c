// Every moment that has a name is one that the code comes to, in one place.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { FAILPOINTS } from './failpoints.ts'

const DOMAIN = path.resolve(import.meta.dirname, '../../domain')

it('each failpoint stands in the code once', () => {
  const names = fs.readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const sources = names.map((name) => fs.readFileSync(path.join(DOMAIN, name), 'utf8'))
  const placed = sources.flatMap((source) =>
    [...source.matchAll(/failpoint\('([a-z-]+)'\)/g)].map(([, label]) => label),
  )
  expect(placed.toSorted()).toEqual([...FAILPOINTS].toSorted())
})
