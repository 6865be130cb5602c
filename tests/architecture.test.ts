// The import law, the ceilings of files and folders, and the ban on cycles, read off the files themselves.
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '..')

/** Folder → the folders it may import from, types too. Its own folder is always allowed. */
const MAY_IMPORT: Record<string, string[]> = {
  shared: [],
  'server/config.ts': ['server/platform/lib', 'shared'],
  'server/platform/lib': ['shared'],
  'server/platform/db': ['server/platform/lib', 'shared'],
  'server/platform/sync': ['server/platform/db/database.ts', 'server/platform/lib', 'shared'],
  'server/platform/files': ['server/platform/db/database.ts', 'server/platform/lib', 'shared'],
  'server/platform/servers': ['server/platform/db/database.ts', 'server/platform/lib', 'shared'],
  'server/platform/jobs': ['server/platform/db', 'server/platform/lib', 'shared'],
  'server/platform/audit': ['server/platform/db', 'server/platform/lib', 'shared'],
  'server/platform/auth': [
    'server/config.ts',
    'server/platform/audit',
    'server/platform/db',
    'server/integrations/mail',
    'server/platform/lib',
    'shared',
  ],
  'server/platform/functions': [
    'server/platform/sync/host.ts',
    'server/platform/audit',
    'server/platform/db',
    'server/platform/jobs',
    'server/platform/lib',
    'shared',
  ],
  'server/integrations': ['server/config.ts', 'server/platform/lib', 'shared'],
  'server/functions': ['server/platform', 'server/integrations', 'server/domain/knowledge/search', 'shared'],
  'server/domain': ['server/functions', 'server/platform', 'server/integrations', 'shared'],
  'server/domain/knowledge': [
    'server/domain/agents',
    'server/domain/api-tokens',
    'server/domain/billing',
    'server/domain/flags',
    'server/domain/messaging/customers/legal-hold.store.ts',
    'server/functions',
    'server/platform',
    'server/integrations',
    'shared',
  ],
  'server/domain/knowledge/search': ['server/platform', 'shared'],
  'server/api.ts': ['server/domain', 'server/functions', 'server/platform/functions'],
  'server/work.ts': ['server/domain', 'server/functions', 'server/platform'],
  'server/http.ts': ['server/config.ts', 'server/domain', 'server/platform', 'shared'],
  'server/create-services.ts': [
    'server/config.ts',
    'server/domain',
    'server/functions',
    'server/integrations',
    'server/platform',
    'shared',
  ],
  'server/requesters.ts': ['server/domain', 'server/functions', 'server/platform', 'shared'],
  'server/routes.ts': ['server/domain', 'server/functions', 'server/platform'],
  'server/app.ts': ['server', 'shared'],
  'server/main.ts': ['server', 'shared'],
  'server/reencrypt.ts': ['server', 'shared'],
  'server/reset-link.ts': ['server', 'shared'],
  'server/audit-check.ts': ['server', 'shared'],
  'web/lib': ['web/api.ts', 'web/locales', 'shared'],
  'web/api.ts': ['server/api.ts'],
  'web/components': ['web/lib', 'web/api.ts', 'shared'],
  'web/features': ['web/components', 'web/lib', 'web/api.ts', 'shared'],
  'web/app': ['web/features', 'web/components', 'web/lib', 'web/api.ts', 'web/locales', 'shared'],
  'web/main.tsx': ['web', 'shared'],
  'web/push-worker.ts': ['shared'],
  widget: ['shared'],
}

/** The rooms of server/domain/messaging from the lowest to the highest: each imports only rooms before it, types too. */
const MESSAGING = [
  ...['customers', 'conversations', 'files', 'inbound-events', 'outbox', 'turns'], // rows and facts
  ...['handoff', 'delivery', 'follow-ups', 'approvals', 'replies', 'ratings', 'inbound', 'webchat'], // the way of a message
  ...['explanations', 'inbox', 'team', 'compliance', 'contacts', 'playground', 'copilot', 'attack-checks'], // what people work with
  'pipeline',
]

