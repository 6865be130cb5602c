// Environment and a file of variables → Config. The only reader of process.env; every problem is reported at once.
import fs from 'node:fs'
import { parseEnv } from 'node:util'
import { z } from 'zod'
import { WEB_SEARCH_PROVIDERS, type WebSearchProvider } from '#shared/agents/web-search.ts'
import { databaseUrl, flag, list, origin, ownUrl, port, url } from './platform/lib/config-values.ts'
import { FAILPOINTS, FAILURES, type Failure } from './platform/lib/failpoints.ts'

const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

const signUpRules = z.enum(['open', 'closed', 'invited', 'domains'], {
  error: 'must be open, closed, invited or domains:example.com,example.org',
})
const domain = z.string().regex(/^[^\s@,]+\.[^\s@,]+$/, 'names domains like example.com')

/** Characters of an application secret. */
const SECRET_LEAST = 32

/** `domains:example.com,example.org`, or a rule alone. */
function signUpRule(text: string) {
  const [rule = '', ...rest] = text.trim().split(':')
  const domains = list(rest.join(':').toLowerCase()).map((name) => name.replace(/^@/, ''))
  return { rule: (rule === 'domains') === domains.length > 0 ? rule : '', domains }
}

/** `kill@message-stored`, and `kill@message-stored#3` for the third time it is reached. */
const failure = z
  .string()
  .transform((text): unknown => /^(?<failure>[a-z]+)@(?<at>[a-z-]+)(?:#(?<pass>\d+))?$/.exec(text)?.groups)
  .pipe(
    z.object({ failure: z.enum(FAILURES), at: z.enum(FAILPOINTS), pass: z.coerce.number().int().min(1).default(1) }),
  )

const variables = z.object({
  PORT: port.default(3000),
  HOST: z.string().default('0.0.0.0'),
  PUBLIC_URL: optional(ownUrl),
  DATA_DIR: z.string().default('./data'),
  DATABASE_URL: optional(z.string().trim().pipe(databaseUrl)),
  APP_SECRET: optional(z.string().min(SECRET_LEAST, 'needs at least 32 characters')),
  APP_SECRET_PREVIOUS: z
    .string()
    .default('')
    .refine((text) => text.trim() === '' || areSecrets(text), 'needs at least 32 characters each')
    .transform(secretsIn),
  ADMIN_EMAILS: z
    .string()
    .default('')
    .transform(list)
    .pipe(z.array(z.email('names what is no e-mail address'))),
  SIGN_UP: z
    .string()
    .default('open')
    .transform(signUpRule)
    .pipe(z.object({ rule: signUpRules, domains: z.array(domain) })),
  CONTACT_EMAIL: optional(z.email()),
  SALES_EMAIL: optional(z.email()),
  ALLOWED_ORIGINS: z.string().default('').transform(list).pipe(z.array(origin)),
  TRUST_PROXY: flag.default(false),
  METRICS_TOKEN: optional(z.string().min(16, 'needs at least 16 characters')),
  LOG_LEVEL: z
    .enum(['silent', 'error', 'warn', 'info', 'debug'], { error: 'must be silent, error, warn, info or debug' })
    .default('info'),
  TELEGRAM_API_ROOT: url.default('https://api.telegram.org'),
  GREEN_API_URL: url.default('https://api.green-api.com'),
  GREEN_API_PARTNER_TOKEN: optional(z.string()),
  GREEN_API_PARTNER_URL: optional(url),
  INSTAGRAM_GRAPH_URL: url.default('https://graph.instagram.com'),
  INSTAGRAM_GRAPH_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v24.0')
    .default('v24.0'),
  MAX_API_URL: url.default('https://platform-api2.max.ru'),
  VK_API_URL: url.default('https://api.vk.ru'),
  AVITO_API_URL: url.default('https://api.avito.ru'),
  WHATSAPP_GRAPH_URL: url.default('https://graph.facebook.com'),
  WHATSAPP_GRAPH_VERSION: z
    .string()
    .regex(/^v\d+\.\d+$/, 'must look like v24.0')
    .default('v24.0'),
  OPENAI_API_KEY: optional(z.string()),
  OPENAI_BASE_URL: optional(url),
  ANTHROPIC_API_KEY: optional(z.string()),
  ANTHROPIC_BASE_URL: optional(url),
  GOOGLE_API_KEY: optional(z.string()),
  GOOGLE_BASE_URL: optional(url),
  GROQ_API_KEY: optional(z.string()),
  GROQ_BASE_URL: optional(url),
  DEEPGRAM_API_KEY: optional(z.string()),
  DEEPGRAM_BASE_URL: optional(url),
  ELEVENLABS_API_KEY: optional(z.string()),
  ELEVENLABS_BASE_URL: optional(url),
  EMBEDDINGS_MODEL: optional(z.string()),
  EMBEDDINGS_BASE_URL: url.default('https://api.openai.com/v1'),
  EMBEDDINGS_API_KEY: optional(z.string()),
  EMBEDDINGS_USD_PER_MILLION: optional(z.coerce.number().min(0)),
  RERANK_BASE_URL: optional(url),
  RERANK_PROTOCOL: z.enum(['cohere', 'voyage', 'tei']).default('cohere'),
  RERANK_MODEL: optional(z.string()),
  RERANK_API_KEY: optional(z.string()),
  RERANK_USD_PER_THOUSAND: optional(z.coerce.number().min(0)),
  WEB_SEARCH_PROVIDER: optional(z.enum(WEB_SEARCH_PROVIDERS)),
  WEB_SEARCH_BASE_URL: optional(url),
  WEB_SEARCH_API_KEY: optional(z.string()),
  WEB_SEARCH_USD_PER_THOUSAND: optional(z.coerce.number().min(0)),
  WEB_SEARCH_PER_DAY: z.coerce.number().int().min(1).default(1000),
  GOOGLE_CLIENT_ID: optional(z.string()),
  GOOGLE_CLIENT_SECRET: optional(z.string()),
  GOOGLE_ISSUER: url.default('https://accounts.google.com'),
  GOOGLE_CALENDAR_CLIENT_ID: optional(z.string()),
  GOOGLE_CALENDAR_CLIENT_SECRET: optional(z.string()),
  GOOGLE_CONSENT_URL: url.default('https://accounts.google.com'),
  GOOGLE_OAUTH_URL: url.default('https://oauth2.googleapis.com'),
  GOOGLE_CALENDAR_URL: url.default('https://www.googleapis.com'),
  SMTP_URL: optional(
    z.url({ protocol: /^smtps?$/, error: 'must be an address like smtps://user:password@mail.example.com:465' }),
  ),
  MAIL_FROM: z.string().default('Parley <parley@localhost>'),
  DEV_MAIL: flag.default(false),
  ALERT_BOT_TOKEN: optional(z.string()),
  FAILURE: optional(failure),
})
/** An address at which no customer can be served. */
const TEST_ADDRESS = /^https?:\/\/(?:localhost|127\.0\.0\.1|[^/:]+\.example)(?::\d+)?$/
/** Each provider of web search has its required variables: SearXNG an address, since it is self-hosted, the others a key. */
const environment = variables.superRefine((e, check) => {
  if (e.FAILURE && !TEST_ADDRESS.test(e.PUBLIC_URL ?? 'http://localhost')) {
    const message = 'is for tests, and this server has a public address'
    check.addIssue({ code: 'custom', path: ['FAILURE'], message })
  }
  if (e.DEV_MAIL && !TEST_ADDRESS.test(e.PUBLIC_URL ?? 'http://localhost')) {
    const message = 'shows letters to everybody, and this server has a public address'
    check.addIssue({ code: 'custom', path: ['DEV_MAIL'], message })
  }
  const { WEB_SEARCH_PROVIDER: provider } = e
  if (!provider) return
  const needed = provider === 'searxng' ? 'WEB_SEARCH_BASE_URL' : 'WEB_SEARCH_API_KEY'
  if (!e[needed]) check.addIssue({ code: 'custom', path: [needed], message: `${provider} needs it` })
})

export type Config = {
  port: number
  host: string
  /** Where browsers and providers reach this installation, without a trailing slash. */
  publicUrl: string
  /** False: PUBLIC_URL is not set and `publicUrl` is a guess. */
  hasPublicUrl: boolean
  /** Absolute or relative to the working directory. */
  dataDir: string
  /** Undefined: Parley runs its own PostgreSQL in `dataDir`. */
  databaseUrl: string | undefined
  /** Undefined: generated at the first start and stored with the data. */
  appSecret: string | undefined
  /** Former secrets: data encrypted or signed with them stays valid. */
  previousAppSecrets: string[]
  /** Lower-case. Empty: the first account becomes admin. */
  adminEmails: string[]
  /** Who may sign up besides the first account, who always may. `domains`: lower-case; empty unless the rule is that. */
  signUp: { rule: 'open' | 'closed' | 'invited' | 'domains'; domains: string[] }
  /** Letters are shown at /dev/mail: for development, and only while no mail server is configured. */
  showsLetters: boolean
  /** Contact of the operator for people who may not sign up; undefined: none is shown. */
  contactEmail: string | undefined
  /** Who is written to when an organization asks to change or cancel its plan; undefined: no letter is sent. */
  salesEmail: string | undefined
  /** Origins besides `publicUrl` that may open the realtime connection from a browser. */
  allowedOrigins: string[]
  /** Trust `X-Forwarded-For` and `X-Forwarded-Proto`. */
  trustProxy: boolean
  logLevel: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** Undefined: the metrics are not readable. */
  metricsToken: string | undefined
  telegramApiRoot: string
  greenApiUrl: string
  /** Undefined: people bring WhatsApp instances of their own. */
  greenApiPartner: { url: string; token: string } | undefined
  /** Where the WhatsApp Cloud API is reached, with its version. */
  whatsappGraphUrl: string
  /** Where Instagram's API is reached. */
  instagramGraph: { url: string; version: string }
  /** Where the Bot API of MAX is reached. */
  maxApiUrl: string
  vkApiUrl: string
  /** Where the API of Avito is reached. */
  avitoApiUrl: string
  openai: ProviderConfig
  anthropic: ProviderConfig
  google: ProviderConfig
  groq: ProviderConfig
  deepgram: ProviderConfig
  elevenlabs: ProviderConfig
  /** Undefined: knowledge is searched by words alone. */
  embeddings: EmbeddingsConfig | undefined
  /** Undefined: hits are not reranked. */
  rerank: RerankConfig | undefined
  /** Undefined: the web is not searched. */
  webSearch: WebSearchConfig | undefined
  googleSignIn: { clientId: string; clientSecret: string; issuer: string } | undefined
  /** Undefined: agents cannot be connected to calendars. */
  googleCalendar: GoogleCalendarConfig | undefined
  mail: { smtpUrl: string | undefined; from: string }
  /** Token of the Telegram bot that alerts people of the team; undefined: no bot. */
  alertBotToken: string | undefined
  /** The failure of this server at a failpoint; undefined outside of tests. */
  failure: Failure | undefined
}
/** `usdPerMillion`: price of a million tokens; undefined: unknown. */
export type EmbeddingsConfig = {
  model: string
  baseUrl: string
  apiKey: string | undefined
  usdPerMillion: number | undefined
}
/** `usdPerThousand`: price of a thousand searches; undefined: unknown. */
export type RerankConfig = {
  protocol: 'cohere' | 'voyage' | 'tei'
  baseUrl: string
  model: string | undefined
  apiKey: string | undefined
  usdPerThousand: number | undefined
}
/**
 * `baseUrl` undefined: the provider's own. `usdPerThousand`: price of a thousand searches; undefined: unknown. `perDay`: searches of one
 * organization.
 */
export type WebSearchConfig = {
  provider: WebSearchProvider
  baseUrl: string | undefined
  apiKey: string | undefined
  usdPerThousand: number | undefined
  perDay: number
}
/** `consentUrl`, `oauthUrl`, `calendarUrl`: where Google asks people, gives tokens, and serves calendars. */
export type GoogleCalendarConfig = {
  clientId: string
  clientSecret: string
  consentUrl: string
  oauthUrl: string
  calendarUrl: string
}
export type ProviderConfig = { apiKey: string | undefined; baseUrl: string | undefined }

/** The environment of this process, falling back to the variables in the file. A missing file is treated as empty. */
export function loadEnvironment(file: string | undefined): NodeJS.ProcessEnv {
  if (!file || !fs.existsSync(file)) return process.env
  return { ...parseEnv(fs.readFileSync(file, 'utf8')), ...process.env }
}

/** Deletes empty variables: libraries that read them on their own would take them for wrong values. */
export function dropEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) if (value === '') delete process.env[name]
}

