// The settings that a version of an agent holds: validation, and defaults.
import * as z from 'zod/mini'
import {
  AGENT_DAILY_LIMIT_DEFAULT,
  AUTO_RESUME_MAX_MS,
  CONTEXT_AGE_OPTIONS_MINUTES,
  CUSTOMER_DAILY_LIMIT_DEFAULT,
  FALLBACK_MODELS_MAX,
  FOLLOW_UP_STEPS_MAX,
  MESSAGE_BUFFER_MAX_SECONDS,
  NOTICE_MAX,
  PHRASE_MAX,
  PHRASES_MAX,
  SPEND_LIMIT_MAX_USD,
  SYSTEM_PROMPT_MAX,
  TEMPERATURE_FIXED,
  TEMPERATURE_MAX,
  TEMPERATURE_MIN,
} from '#shared/limits.ts'
import { id } from '#shared/schema.ts'
import { AGENT_MCP_TOOLS_MAX, HTTP_TOOLS_MAX } from '#shared/tools/limits.ts'

export const modelName = z.string().check(z.minLength(1), z.maxLength(200))
/** A text sent to a customer; empty: none. */
const notice = z.string().check(z.trim(), z.maxLength(NOTICE_MAX))
const phrases = z
  .array(z.string().check(z.trim(), z.minLength(1), z.maxLength(PHRASE_MAX)))
  .check(z.maxLength(PHRASES_MAX))
const count = (max: number) => z.number().check(z.int(), z.minimum(1), z.maximum(max))
/** Hour of a day, 0 to 23. */
const hour = z.number().check(z.int(), z.minimum(0), z.maximum(23))

/** How much of a conversation the model receives; the first limit reached drops the oldest messages. */
const context = z.strictObject({
  maxTokens: z.number().check(z.int(), z.minimum(500), z.maximum(200_000)),
  maxMessages: count(500),
  /** Minutes; null: however old. */
  maxAgeMinutes: z.nullable(z.literal(CONTEXT_AGE_OPTIONS_MINUTES)),
})

/** How an answer is sent. */
const replies = z.strictObject({
  splitByParagraphs: z.boolean(),
  /** `human`: each part waits as long as a person would need to type it. */
  pace: z.enum(['instant', 'human']),
})

/** Whether the agent may give choices to press, or a numbered list of them where there are no buttons. */
const choices = z.strictObject({ isOn: z.boolean() })

/**
 * Whether customers of messengers and of the HTTP channel are asked for a rating when a conversation ends. A web chat asks in its window.
 */
const ratings = z.strictObject({ isOn: z.boolean() })

/** Whether an answer with unknown delivery is resent automatically; otherwise a person decides. */
const resending = z.strictObject({ isOn: z.boolean() })

/** Messages that arrive within this many seconds of each other are answered once; 0: each is answered at once. */
const buffer = z.strictObject({
  seconds: z.number().check(z.int(), z.minimum(0), z.maximum(MESSAGE_BUFFER_MAX_SECONDS)),
})

/** Limits of answers a day, in the organization's time zone; null: no limit. */
const spam = z.strictObject({
  agentDailyLimit: z.nullable(count(1_000_000)),
  customerDailyLimit: z.nullable(count(100_000)),
  /** Per cent of a limit at which the team is warned. */
  warningPercent: count(100),
  /** Sent once to a customer who is over the limit. */
  text: notice,
})

/** Whether a conversation is paused when a machine writes in it, such as the auto-reply of another bot. */
const machineTalk = z.strictObject({ isOn: z.boolean() })

/** Default phrases that call a person. "Человек" alone is not one: customers ask for prices and tables with it. */
const CALLS =
  `operator, human, help, stop, оператор, живой человек, поговорить с человеком, соедините с человеком, дайте человека,
  позовите человека, переключите на человека, помощь, стоп`.split(/,\s+/)

const phraseLists = z.strictObject({ stop: phrases, resume: phrases })

const handoff = z.strictObject({
  /** Customer phrases that call a person, or the agent back. */
  customer: phraseLists,
  /** Operator phrases, sent in the conversation itself, that pause or resume the agent. */
  operator: phraseLists,
  /** Whether the agent may hand over on its own judgement. */
  byAgent: z.boolean(),
  /** Sent to the customer when a person is called; empty: a built-in sentence in their language. */
  text: notice,
  /** Milliseconds after which the agent resumes; null: only manually. */
  autoResumeMs: z.nullable(z.number().check(z.int(), z.minimum(60_000), z.maximum(AUTO_RESUME_MAX_MS))),
})

