// What documents name exists: targets of links, paths and file names; and the documents that code names.
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')
const FILES = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && fs.existsSync(path.join(ROOT, file)))
const NAMES = new Set(FILES.map((file) => path.basename(file)))
const TOP = [...new Set(FILES.filter((file) => file.includes('/')).map((file) => file.split('/')[0] as string))]
  .filter((folder) => !folder.startsWith('.'))
  .join('|')

/** Placeholders in instructions: `x.store.ts` stands for any store. */
const PLACEHOLDER = /^x\./

const documents = FILES.filter((file) => file.endsWith('.md')).map((file) => [file, read(file)] as const)
const code = FILES.filter(
  (file) => /\.(ts|tsx|mjs|css|yml)$|^\.env\.example$|^Dockerfile$/.test(file) && file !== 'tests/docs.test.ts',
)

describe('documents', () => {
  it.each(documents)('%s: links lead somewhere', (file, text) => {
    expect(deadLinks(file, text)).toEqual([])
  })

  it.each(documents)('%s: paths and file names exist', (_, text) => {
    expect([...missingPaths(text), ...missingNames(text)]).toEqual([])
  })
})

it('documents that code names exist', () => {
  const missing = code.flatMap((file) =>
    [...read(file).matchAll(/(?<=^|[\s(`'"])docs\/[\w./-]+/gm)]
      .map(([named]) => exactPath(named))
      .filter((named) => !exists(named))
      .map((named) => `${file}: ${named}`),
  )
  expect(missing).toEqual([])
})

it('finds what does not exist', () => {
  const text =
    'See [a page](docs/none.md), [a place](ARCHITECTURE.md#no-such-heading), `server/none/` and `docs/none.md`; `not-there.rules.ts`'
  expect(deadLinks('README.md', text)).toEqual(['docs/none.md', 'ARCHITECTURE.md#no-such-heading'])
  expect(missingPaths(text)).toEqual(['docs/none.md', 'server/none', 'docs/none.md'])
  expect(missingNames(text)).toEqual(['not-there.rules.ts'])
  expect(missingNames('```\nmain.ts, not-in-blocks.ts   sends\n```\n')).toEqual(['not-in-blocks.ts'])
  expect(missingPaths('https://example.org/docs/none and `server/main.ts`, `web/features/<noun>/`')).toEqual([])
})

/** Targets of links and pictures within the repository that are not there, with headings that their page does not have. */
function deadLinks(file: string, text: string): string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [page = '', heading] = target.split('#')
      const place = page === '' ? file : path.join(path.dirname(file), page)
      if (!exists(place)) return true
      return heading !== undefined && !headingsOf(read(place)).includes(heading)
    })
}

/** Paths from the root of the repository that are not there. */
function missingPaths(text: string): string[] {
  const paths = new RegExp(`(?<![\\w/.@#-])(?:${TOP})/[\\w@./-]*`, 'g')
  return [...text.matchAll(paths)].map(([named]) => exactPath(named)).filter((named) => !exists(named))
}

/** Names of source files, in backticks or in a fenced block, that no file of the repository has. */
function missingNames(text: string): string[] {
  const blocks = [...text.matchAll(/^```[^\n]*\n(.*?)^```/gms)].map(([, block]) => block as string)
  const inBlocks = blocks.flatMap((block) => [...block.matchAll(/(?<![\w./-])([\w-][\w.-]*\.tsx?)(?![\w-])/g)])
  return [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs))`/g), ...inBlocks]
    .map(([, named]) => path.basename(named as string))
    .filter((name) => !PLACEHOLDER.test(name) && !NAMES.has(name))
}

/** Without what ends a sentence or a placeholder: `web/features/<noun>-page.tsx` is matched as far as `web/features/`. */
function exactPath(named: string): string {
  return named.replace(/[./-]+$/, '')
}

function headingsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

function exists(place: string): boolean {
  return fs.existsSync(path.join(ROOT, place))
}

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8')
}