/**
 * Reads the configuration.
 * @throws Error listing every invalid variable in one message
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const parsed = environment.safeParse(env)
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path: [name], message }) => `  ${String(name)}: ${message}`)
    throw new Error(
      `The configuration is not valid:\n${problems.join('\n')}\nSee .env.example for what each variable means.`,
    )
  }
  const e = parsed.data
  return {
    port: e.PORT,
    host: e.HOST,
    hasPublicUrl: e.PUBLIC_URL !== undefined,
    publicUrl: e.PUBLIC_URL ?? `http://localhost:${e.PORT}`,
    dataDir: e.DATA_DIR,
    databaseUrl: e.DATABASE_URL,
    appSecret: e.APP_SECRET,
    previousAppSecrets: e.APP_SECRET_PREVIOUS,
    adminEmails: e.ADMIN_EMAILS.map((email) => email.toLowerCase()),
    signUp: e.SIGN_UP,
    showsLetters: e.DEV_MAIL && e.SMTP_URL === undefined,
    contactEmail: e.CONTACT_EMAIL,
    salesEmail: e.SALES_EMAIL,
    allowedOrigins: e.ALLOWED_ORIGINS,
    trustProxy: e.TRUST_PROXY,
    logLevel: e.LOG_LEVEL,
    metricsToken: e.METRICS_TOKEN,
    ...channelsOf(e),
    openai: { apiKey: e.OPENAI_API_KEY, baseUrl: e.OPENAI_BASE_URL },
    anthropic: { apiKey: e.ANTHROPIC_API_KEY, baseUrl: e.ANTHROPIC_BASE_URL },
    google: { apiKey: e.GOOGLE_API_KEY, baseUrl: e.GOOGLE_BASE_URL },
    groq: { apiKey: e.GROQ_API_KEY, baseUrl: e.GROQ_BASE_URL },
    deepgram: { apiKey: e.DEEPGRAM_API_KEY, baseUrl: e.DEEPGRAM_BASE_URL },
    elevenlabs: { apiKey: e.ELEVENLABS_API_KEY, baseUrl: e.ELEVENLABS_BASE_URL },
    embeddings:
      e.EMBEDDINGS_MODEL === undefined
        ? undefined
        : {
            model: e.EMBEDDINGS_MODEL,
            baseUrl: e.EMBEDDINGS_BASE_URL,
            apiKey: e.EMBEDDINGS_API_KEY,
            usdPerMillion: e.EMBEDDINGS_USD_PER_MILLION,
          },
    rerank:
      e.RERANK_BASE_URL === undefined
        ? undefined
        : {
            protocol: e.RERANK_PROTOCOL,
            baseUrl: e.RERANK_BASE_URL,
            model: e.RERANK_MODEL,
            apiKey: e.RERANK_API_KEY,
            usdPerThousand: e.RERANK_USD_PER_THOUSAND,
          },
    webSearch: webSearchOf(e),
    googleSignIn:
      e.GOOGLE_CLIENT_ID && e.GOOGLE_CLIENT_SECRET
        ? { clientId: e.GOOGLE_CLIENT_ID, clientSecret: e.GOOGLE_CLIENT_SECRET, issuer: e.GOOGLE_ISSUER }
        : undefined,
    googleCalendar: googleCalendarOf(e),
    mail: { smtpUrl: e.SMTP_URL, from: e.MAIL_FROM },
    alertBotToken: e.ALERT_BOT_TOKEN,
    failure: e.FAILURE,
  }
}

/** Where the providers of channels are reached. */
function channelsOf(e: z.output<typeof environment>) {
  return {
    telegramApiRoot: e.TELEGRAM_API_ROOT,
    greenApiUrl: e.GREEN_API_URL,
    greenApiPartner: e.GREEN_API_PARTNER_TOKEN
      ? { url: e.GREEN_API_PARTNER_URL ?? e.GREEN_API_URL, token: e.GREEN_API_PARTNER_TOKEN }
      : undefined,
    whatsappGraphUrl: `${e.WHATSAPP_GRAPH_URL}/${e.WHATSAPP_GRAPH_VERSION}`,
    instagramGraph: { url: e.INSTAGRAM_GRAPH_URL, version: e.INSTAGRAM_GRAPH_VERSION },
    maxApiUrl: e.MAX_API_URL,
    vkApiUrl: e.VK_API_URL,
    avitoApiUrl: e.AVITO_API_URL,
  }
}

