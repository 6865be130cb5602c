// Reading the configuration: defaults, every problem at once, and an example file that names what is read.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadEnvironment, readConfig } from './config.ts'

const FOLDER = import.meta.dirname
const example = parseEnv(fs.readFileSync(path.join(FOLDER, '../.env.example'), 'utf8'))

describe('the configuration', () => {
  it('needs nothing', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      publicUrl: 'http://localhost:3000',
      databaseUrl: undefined,
      dataDir: './data',
    })
  })

  it('is the same with the example file as without it', () => {
    expect(readConfig(example)).toEqual(readConfig({}))
  })

  it('reads every variable of the example file, and no other', () => {
    const source = fs.readFileSync(path.join(FOLDER, 'config.ts'), 'utf8')
    const read = [...source.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map((match) => match[1])
    expect(Object.keys(example).toSorted()).toEqual(read.toSorted())
  })

  it('reads the failpoint of a test server, and rejects it where customers may be served', () => {
    expect(readConfig({ FAILURE: 'kill@part-sent#3' }).failure).toEqual({ failure: 'kill', at: 'part-sent', pass: 3 })
    const tested = { FAILURE: 'freeze@turn-read', PUBLIC_URL: 'https://parley.example' }
    expect(readConfig(tested).failure).toEqual({ failure: 'freeze', at: 'turn-read', pass: 1 })
    for (const text of ['kill@nowhere', 'tickle@part-sent', 'part-sent', 'kill@part-sent#0'])
      expect(() => readConfig({ FAILURE: text })).toThrow('FAILURE')
    expect(() => readConfig({ ...tested, PUBLIC_URL: 'https://parley.shop' })).toThrow('has a public address')
  })

  it('takes from a file what the environment does not set', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'parley-test-'))
    const file = path.join(folder, '.env')
    expect(loadEnvironment(undefined)).toBe(process.env)
    expect(loadEnvironment(file)).toBe(process.env)
    fs.writeFileSync(file, 'PATH=/nowhere\n# a comment\nMAIL_FROM="Shop <shop@example.com>"\n')
    expect(loadEnvironment(file)).toMatchObject({ PATH: process.env.PATH, MAIL_FROM: 'Shop <shop@example.com>' })
    fs.rmSync(folder, { recursive: true })
  })

  it('names every problem in one message', () => {
    const read = () => readConfig({ PORT: 'many', DATABASE_URL: 'mysql://here', APP_SECRET: 'short' })
    expect(read).toThrow(/PORT[\s\S]*DATABASE_URL[\s\S]*APP_SECRET/)
  })

  it('reads former secrets, also one with a comma in it', () => {
    const [one, other] = ['a former secret of thirty-two and more', 'another one of thirty-two characters']
    const read = (list: string) => readConfig({ APP_SECRET_PREVIOUS: list }).previousAppSecrets
    expect(read(`${one}, ${other}`)).toEqual([`${one}, ${other}`, one, other])
    expect(read('eighteen letters or,so, and then a comma')).toEqual(['eighteen letters or,so, and then a comma'])
    expect(read('')).toEqual([])
    expect(() => read('short')).toThrow(/APP_SECRET_PREVIOUS/)
  })

  it.each([
    'OPENAI_BASE_URL',
    'ANTHROPIC_BASE_URL',
    'EMBEDDINGS_BASE_URL',
    'RERANK_BASE_URL',
    'WEB_SEARCH_BASE_URL',
    'PUBLIC_URL',
  ])('takes no address without a scheme in %s', (name) => {
    expect(() => readConfig({ [name]: 'localhost:11434' })).toThrow(
      `${name}: must be an address that starts with http://`,
    )
  })

  it('takes addresses without their last slash, lists by comma, e-mails in lower case', () => {
    const config = readConfig({
      PUBLIC_URL: 'https://parley.example/',
      ADMIN_EMAILS: 'Anna@Example.com, bolat@example.com,',
      ALLOWED_ORIGINS: 'https://a.example,https://b.example',
    })
    expect(config.publicUrl).toBe('https://parley.example')
    expect(config.adminEmails).toEqual(['anna@example.com', 'bolat@example.com'])
    expect(config.allowedOrigins).toEqual(['https://a.example', 'https://b.example'])
  })

  it.each([
    ['PORT', 'abc', 'a whole number'],
    ['PORT', '80.5', 'a whole number'],
    ['PORT', ' ', 'a whole number'],
    ['PORT', '70000', 'at most 65535'],
    ['PUBLIC_URL', 'https://parley.example/chat', 'the address alone'],
    ['PUBLIC_URL', 'https://parley.example/?a=1', 'the address alone'],
    ['PUBLIC_URL', 'https://user:pass@parley.example', 'the address alone'],
    ['ALLOWED_ORIGINS', 'shop.example', 'origins like https://'],
    ['ALLOWED_ORIGINS', 'https://a.example,https://b.example/path', 'origins like https://'],
    ['ADMIN_EMAILS', 'anna', 'no e-mail address'],
    ['TRUST_PROXY', '1', 'true or false'],
    ['LOG_LEVEL', 'verbose', 'silent, error, warn'],
    ['SMTP_URL', 'mail.example.com', 'smtps://user'],
    ['SMTP_URL', 'http://mail.example.com', 'smtps://user'],
    ['SIGN_UP', 'domains', 'open, closed, invited'],
  ])('says of %s=%s what is asked for', (name, value, words) => {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^  ${name}: .*${words}`, 'm'))
  })

  it('takes what stands between spaces, and origins with a slash at their end', () => {
    const config = readConfig({
      PUBLIC_URL: ' https://parley.example/ ',
      DATABASE_URL: ' postgres://localhost/parley ',
      ALLOWED_ORIGINS: 'https://a.example/, capacitor://localhost',
    })
    expect(config.publicUrl).toBe('https://parley.example')
    expect(config.databaseUrl).toBe('postgres://localhost/parley')
    expect(config.allowedOrigins).toEqual(['https://a.example', 'capacitor://localhost'])
  })

  it('searches the web only with what the provider needs', () => {
    expect(readConfig({}).webSearch).toBeUndefined()
    expect(() => readConfig({ WEB_SEARCH_PROVIDER: 'searxng' })).toThrow('WEB_SEARCH_BASE_URL: searxng needs it')
    expect(() => readConfig({ WEB_SEARCH_PROVIDER: 'tavily' })).toThrow('WEB_SEARCH_API_KEY: tavily needs it')
    expect(() => readConfig({ WEB_SEARCH_PROVIDER: 'google' })).toThrow('WEB_SEARCH_PROVIDER')
    const searxng = { WEB_SEARCH_PROVIDER: 'searxng', WEB_SEARCH_BASE_URL: 'https://search.example/' }
    expect(readConfig(searxng).webSearch).toMatchObject({ baseUrl: 'https://search.example', perDay: 1000 })
  })

  it('offers Google sign-in only with both halves of its key', () => {
    expect(readConfig({ GOOGLE_CLIENT_ID: 'id' }).googleSignIn).toBeUndefined()
    expect(readConfig({ GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }).googleSignIn).toMatchObject({
      clientId: 'id',
    })
  })
})
