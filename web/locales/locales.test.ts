// Both languages say the same things, and every error of the catalogue has words.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ERROR_CODES } from '#shared/errors.ts'
import { SERVICE_CODES } from '#web/lib/auth-errors.ts'

type Texts = { [key: string]: string | Texts }
const PLURAL = /_(zero|one|two|few|many|other)$/

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

  it.each(['ru', 'en'])('tell every catalogued error in %s', (language) => {
    const errors = read(language, 'errors.json')
    expect(Object.keys(errors)).toEqual(expect.arrayContaining(Object.keys(ERROR_CODES)))
    expect(Object.keys(errors.service as Texts).sort()).toEqual([...SERVICE_CODES].sort())
  })
})