const availability = z.strictObject({
  isLimited: z.boolean(),
  /** Seven lists, Monday first: the hours in which the agent answers, in the organization's time zone. */
  hours: z.array(z.array(hour).check(z.maxLength(24))).check(z.length(7)),
  /** What happens to a message outside of these hours. */
  outside: z.enum(['silent', 'text', 'handoff']),
  text: notice,
})

const languages = ['auto', 'en', 'ru', 'es', 'fr', 'de', 'zh', 'ja', 'ko'] as const
export const SPEECH_LANGUAGES = languages
export const SPEECH_PROVIDERS = ['openai', 'groq', 'deepgram', 'elevenlabs'] as const
export const VISION_PROVIDERS = ['openai', 'anthropic', 'google'] as const
export const SPEECH_QUALITIES = ['standard', 'high', 'premium'] as const
export const VOICES = ['alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer'] as const
export const IMAGE_MODES = ['auto', 'detailed', 'brief', 'ocr'] as const

const multimodal = z.strictObject({
  voice: z.strictObject({
    isOn: z.boolean(),
    provider: z.enum(SPEECH_PROVIDERS),
    language: z.enum(languages),
    quality: z.enum(SPEECH_QUALITIES),
  }),
  images: z.strictObject({ isOn: z.boolean(), provider: z.enum(VISION_PROVIDERS), mode: z.enum(IMAGE_MODES) }),
  documents: z.strictObject({ isOn: z.boolean() }),
  /** Answers by voice to customers who prefer it. */
  speech: z.strictObject({ isOn: z.boolean(), voice: z.enum(VOICES) }),
})

/** How the model sees the search of the agent's knowledge; empty: the built-in name and description. */
const knowledgeTool = z.strictObject({
  name: z.string().check(z.regex(/^[a-zA-Z0-9_-]{0,64}$/)),
  description: z.string().check(z.trim(), z.maxLength(1000)),
})

/** How knowledge is searched, and what happens when it seems not to hold the answer. */
const evidence = z.strictObject({
  /** `answer`: from the instructions and the hits, else the agent says that it does not know. */
  whenWeak: z.enum(['answer', 'clarify', 'handoff']),
  /** Whether the agent's model rephrases the question before the search; a separate, paid call. */
  rewritesQuestions: z.boolean(),
})

/** Phrases to match, and what happens to a message that contains one. `text`: sent to the customer. */
const guard = z.strictObject({ phrases, action: z.enum(['text', 'silent', 'handoff']), text: notice })

/** Messages that the agent does not answer, texts that it does not send, and promises that it must keep. */
const guards = z.strictObject({
  /** Matched against what customers write. */
  questions: guard,
  /** Matched against what the model has written, before it is sent. */
  answers: guard,
  /** An answer that promises that a person will take care of it: `handoff` calls one, so that the promise is kept. */
  promises: z.enum(['handoff', 'allow']),
})

/**
 * What happens to an answer with figures, dates or names that are not in the agent's context. `allow`: it is sent and marked for the team;
 * otherwise the customer is asked, or handed over, with this text; empty: a built-in sentence in their language.
 */
const unfounded = z.strictObject({ action: z.enum(['allow', 'ask', 'handoff']), text: notice })

/** What is tried when the model fails. */
const fallback = z.strictObject({
  /** Tried in this order. */
  models: z.array(modelName).check(z.maxLength(FALLBACK_MODELS_MAX)),
  /** When all of them have failed. */
  last: z.enum(['silent', 'text', 'handoff']),
  text: notice,
})

const followUps = z.strictObject({
  isOn: z.boolean(),
  steps: z
    .array(
      z.strictObject({
        /** Minutes of silence since the agent's last message. */
        afterMinutes: count(7 * 24 * 60),
        /** `text` sends the text unchanged, `generated` passes it to the model as an instruction. */
        mode: z.enum(['text', 'generated']),
        text: z.string().check(z.trim(), z.minLength(1), z.maxLength(NOTICE_MAX)),
      }),
    )
    .check(z.maxLength(FOLLOW_UP_STEPS_MAX)),
  /** Nothing is sent from the hour `from` until the hour `to`; null: at any hour. */
  quietHours: z.nullable(z.strictObject({ from: hour, to: hour })),
  maxPerCustomerADay: count(10),
})

/** Spending limits of a calendar month in the organization's time zone, US dollars; null: none. */
const spending = z.strictObject({
  monthlyLimitUsd: z.nullable(z.number().check(z.positive(), z.maximum(SPEND_LIMIT_MAX_USD))),
})

const SWITCHED_FUNCTIONS = ['knowledge', 'tables', 'webSearch', 'calendar'] as const
/** A function that the agent has from its spaces or its calendar unless it is switched off; others have settings of their own. */
export type SwitchedFunction = (typeof SWITCHED_FUNCTIONS)[number]

