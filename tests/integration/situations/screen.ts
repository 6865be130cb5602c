// What the inbox shows of a turn, as text: its lines in the conversation and its "Why?", rendered by the real interface in each language.
import fs from 'node:fs'
import path from 'node:path'
import i18next from 'i18next'
import { createElement as h } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { initReactI18next } from 'react-i18next'
import { vi } from 'vitest'
import type { Message } from '#shared/messaging/conversations.ts'
import type { MessageExplanation } from '#shared/messaging/explanations.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { MessageRun } from '#web/components/chat/message-run.tsx'
import { timeline } from '#web/components/chat/timeline.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { WhyExplanation } from '#web/components/why/why-explanation.tsx'
import { WhyRecord } from '#web/components/why/why-record.tsx'

vi.mock('#web/lib/server/convex.ts', () => ({})) // a browser’s connection; the data rendered here is passed in

export const LANGUAGES = ['ru', 'en'] as const
export type Language = (typeof LANGUAGES)[number]
type Words = { [key: string]: string | Words }

const FOLDER = path.resolve(import.meta.dirname, '../../../web/locales')
const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#x27': "'" }

function textsOf(language: Language): Record<string, Words> {
  const files = ['common', 'errors', 'conversations', 'why']
  return Object.fromEntries(
    files.map((name) => [name, JSON.parse(fs.readFileSync(`${FOLDER}/${language}/${name}.json`, 'utf8')) as Words]),
  )
}

const TEXTS = { ru: textsOf('ru'), en: textsOf('en') }

/** The text of a language at `conversations.outcome.timeout`. @throws where the language has none of its own */
export function textAt(language: Language, key: string): string {
  const text = key
    .split('.')
    .reduce<string | Words | undefined>((at, part) => (typeof at === 'object' ? at[part] : undefined), TEXTS[language])
  if (typeof text !== 'string' || text === '') throw new Error(`${language} has no text for ${key}`)
  return text
}

/** The text that a user reads in one language: of the conversation, and of the trace of a turn. */
export async function draw(language: Language, shown: { messages: Message[]; trace: TurnTrace | null }) {
  await speak(language)
  return {
    log: textOf(h(TooltipProvider, null, h('ol', null, ...runsOf(shown.messages)))),
    why: shown.trace ? textOf(h(TooltipProvider, null, h(WhyRecord, { trace: shown.trace, modelLabel: String }))) : '',
  }
}

/** The text that "Why?" of a message shows in one language before the trace of a turn. */
export async function drawExplanation(language: Language, explanation: MessageExplanation): Promise<string> {
  await speak(language)
  const turn = explanation.turns.find(({ _id }) => _id === explanation.turnId)
  const ignored = () => undefined
  const shown = { explanation, turn, trace: null, modelLabel: String, onChoose: ignored, onGoTo: ignored }
  vi.stubGlobal('document', { getElementById: () => null }) // the log is not rendered next to it
  const text = textOf(h(WhyExplanation, shown))
  vi.unstubAllGlobals()
  return text
}

function runsOf(messages: Message[]) {
  const agent = { name: 'Helper', avatar: null }
  const onOpenSource = () => undefined
  return timeline(messages)
    .flatMap(({ runs }) => runs)
    .map((run) =>
      h(MessageRun, { key: run.key, run, agent, onOpenSource, perspective: 'operator', customerName: 'Anna' }),
    )
}

async function speak(language: Language): Promise<void> {
  if (i18next.isInitialized) {
    await i18next.changeLanguage(language)
    return
  }
  const options = { lng: language, defaultNS: 'common', resources: TEXTS, interpolation: { escapeValue: false } }
  await i18next.use(initReactI18next).init(options)
}

function textOf(element: Parameters<typeof renderToStaticMarkup>[0]): string {
  return renderToStaticMarkup(element)
    .replace(/<[^>]+>/g, '\n')
    .replace(/&(amp|lt|gt|quot|#x27);/g, (_, name: string) => ENTITIES[name] ?? '')
}
