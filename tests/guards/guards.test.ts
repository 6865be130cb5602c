// Every guard can still be switched off: the text that stands for it is in its file, once, and so are the tests that must fail then.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { GUARDS } from './guards.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

it.each(GUARDS)('$name', ({ file, text, tests }) => {
  const parts = fs.readFileSync(path.join(ROOT, file), 'utf8').split(text)
  expect(parts, file).toHaveLength(2)
  for (const test of tests) expect(fs.existsSync(path.join(ROOT, test)), test).toBe(true)
})
