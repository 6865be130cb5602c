// PostgreSQL's programs where they cannot run as installed, and the error messages where they cannot run at all.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { StartError } from '#server/platform/lib/start-error.ts'
import { copyBinaries } from './binaries.copy.ts'
import { prepareBinaries } from './binaries.ts'
import { installedPackage, libraryLinks } from './package.ts'

vi.setConfig({ testTimeout: 60_000 })

/** A package installed without install scripts: no links. */
let bare: string
let folder: string
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-binaries-'))
  bare = path.join(folder, 'package')
  fs.cpSync(installedPackage(), bare, { recursive: true, verbatimSymlinks: true })
  for (const { target } of libraryLinks(bare)) fs.rmSync(path.join(bare, target), { force: true })
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

it('are copied with their links, once, and again when a part of the copy is gone', () => {
  const place = fs.mkdtempSync(path.join(folder, 'place-'))
  const copy = copyBinaries(bare, place)
  const library = path.join(copy?.root ?? '', 'lib', 'postgresql', 'dict_snowball.so')
  const made = fs.statSync(library).ino
  expect(fs.readdirSync(path.join(copy?.root ?? '', 'lib'))).toContain('libpq.so.5')
  expect(copyBinaries(bare, place)).toEqual(copy)
  expect(fs.statSync(library).ino).toBe(made)
  fs.rmSync(library)
  expect(copyBinaries(bare, place)).toEqual(copy)
  expect(fs.existsSync(library)).toBe(true)
  expect(fs.readdirSync(place)).toHaveLength(1)
})

it('are not taken from a copy that others may change', () => {
  const place = fs.mkdtempSync(path.join(folder, 'open-'))
  const copy = copyBinaries(bare, place)
  fs.chmodSync(copy?.root ?? '', 0o777)
  expect(copyBinaries(bare, place)).toBeUndefined()
})

it('are not copied where there is no right or no room for it', () => {
  expect(copyBinaries(bare, path.join(folder, 'missing'))).toBeUndefined()
})

it('get the links to their libraries where install scripts did not run', () => {
  const { binaries } = prepareBinaries([{ kind: 'same' }], folder, bare)
  expect(binaries.root).toBe(path.join(bare, 'native'))
  expect(libraryLinks(bare).every(({ target }) => fs.existsSync(path.join(bare, target)))).toBe(true)
})

it('are not there for every platform', () => {
  expect(() => installedPackage('linux-riscv64')).toThrow(StartError)
  expect(() => installedPackage('linux-riscv64')).toThrow(/linux-riscv64.*Set DATABASE_URL/)
})

it('say that they need another C library, where a system has none that fits', () => {
  const foreign = path.join(folder, 'foreign')
  fs.mkdirSync(path.join(foreign, 'native', 'bin'), { recursive: true })
  fs.writeFileSync(path.join(foreign, 'native', 'bin', 'postgres'), '#!/lib/no-such-loader\n', { mode: 0o755 })
  const attempt = () => prepareBinaries([{ kind: 'same' }], folder, foreign)
  expect(attempt).toThrow(StartError)
  expect(attempt).toThrow(/GNU C library\): set DATABASE_URL/)
})