const MAX_LINES = { server: 400, shared: 400, web: 250, test: 500 }
const SIZE_EXEMPT = [/^server\/platform\/db\/migrations\//, /^web\/components\/ui\//, /^web\/locales\//]

/** Maximum files in a folder, excluding tests next to them: more means that the folder holds two nouns. */
const MAX_FILES = 30
/** One kind of file, found by its number or its name. */
const FULL_FOLDERS = new Set(['server/platform/db/migrations', 'web/components/ui'])

type Import = { file: string; target: string }

const files = ['shared', 'server', 'web', 'widget'].flatMap((folder) => sourceFiles(folder))
const imports = files.flatMap((file) => importsOf(file))

describe('the import law', () => {
  it('lets each folder import only what stands to its left', () => {
    const broken = imports.filter(({ file, target }) => !isTest(file) && !mayImport(file, target))
    expect(broken.map(({ file, target }) => `${file} (${folderOf(file)}) may not import ${target}`)).toEqual([])
  })

  it('keeps web features apart from each other', () => {
    const broken = imports.filter(({ file, target }) => {
      const [from, to] = [featureOf(file), featureOf(target)]
      return from !== undefined && to !== undefined && from !== to
    })
    expect(
      broken.map(({ file, target }) => `${file} may not import ${target}: web features never import each other`),
    ).toEqual([])
  })

  it('lets a noun use the store, rules and jobs of another, never its functions', () => {
    const broken = imports.filter(({ file, target }) => {
      const [from, to] = [nounOf(file), nounOf(target)]
      return from !== undefined && to !== undefined && from !== to && /\.functions\.ts$/.test(target)
    })
    expect(broken.map(({ file, target }) => `${file} may not import ${target}`)).toEqual([])
  })

  it('lets each room of messaging import only rooms below it', () => {
    const broken = imports.filter(({ file, target }) => !isTest(file) && !runsDown(roomOf(file), roomOf(target)))
    expect(broken.map(({ file, target }) => `${file} may not import ${target}`)).toEqual([])
  })

  it('gives every room of messaging its place', () => {
    expect(fs.readdirSync(path.join(ROOT, 'server/domain/messaging')).toSorted()).toEqual(MESSAGING.toSorted())
  })

  it('keeps SQL in stores and server/platform/db, vendors in their folders, tests out of the product', () => {
    const rules: [pattern: RegExp, allowed: RegExp, reason: string][] = [
      [
        /^kysely(\/|$)/,
        /(\.store\.ts$|^server\/platform\/(db|auth|jobs|functions\/paginate)|^server\/app\.ts)/,
        'SQL belongs in a store',
      ],
      [/^(convex\/react|@tanstack\/react-query)$/, /^web\/(lib|app\/providers)/, 'server data goes through web/lib'],
      [
        /^@modelcontextprotocol\//,
        /^server\/(domain\/mcp\/server\.ts$|integrations\/mcp\/)/,
        'the SDK of MCP stays in its files',
      ],
      [/^grammy/, /^server\/integrations\/channels\/telegram\//, 'grammY stays in its adapter'],
      [/^(ai|@ai-sdk\/.*)$/, /^server\/integrations\/llm\//, 'model SDKs stay in server/integrations/llm'],
      [
        /^(@googleapis\/|google-auth-library|gaxios)/,
        /^server\/integrations\/google-calendar\//,
        "Google's libraries stay in server/integrations/google-calendar",
      ],
      [/^better-auth/, /^(server\/platform\/auth|web\/lib)\//, 'better-auth stays in server/platform/auth'],
      [/^pg-boss/, /^server\/platform\/jobs\//, 'pg-boss stays in server/platform/jobs'],
      [/^(#tests|.*\/tests)\//, /^$/, 'nothing outside tests imports tests'],
    ]
    const broken = files
      .filter((file) => !isTest(file))
      .flatMap((file) => importedNames(file).map((name) => ({ file, name })))
      .flatMap(({ file, name }) =>
        rules
          .filter(([pattern, allowed]) => pattern.test(name) && !allowed.test(file))
          .map(([, , reason]) => `${file} imports ${name}: ${reason}`),
      )
    expect(broken).toEqual([])
  })

  it('keeps the sentences of the error catalogue out of the browser', () => {
    const bundling = /^import (?!type\b)[^'\n]*'#shared\/errors\.ts'/m
    const broken = files.filter((file) => /^(web|widget)\//.test(file) && !isTest(file) && bundling.test(read(file)))
    expect(broken).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = files.filter((file) => !isTest(file) && /\bprocess\.env\b/.test(read(file)))
    expect(readers).toEqual(['server/config.ts'])
  })

  it('has no cycles, types counted', () => {
    expect(findCycle()).toBeNull()
  })
})

describe('size', () => {
  it('keeps files under the ceiling', () => {
    const long = [...files, ...sourceFiles('tests')]
      .filter((file) => !SIZE_EXEMPT.some((pattern) => pattern.test(file)))
      .map((file) => ({ file, lines: read(file).split('\n').length - 1 }))
      .filter(({ file, lines }) => lines > ceiling(file))
    expect(long.map(({ file, lines }) => `${file} has ${lines} lines, the ceiling is ${ceiling(file)}`)).toEqual([])
  })

  it('keeps folders to what fits on a screen', () => {
    const inFolders = Map.groupBy(
      files.filter((file) => !isTest(file)),
      (file) => path.posix.dirname(file),
    )
    const full = [...inFolders]
      .filter(([folder]) => !FULL_FOLDERS.has(folder))
      .filter(([, { length }]) => length > MAX_FILES)
      .map(([folder, { length }]) => `${folder} holds ${length} files, the ceiling is ${MAX_FILES}`)
    expect(full).toEqual([])
  })

  it('opens every file by saying what it owns', () => {
    const silent = [
      ...files,
      ...sourceFiles('tests'),
      ...sourceFiles('scripts'),
      ...sourceFiles('bench'),
      ...sourceFiles('eval'),
    ].filter((file) => !/^(#!.*\n)?(\/\/|\/\*)/.test(read(file)))
    expect(silent).toEqual([])
  })
})

describe('the law itself', () => {
  it('refuses what it should', () => {
    expect(mayImport('web/features/agents/bad.ts', 'server/api.ts')).toBe(false)
    expect(mayImport('server/platform/sync/session.ts', 'server/platform/db/engine/open.ts')).toBe(false)
    expect(mayImport('server/platform/lib/ids.ts', 'server/platform/db/keys.ts')).toBe(false)
    expect(mayImport('server/domain/agents/agents.store.ts', 'server/platform/db/database.ts')).toBe(true)
    expect(runsDown('turns', 'replies')).toBe(false)
    expect(runsDown('replies', 'turns')).toBe(true)
  })
})

function sourceFiles(folder: string): string[] {
  const top = path.join(ROOT, folder)
  if (!fs.existsSync(top)) return []
  return fs
    .readdirSync(top, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.split(path.sep).join('/')))
}

function read(file: string): string {
  return fs.readFileSync(path.join(ROOT, file), 'utf8')
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || file.startsWith('tests/')
}

/** Names in imports and re-exports, those of types alone too: a reader of the file has to know them. */
function importedNames(file: string): string[] {
  const pattern = /^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]/gm
  const dynamic = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g
  const text = read(file)
  return [...text.matchAll(pattern), ...text.matchAll(dynamic)].map((match) => match[1] ?? '')
}

function importsOf(file: string): Import[] {
  return importedNames(file).flatMap((name) => {
    if (name.startsWith('#')) return [{ file, target: name.slice(1) }]
    if (name.startsWith('.'))
      return [{ file, target: path.posix.normalize(path.posix.join(path.posix.dirname(file), name)) }]
    return []
  })
}

/** The longest entry of the law that a file stands under. */
function folderOf(file: string): string {
  const matching = Object.keys(MAY_IMPORT).filter((folder) => file === folder || file.startsWith(`${folder}/`))
  return matching.sort((a, b) => b.length - a.length)[0] ?? ''
}

function mayImport(file: string, target: string): boolean {
  const folder = folderOf(file)
  if (!folder) return false
  return [folder, ...(MAY_IMPORT[folder] ?? [])].some(
    (allowed) => target === allowed || target.startsWith(`${allowed}/`),
  )
}

function featureOf(file: string): string | undefined {
  return /^web\/features\/([^/]+)\//.exec(file)?.[1]
}

function nounOf(file: string): string | undefined {
  return /^server\/domain\/((?:messaging\/|knowledge\/)?[^/]+)\//.exec(file)?.[1]
}

function roomOf(file: string): string | undefined {
  return /^server\/domain\/messaging\/([^/]+)\//.exec(file)?.[1]
}

/** Whether an import from one room of messaging into another is allowed; files elsewhere are in none. */
function runsDown(from: string | undefined, to: string | undefined): boolean {
  return from === undefined || to === undefined || MESSAGING.indexOf(to) <= MESSAGING.indexOf(from)
}

function ceiling(file: string): number {
  if (isTest(file)) return MAX_LINES.test
  return /^(web|widget)\//.test(file) ? MAX_LINES.web : MAX_LINES.server
}

/** The first cycle of imports as a path, or null. */
function findCycle(): string | null {
  const graph = Map.groupBy(imports, ({ file }) => file)
  const state = new Map<string, 'open' | 'done'>()
  const visit = (file: string, trail: string[]): string | null => {
    if (state.get(file) === 'open') return [...trail.slice(trail.indexOf(file)), file].join(' → ')
    if (state.get(file) === 'done') return null
    state.set(file, 'open')
    for (const { target } of graph.get(file) ?? []) {
      const cycle = visit(target, [...trail, file])
      if (cycle) return cycle
    }
    state.set(file, 'done')
    return null
  }
  for (const file of files) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return null
}