function googleCalendarOf(e: z.output<typeof environment>): Config['googleCalendar'] {
  const { GOOGLE_CALENDAR_CLIENT_ID: clientId, GOOGLE_CALENDAR_CLIENT_SECRET: clientSecret } = e
  if (!clientId || !clientSecret) return undefined
  const addresses = { consentUrl: e.GOOGLE_CONSENT_URL, oauthUrl: e.GOOGLE_OAUTH_URL }
  return { clientId, clientSecret, ...addresses, calendarUrl: e.GOOGLE_CALENDAR_URL }
}

function webSearchOf(e: z.output<typeof environment>): Config['webSearch'] {
  return (
    e.WEB_SEARCH_PROVIDER && {
      provider: e.WEB_SEARCH_PROVIDER,
      baseUrl: e.WEB_SEARCH_BASE_URL,
      apiKey: e.WEB_SEARCH_API_KEY,
      usdPerThousand: e.WEB_SEARCH_USD_PER_THOUSAND,
      perDay: e.WEB_SEARCH_PER_DAY,
    }
  )
}

/** Every secret that a list may mean, those that may be one with a comma in it first: a secret that was chosen with a comma stays one. */
function secretsIn(text: string): string[] {
  const pieces = text.split(',')
  const runs = pieces.flatMap((_, from) =>
    pieces.slice(from).map((_, at) => ({
      length: at + 1,
      run: pieces
        .slice(from, from + at + 1)
        .join(',')
        .trim(),
    })),
  )
  const secrets = runs.filter(({ run }) => run.length >= SECRET_LEAST).sort((a, b) => b.length - a.length)
  return [...new Set(secrets.map(({ run }) => run))]
}

/** Whether a list is of secrets, or is one. */
function areSecrets(text: string): boolean {
  return list(text).every((secret) => secret.length >= SECRET_LEAST) || text.trim().length >= SECRET_LEAST
}