/** What the agent does without although its spaces or its calendar offer it, and which tools of the organization it has. */
const functions = z.strictObject({
  off: z.array(z.enum(SWITCHED_FUNCTIONS)).check(z.maxLength(SWITCHED_FUNCTIONS.length)),
  tools: z.array(id('httpTools')).check(z.maxLength(HTTP_TOOLS_MAX)),
  /** Of MCP servers. */
  mcpTools: z._default(z.array(id('mcpTools')).check(z.maxLength(AGENT_MCP_TOOLS_MAX)), () => []),
})

const sections = {
  context: z._default(context, () => ({ maxTokens: 8000, maxMessages: 60, maxAgeMinutes: null })),
  replies: z._default(replies, () => ({ splitByParagraphs: false, pace: 'instant' as const })),
  choices: z._default(choices, () => ({ isOn: false })),
  ratings: z._default(ratings, () => ({ isOn: false })),
  resending: z._default(resending, () => ({ isOn: false })),
  buffer: z._default(buffer, () => ({ seconds: 0 })),
  spam: z._default(spam, () => ({
    agentDailyLimit: AGENT_DAILY_LIMIT_DEFAULT,
    customerDailyLimit: CUSTOMER_DAILY_LIMIT_DEFAULT,
    warningPercent: 80,
    text: '',
  })),
  machineTalk: z._default(machineTalk, () => ({ isOn: true })),
  handoff: z._default(handoff, () => ({
    customer: {
      stop: [...CALLS],
      resume: ['continue', 'bot', 'resume', 'start', 'продолжить', 'бот', 'возобновить', 'старт'],
    },
    operator: { stop: [], resume: [] },
    byAgent: true,
    text: '',
    autoResumeMs: null,
  })),
  availability: z._default(availability, () => ({
    isLimited: false,
    hours: Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_, at) => at)),
    outside: 'silent' as const,
    text: '',
  })),
  multimodal: z._default(multimodal, () => ({
    voice: { isOn: true, provider: 'openai' as const, language: 'auto' as const, quality: 'standard' as const },
    images: { isOn: true, provider: 'openai' as const, mode: 'auto' as const },
    documents: { isOn: true },
    speech: { isOn: false, voice: 'alloy' as const },
  })),
  knowledgeTool: z._default(knowledgeTool, () => ({ name: '', description: '' })),
  evidence: z._default(evidence, () => ({ whenWeak: 'answer' as const, rewritesQuestions: false })),
  guards: z._default(guards, () => ({
    questions: { phrases: [], action: 'text' as const, text: '' },
    answers: { phrases: [], action: 'handoff' as const, text: '' },
    promises: 'handoff' as const,
  })),
  unfounded: z._default(unfounded, () => ({ action: 'allow' as const, text: '' })),
  fallback: z._default(fallback, () => ({ models: [], last: 'silent' as const, text: '' })),
  followUps: z._default(followUps, () => ({ isOn: false, steps: [], quietHours: null, maxPerCustomerADay: 1 })),
  spending: z._default(spending, () => ({ monthlyLimitUsd: null })),
  functions: z._default(functions, () => ({ off: [], tools: [], mcpTools: [] })),
}

const instructions = {
  systemPrompt: z.string().check(z.maxLength(SYSTEM_PROMPT_MAX)),
  model: modelName,
  temperature: z.number().check(z.minimum(TEMPERATURE_MIN), z.maximum(TEMPERATURE_MAX)),
}

/** The settings of one version. Parsing fills in fields that were added after the version was saved. */
export const agentSettings = z.object({
  ...instructions,
  systemPrompt: z._default(instructions.systemPrompt, ''),
  temperature: z._default(instructions.temperature, TEMPERATURE_FIXED),
  ...sections,
})
export type AgentSettings = z.infer<typeof agentSettings>

/** A change of settings: each section included is complete. */
export const agentSettingsPatch = {
  systemPrompt: z.optional(instructions.systemPrompt),
  model: z.optional(instructions.model),
  temperature: z.optional(instructions.temperature),
  context: z.optional(context),
  replies: z.optional(replies),
  choices: z.optional(choices),
  ratings: z.optional(ratings),
  resending: z.optional(resending),
  buffer: z.optional(buffer),
  spam: z.optional(spam),
  machineTalk: z.optional(machineTalk),
  handoff: z.optional(handoff),
  availability: z.optional(availability),
  multimodal: z.optional(multimodal),
  knowledgeTool: z.optional(knowledgeTool),
  evidence: z.optional(evidence),
  guards: z.optional(guards),
  unfounded: z.optional(unfounded),
  fallback: z.optional(fallback),
  followUps: z.optional(followUps),
  spending: z.optional(spending),
  functions: z.optional(functions),
}
