// Kinds of values that variables of the environment have, and the message for a wrong one.
import { z } from 'zod'
import { databaseUrlProblem } from './database-url.rules.ts'

export const flag = z.enum(['true', 'false'], { error: 'must be true or false' }).transform((value) => value === 'true')
export const port = z
  .string()
  .trim()
  .regex(/^\d+$/, 'must be a whole number, as 3000')
  .transform(Number)
  .pipe(z.number().max(65_535, 'must be at most 65535'))
export const url = z
  .url({ protocol: /^https?$/, error: 'must be an address that starts with http:// or https://' })
  .transform((value) => value.replace(/\/+$/, ''))
/** Web pages are served at the root of it, and links are made by adding to it. */
export const ownUrl = z
  .string()
  .trim()
  .pipe(url)
  .refine((text) => {
    const { username, pathname, search, hash } = new URL(text)
    return username + search + hash === '' && pathname === '/'
  }, 'must be the address alone, as https://parley.example.com: without a path, a user or a question mark')
/** What browsers send as `Origin`, also of apps that are no web pages. */
export const origin = z
  .string()
  .regex(/^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+\/?$/i, 'names origins like https://shop.example.com')
  .transform((text) => text.replace(/\/$/, ''))

/** What is wrong with the address of a database; null: no visible error. */
export const databaseUrl = z.string().superRefine((text, check) => {
  const message = databaseUrlProblem(text)
  if (message) check.addIssue({ code: 'custom', message })
})

export function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean)
}
