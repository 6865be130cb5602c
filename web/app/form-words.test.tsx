// Every form error is shown in words: in both languages, through the resolver that the forms use.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { zodResolver } from '@hookform/resolvers/zod'
import { renderHook } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { agentPatch, createAgentInput } from '#shared/agents/agents.ts'
import { useIssueText } from '#web/features/agents/use-issue-text.ts'
import { compareSettings } from '#web/features/agents/versions/compare.rules.ts'
import { accountForm, organizationForm, signInForm } from '#web/features/auth/auth-forms.ts'
import { passwordForm, profileForm } from '#web/features/settings/account/account-forms.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'

type Texts = { [key: string]: string | Texts }
type Resolver = (values: never, context: unknown, options: never) => Promise<{ errors: object }>
type Entry = Record<string, unknown>

/** Values that may be typed into a field. */
const TYPED: unknown[] = [
  '',
  ' ',
  'x',
  'x@',
  'a@b',
  'a b@c.example',
  'Ω'.repeat(100_000),
  '<b>&amp;</b>',
  '0',
  'undefined',
]
/** Values that a form with more than text fields may hold, including ones from an older draft. */
const ENTRIES = [...TYPED, -1, 0.5, 1e12, Number.NaN, true, null, undefined, [], [''], {}]
const WEB = path.resolve(import.meta.dirname, '..')
const WRONG = /^[a-z]+([.:_][\w ]+)+$|\{\{|undefined|NaN|\[object|Invalid|Too (?:small|big)|expected/

/** Forms whose rules name a message by its translation key. */
const KEYED = {
  signInForm: { schema: signInForm, file: 'auth', within: ['error'] },
  accountForm: { schema: accountForm, file: 'auth', within: ['error'] },
  organizationForm: { schema: organizationForm, file: 'auth', within: ['error'] },
  passwordForm: { schema: passwordForm, file: 'settings', within: [] },
  profileForm: { schema: profileForm, file: 'settings', within: [] },
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('agents')
})

describe.each(Object.entries(KEYED))('what %s refuses', (_, { schema, file, within }) => {
  it.each(['ru', 'en'])('has words in %s', async (language) => {
    const texts = textsAt(readTexts(language, file), within)
    const messages = await messagesOf(zodResolver(schema as never) as Resolver, emptyOf(schema.shape), TYPED)
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.filter((message) => typeof textsAt(texts, message.split('.')) !== 'string')).toEqual([])
  })
})

describe('what the settings of an agent refuse', () => {
  const settings = { name: 'Helper', avatar: null, ...agentSettings.parse({ model: 'openai/a' }) }
  it.each([
    ['settings', agentPatch, settings],
    ['a new agent', createAgentInput, { name: '', systemPrompt: '' }],
  ])('has a message in words: %s', async (_, schema, entry) => {
    const { result } = renderHook(useIssueText)
    const messages = await messagesOf(zodResolver(schema as never, { error: result.current }) as Resolver, entry)
    expect(messages.length).toBeGreaterThan(0)
    expect(messages.filter((message) => WRONG.test(message))).toEqual([])
  })
})

it('every setting of an agent that can differ between versions has a name in both languages', () => {
  const settings = agentSettings.parse({ model: 'openai/a' })
  const changed = JSON.parse(JSON.stringify(settings), (_, value) => {
    if (Array.isArray(value) && value.length === 0) return ['changed']
    return typeof value === 'object' && value !== null ? value : `${value} changed`
  })
  const names = compareSettings(settings, changed).map((each) => each.path.replaceAll('.', '_'))
  expect(names.length).toBeGreaterThan(40)
  for (const language of ['ru', 'en']) {
    const { path: known } = readTexts(language, 'versions') as { path: Texts }
    expect(names.filter((name) => typeof known[name] !== 'string')).toEqual([])
  }
})

it('every form takes its messages from rules that are tested here, or shows no rule message', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((file) => /(?<!test)\.tsx?$/.test(file))
  const wordless = files.flatMap((file) => {
    const source = readFileSync(path.join(WEB, file), 'utf8')
    const resolvers = [...source.matchAll(/zodResolver\((\w+)(, \{ error \})?\)/g)]
    const isWorded = resolvers.every(([, schema = '', map]) => map !== undefined || schema in KEYED)
    const showsRules = /errors(?!\.root)[.?\w[\]]*\.message|error\??\.message/.test(source)
    return resolvers.length > 0 && !isWorded && showsRules ? [file] : []
  })
  expect(wordless).toEqual([])
})

/** All messages of the resolver when each part of an entry is replaced by each of `entries`. */
async function messagesOf(resolver: Resolver, entry: Entry, entries: unknown[] = ENTRIES): Promise<string[]> {
  const found = new Set<string>()
  for (const at of pathsOf(entry)) {
    for (const value of entries) {
      const { errors } = await resolver(replaced(entry, at, value) as never, undefined, { fields: {} } as never)
      for (const message of leaves(errors)) found.add(message)
    }
  }
  return [...found]
}

function textsAt(texts: Texts, path: string[]): Texts {
  return path.reduce<Texts>((at, key) => at?.[key] as Texts, texts)
}

function emptyOf(shape: object): Entry {
  return Object.fromEntries(Object.keys(shape).map((key) => [key, '']))
}

function pathsOf(value: unknown, at: string[] = []): string[][] {
  const isSection = typeof value === 'object' && value !== null && !Array.isArray(value)
  const inner = isSection ? Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...at, key])) : []
  return at.length > 0 ? [at, ...inner] : inner
}

function replaced(entry: Entry, [key = '', ...rest]: string[], value: unknown): Entry {
  return { ...entry, [key]: rest.length > 0 ? replaced(entry[key] as Entry, rest, value) : value }
}

function leaves(errors: unknown): string[] {
  if (typeof errors !== 'object' || errors === null) return []
  return Object.entries(errors).flatMap(([key, value]) =>
    key === 'message' && typeof value === 'string' ? [value] : leaves(value),
  )
}

function readTexts(language: string, file: string): Texts {
  return JSON.parse(readFileSync(path.join(WEB, 'locales', language, `${file}.json`), 'utf8'))
}
