// The web chat: appearance of a widget, the sites that may embed it, and the messages between it and the server.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import {
  RATING_COMMENT_MAX,
  VISITOR_ID_MAX,
  VISITOR_NAME_MAX,
  WEBCHAT_FILES_PER_MESSAGE,
  WEBCHAT_TEXT_MAX,
  WIDGET_DOMAINS_MAX,
  WIDGET_GREETING_MAX,
  WIDGET_TITLE_MAX,
} from '#shared/limits.ts'
import { uploadTickets } from '#shared/messaging/attachments.ts'
import type { BrandFooter } from '#shared/organizations/branding.ts'
import { id } from '#shared/schema.ts'

/** Languages of a widget. */
export const WIDGET_LANGUAGES = ['ru', 'en'] as const
export type WidgetLanguage = (typeof WIDGET_LANGUAGES)[number]

export const WIDGET_POSITIONS = ['right', 'left'] as const
/** Of a widget whose organization has chosen none either. */
export const WIDGET_COLOR = '#2f5d50'
/** `#` and six hexadecimal digits. */
const WIDGET_COLOR_PATTERN = /^#[0-9a-f]{6}$/i
/**
 * A host as people write it, in any script, with an optional port; `*.` means all its subdomains, `http://` that pages without encryption
 * are allowed too.
 */
const WIDGET_DOMAIN_PATTERN =
  /^(?:http:\/\/)?(?:\*\.)?(?=.{1,253}(?::\d+)?$)[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,62})(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62})*(?::\d{1,5})?$/iu
/** Hosts of the developer's own machine, which hardly ever use encryption. */
const OWN_MACHINE_PATTERN = /^(?:(?:.+\.)?localhost|127\.0\.0\.1)(?::\d+)?$/i
/** The public part of a widget's addresses. */
export const WIDGET_KEY_PATTERN = /^[A-Za-z0-9_-]{22}$/

/** Whether a widget may be allowed on a host: browsers must be able to parse it. */
export function isWidgetDomain(domain: string): boolean {
  return WIDGET_DOMAIN_PATTERN.test(domain) && URL.canParse(`http://${domain.replace('http://', '').replace('*.', '')}`)
}

/** Whether pages of a host are allowed without encryption by default. */
export function isOwnMachine(host: string): boolean {
  return OWN_MACHINE_PATTERN.test(host)
}

const greeting = z.string().check(z.trim(), z.maxLength(WIDGET_GREETING_MAX))
const texts = z.strictObject({
  /** The first thing a visitor reads; empty: nothing. */
  greeting,
  /** Shown outside the agent's hours; empty: nothing. */
  offline: greeting,
})

export const widgetSettings = z.strictObject({
  title: z.string().check(z.trim(), z.minLength(1), z.maxLength(WIDGET_TITLE_MAX)),
  /** Empty: that of the organization. */
  color: z.union([z.string().check(z.regex(WIDGET_COLOR_PATTERN)), z.literal('')]),
  position: z.enum(WIDGET_POSITIONS),
  /** Shows the agent's picture next to the title. */
  hasAvatar: z.boolean(),
  /** Visitors may send pictures and documents. */
  takesFiles: z._default(z.boolean(), true),
  texts: z.strictObject({ ru: texts, en: texts }),
  /** Sites that may show the widget, over https unless they begin with `http://`; none: only its own page shows it. */
  domains: z.array(z.string().check(z.refine(isWidgetDomain))).check(z.maxLength(WIDGET_DOMAINS_MAX)),
})
export type WidgetSettings = z.infer<typeof widgetSettings>

export const provisionWebchatInput = z.strictObject({ agentId: id('agents'), widget: widgetSettings })
export const updateWebchatInput = z.strictObject({ connectionId: id('channelConnections'), widget: widgetSettings })

/** A message of a visitor. `id` is generated in the browser; sending the same one again is idempotent. */
export const visitorMessage = z
  .strictObject({
    id: z.string().check(z.regex(/^[A-Za-z0-9-]{8,64}$/)),
    /** Empty only where files are sent. */
    text: z.string().check(z.trim(), z.maxLength(WEBCHAT_TEXT_MAX)),
    language: z.enum(WIDGET_LANGUAGES),
    /** Tickets of earlier uploads. */
    files: uploadTickets.check(z.maxLength(WEBCHAT_FILES_PER_MESSAGE)),
  })
  .check(z.refine(({ text, files }) => text !== '' || files.length > 0))
export type VisitorMessage = z.infer<typeof visitorMessage>

const line = (max: number) => z.string().check(z.minLength(1), z.maxLength(max), z.regex(/^[^\r\n]*$/))
/** The visitor's identity as asserted by the embedding site; `hash` is computed with the widget's secret. */
export const visitorIdentity = z.strictObject({
  userId: line(VISITOR_ID_MAX),
  name: z.optional(line(VISITOR_NAME_MAX)),
  hash: z.string().check(z.maxLength(100)),
})
export type VisitorIdentity = z.infer<typeof visitorIdentity>

/** A visitor's rating; `score` null: they declined. */
export const visitorRating = z.strictObject({
  score: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(5))),
  comment: z.string().check(z.trim(), z.maxLength(RATING_COMMENT_MAX)),
})
export type VisitorRating = z.infer<typeof visitorRating>

/** A visitor's session. `token` is sent as a bearer token, and renewed by requesting a session again. */
export type VisitorSession = {
  token: string
  /** Milliseconds from now until it has to be renewed. */
  renewInMs: number
  widget: Pick<WidgetSettings, 'title' | 'color' | 'position' | 'texts' | 'takesFiles'> & {
    /** Path of a picture on the same host; null: none is shown. */
    avatar: string | null
    /** A line below the chat; null: none. */
    footer: BrandFooter | null
  }
}

/** One bubble. An agent's or operator's message has one for each part that was sent. */
export type VisitorBubble = {
  id: string
  author: 'customer' | 'agent' | 'operator'
  text: string
  /** Its files, in order. */
  files: VisitorFile[]
  at: number
}

/** A file of a bubble. `isImage`: browsers can show it. `isVoice`: a spoken version of the answer before it. */
export type VisitorFile = { id: Id<'attachments'>; name: string; isImage: boolean; isVoice: boolean }

/** The conversation as its visitor may see it, in order; only the newest bubbles of a long one. */
export type VisitorChat = {
  bubbles: VisitorBubble[]
  /** An answer is being written. */
  isAnswering: boolean
  /** The answer written so far; removed when the answer arrives or is given up. Null: answers are shown only when complete. */
  draft: string | null
  /** A person was `called`, or is `here`, and the agent is paused. Null: the agent answers. */
  person: 'called' | 'here' | null
  /** How much longer an operator counts as typing, milliseconds; 0: no one is typing. */
  personTypingMs: number
  /** Whether the visitor is asked for a rating. */
  isRatingAsked: boolean
  /** Whether it is within the agent's hours. */
  isOpen: boolean
}
