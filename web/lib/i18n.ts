// Languages: Russian (default and fallback) and English. Texts are one JSON file per feature and language, loaded when first needed.
//   const { t } = useTranslation('agents')
//   t(($) => $.list.title)                       a wrong key does not compile
//   t(($) => $.list.count, { count: 3 })         plurals: count_one, count_few, count_many, count_other
import i18next, { type BackendModule, type FormatterModule } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { productName } from '#web/lib/browser/brand.ts'
import type admin from '#web/locales/ru/admin.json'
import type agents from '#web/locales/ru/agents.json'
import type analytics from '#web/locales/ru/analytics.json'
import type attacks from '#web/locales/ru/attacks.json'
import type audit from '#web/locales/ru/audit.json'
import type auth from '#web/locales/ru/auth.json'
import type branding from '#web/locales/ru/branding.json'
import type channels from '#web/locales/ru/channels.json'
import type common from '#web/locales/ru/common.json'
import type conversations from '#web/locales/ru/conversations.json'
import type errors from '#web/locales/ru/errors.json'
import type exports from '#web/locales/ru/exports.json'
import type help from '#web/locales/ru/help.json'
import type integrations from '#web/locales/ru/integrations.json'
import type knowledge from '#web/locales/ru/knowledge.json'
import type plan from '#web/locales/ru/plan.json'
import type promptGenerator from '#web/locales/ru/prompt-generator.json'
import type proposals from '#web/locales/ru/proposals.json'
import type ragTester from '#web/locales/ru/rag-tester.json'
import type security from '#web/locales/ru/security.json'
import type settings from '#web/locales/ru/settings.json'
import type support from '#web/locales/ru/support.json'
import type tables from '#web/locales/ru/tables.json'
import type testChat from '#web/locales/ru/test-chat.json'
import type tools from '#web/locales/ru/tools.json'
import type tray from '#web/locales/ru/tray.json'
import type versions from '#web/locales/ru/versions.json'
import type webSearch from '#web/locales/ru/web-search.json'
import type webhooks from '#web/locales/ru/webhooks.json'
import type why from '#web/locales/ru/why.json'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    enableSelector: true
    resources: {
      common: typeof common
      errors: typeof errors
      admin: typeof admin
      analytics: typeof analytics
      attacks: typeof attacks
      audit: typeof audit
      auth: typeof auth
      agents: typeof agents
      integrations: typeof integrations
      branding: typeof branding
      knowledge: typeof knowledge
      proposals: typeof proposals
      'rag-tester': typeof ragTester
      'test-chat': typeof testChat
      tools: typeof tools
      tray: typeof tray
      exports: typeof exports
      help: typeof help
      channels: typeof channels
      conversations: typeof conversations
      plan: typeof plan
      security: typeof security
      settings: typeof settings
      support: typeof support
      tables: typeof tables
      'web-search': typeof webSearch
      webhooks: typeof webhooks
      why: typeof why
      versions: typeof versions
      'prompt-generator': typeof promptGenerator
    }
  }
}

export const LANGUAGES = ['ru', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
/** One file of texts. */
export type TextNamespace =
  | 'common'
  | 'errors'
  | 'admin'
  | 'analytics'
  | 'attacks'
  | 'audit'
  | 'webhooks'
  | 'auth'
  | 'agents'
  | 'integrations'
  | 'branding'
  | 'knowledge'
  | 'proposals'
  | 'rag-tester'
  | 'test-chat'
  | 'exports'
  | 'help'
  | 'plan'
  | 'security'
  | 'tools'
  | 'tray'
  | 'channels'
  | 'conversations'
  | 'settings'
  | 'support'
  | 'tables'
  | 'web-search'
  | 'why'
  | 'versions'
  | 'prompt-generator'

const LANGUAGE_KEY = 'parley-language'

const files = import.meta.glob<Record<string, unknown>>('../locales/*/*.json', { import: 'default' })

const lazyFiles: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (language, namespace, done) => {
    const load = files[`../locales/${language}/${namespace}.json`]
    if (!load) return done(new Error(`No texts for ${language}/${namespace}`), null)
    load().then(
      (texts) => done(null, texts),
      (error: Error) => done(error, null),
    )
  },
}

/** Numbers in a text follow its language: 12 345 in Russian, 12,345 in English. */
const writtenNumbers: FormatterModule = {
  type: 'formatter',
  init: () => {},
  add: () => {},
  addCached: () => {},
  format: (value: number | string, _format, language) =>
    typeof value === 'number' ? new Intl.NumberFormat(language === 'en' ? 'en-GB' : 'ru-RU').format(value) : value,
}

/** Resolved once the language is set: the router requests the texts of the first screen before that. */
const started = Promise.withResolvers<void>()

/** Loads the texts that every screen needs in the stored language. Safe to call twice. */
export async function startI18n(language: Language = storedLanguage()): Promise<void> {
  if (i18next.isInitialized) return
  i18next.on('languageChanged', (next) => {
    document.documentElement.lang = next
  })
  await i18next
    .use(lazyFiles)
    .use(writtenNumbers)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: 'ru',
      supportedLngs: LANGUAGES,
      ns: ['common', 'errors'],
      defaultNS: 'common',
      // React escapes. Any text may name the product.
      interpolation: { escapeValue: false, alwaysFormat: true, defaultVariables: { product: productName() } },
      returnNull: false,
      parseMissingKeyHandler: wordsForMissing,
    })
  started.resolve()
}

/** Shown in place of a missing text, for a code of a newer server: never the key. */
function wordsForMissing(key: string, defaultValue?: string): string {
  if (defaultValue !== undefined) return defaultValue
  console.error(`No text for ${key}`)
  return i18next.getResource(currentLanguage(), 'common', 'untold') ?? ''
}

/**
 * Loads the texts of features in the current language, once that is set; the route of a screen loads them in parallel with its code. Texts
 * that are not loaded when first used suspend the whole page.
 */
export async function loadTexts(...namespaces: TextNamespace[]): Promise<void> {
  await started.promise
  await i18next.loadNamespaces(namespaces)
}

/** Switches the language at once and stores it. */
export async function setLanguage(language: Language): Promise<void> {
  try {
    localStorage.setItem(LANGUAGE_KEY, language)
  } catch {
    // Storage may be forbidden; the choice then lasts until the page is closed.
  }
  await i18next.changeLanguage(language)
}

/** The language on screen now. */
export function currentLanguage(): Language {
  return i18next.language === 'en' ? 'en' : 'ru'
}

function storedLanguage(): Language {
  try {
    return localStorage.getItem(LANGUAGE_KEY) === 'en' ? 'en' : 'ru'
  } catch {
    return 'ru'
  }
}

export { useTranslation } from 'react-i18next'
