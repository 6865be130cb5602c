// Both languages say the same things, and every error of the catalogue has words.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '#shared/errors.ts'
import { DOCUMENT_FORMATS } from '#shared/knowledge/knowledge.ts'
import { TABLE_FORMATS } from '#shared/knowledge/tables.ts'
import { SERVICE_CODES } from '#web/lib/sign-in/auth-errors.ts'

type Texts = { [key: string]: string | Texts }
const PLURAL = /_(zero|one|two|few|many|other)$/

/** What docs/words.md rules out. Search words of settings (`keywords`) may be any that people type. */
const FORBIDDEN = {
  ru: [
    /—| - /,
    /["'“”]/,
    /(?<!\p{L})(?:указани\p{L}*|промпт\p{L}*|отрыв(?:ок|к)\p{L}*|поставщик\p{L}*|инсталляц\p{L}*|имейл\p{L}*)/iu,
    /e-mail/i,
    /(?<!\p{L})(?:еще|ее|учетн\p{L}*|надежн\p{L}*)(?!\p{L})/iu,
    /(?:\d|\}\})[ \u00a0]знак/u,
    /Сделать правдой|Почему так вышло|Чем пишутся|\p{L}\(а\)/u,
  ],
  en: [
    /—| - /,
    /"|'/,
    /system prompt|e-mail|\b(?:anew|somebody|whoever runs)\b|is not good any more|the version before|come back to silent/i,
  ],
} as const
/** Marks that texts show as themselves: `-` among the characters of a name. */
const SHOWS_MARKS = /(?:toolName|nameHint|tokenFormat)$/
/** A short unit behind a number, held by nothing. */
const BREAKABLE = {
  ru: /(?:\{\{(?:count|number|value|total|max|min|ms|seconds|minutes|hours|days)\}\}|\d) (?:мс|с|мин\p{L}{0,3}|секунд\p{L}?|сут\p{L}{2}|недел\p{L}{1,2}|месяц\p{L}{0,2}|млн|тыс|пиксел\p{L}{1,2}|байт|МБ|КБ|%|час\p{L}{0,2}|дн\p{L}{1,2}|знак\p{L}{0,2}|символ\p{L}{0,2})(?!\p{L})/u,
  en: /(?:\{\{\w+\}\}|\d) (?:ms|s|min|MB|KB)\b/,
} as const

function read(language: string, file: string): Texts {
  return JSON.parse(readFileSync(new URL(`${language}/${file}`, import.meta.url), 'utf8'))
}

/** `list.count` → its text; the forms of a plural are one key. */
function flatten(texts: Texts, prefix = ''): [string, string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${prefix}${key}`, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  )
}

function keys(texts: Texts): string[] {
  return [...new Set(flatten(texts).map(([key]) => key.replace(PLURAL, '')))].sort()
}

const files = readdirSync(new URL('ru', import.meta.url))

describe('texts', () => {
  it('exist in the same files in both languages', () => {
    expect(readdirSync(new URL('en', import.meta.url))).toEqual(files)
  })

  describe.each(files)('%s', (file) => {
    const [ru, en] = [read('ru', file), read('en', file)]

    it('has the same keys in both languages', () => {
      expect(keys(en)).toEqual(keys(ru))
    })

    it('has no empty text', () => {
      const empty = [...flatten(ru), ...flatten(en)].filter(([, text]) => !text.trim()).map(([key]) => key)
      expect(empty).toEqual([])
    })

    it('fills in the same values in both languages', () => {
      const names = (texts: Texts) =>
        Object.fromEntries(
          flatten(texts).map(([key, text]) => [
            key.replace(PLURAL, ''),
            [...text.matchAll(/\{\{(\w+)/g)].map(([, name]) => name).sort(),
          ]),
        )
      expect(names(en)).toEqual(names(ru))
    })

    it('has all forms of every plural', () => {
      for (const [texts, forms] of [
        [ru, ['few', 'many', 'one', 'other']],
        [en, ['one', 'other']],
      ] as const) {
        const plurals = Map.groupBy(
          flatten(texts).filter(([key]) => PLURAL.test(key)),
          ([key]) => key.replace(PLURAL, ''),
        )
        for (const [key, found] of plurals) {
          expect([key, found.map(([each]) => PLURAL.exec(each)?.[1]).sort()]).toEqual([key, forms])
        }
      }
    })
  })

  it.each(['ru', 'en'] as const)('keep to the words and marks of the glossary in %s', (language) => {
    const wrong = files.flatMap((file) =>
      flatten(read(language, file))
        .filter(([key]) => !key.endsWith('keywords') && !SHOWS_MARKS.test(key))
        .filter(([, text]) => [...FORBIDDEN[language], BREAKABLE[language]].some((pattern) => pattern.test(text)))
        .map(([key, text]) => `${file} ${key}: ${text}`),
    )
    expect(wrong).toEqual([])
  })

  it('call what one signs in with by one word', () => {
    const others = flatten(read('ru', 'auth.json')).filter(([, text]) => /аккаунт/i.test(text))
    expect(others).toEqual([])
  })

  it.each(['ru', 'en'])('end every error with a full stop in %s', (language) => {
    const open = flatten(read(language, 'errors.json')).filter(([, text]) => !text.endsWith('.'))
    expect(open).toEqual([])
  })

  it.each(['ru', 'en'])('name every format that is taken in %s', (language) => {
    const named = (text: string) => text.match(/\b[A-Z]{2,4}X?\b/g)
    const upper = (formats: readonly string[]) => formats.map((format) => format.toUpperCase())
    const { refused } = read(language, 'knowledge.json') as { refused: Record<string, string> }
    const { unsupported_format } = read(language, 'errors.json') as Record<string, string>
    expect(named(unsupported_format ?? '')).toEqual(upper(DOCUMENT_FORMATS))
    expect(named(refused.unsupported_format ?? '')).toEqual(upper(DOCUMENT_FORMATS))
    expect(named(refused.unsupported_table ?? '')).toEqual(upper(TABLE_FORMATS))
  })

  it.each(['ru', 'en'])('name every kind of picture that is taken in %s', (language) => {
    const { avatar_not_loadable, picture_not_readable } = read(language, 'errors.json') as Record<string, string>
    for (const text of [avatar_not_loadable, picture_not_readable]) {
      expect(text?.match(/PNG|JPEG|WebP|GIF|AVIF/g)).toEqual(['PNG', 'JPEG', 'WebP', 'GIF', 'AVIF'])
    }
  })

  it.each(['ru', 'en'])('speak of no one channel where any may be meant in %s', (language) => {
    const { banner, delivery } = read(language, 'conversations.json') as Record<string, { reason: Texts }>
    const { machine_talk: _, ...pauses } = banner?.reason ?? {}
    const texts = flatten({ ...pauses, ...delivery?.reason }).map(([, text]) => text)
    const oneChannel = /(?<!\p{L})бот(?:а|у|ом)?(?!\p{L})|с телефона|\bbot\b|phone/iu
    expect(texts.filter((text) => oneChannel.test(text))).toEqual([])
  })

  it.each(['ru', 'en'])('tell every catalogued error in %s', (language) => {
    const errors = read(language, 'errors.json')
    expect(Object.keys(errors)).toEqual(expect.arrayContaining(Object.keys(ERROR_CODES)))
    expect(Object.keys(errors.service as Texts).sort()).toEqual([...SERVICE_CODES].sort())
  })
})
