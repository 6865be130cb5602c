// What is known of a turn while it is answered: its facts as they were read at one moment. No SQL, no rules.
import type { SealedKeys } from '#server/domain/agents/keys.store.ts'
import type { Quota } from '#server/domain/billing/quotas.store.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { Channel, ConnectionStatus } from '#shared/channels/channels.ts'
import type { ConnectionSettings } from '#shared/channels/connection-settings.ts'
import type { ConnectedChannel } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { KnowledgeSource } from '#shared/knowledge/knowledge.ts'
import type { SourceLanguage } from '#shared/knowledge/knowledge-marks.ts'
import type { AttachmentFailure, AttachmentKind, AttachmentStatus } from '#shared/messaging/attachments.ts'
import type { ConversationStatus, MessageAuthor, MessageStatus, PauseReason } from '#shared/messaging/conversations.ts'
import type { TurnKind } from '#shared/messaging/trace.ts'
import type { AtLimit } from '#shared/organizations/organizations.ts'

/** A turn that this process has claimed. `epoch` fences it: a later claim has a greater one. */
export type Claim = {
  turnId: Id<'turns'>
  epoch: number
  /** How often it was broken off by accident before. */
  crashes: number
  organizationId: Id<'organizations'>
  conversationId: Id<'conversations'>
}

/** The situation in which a tester tries an agent. */
export type Rehearsal = {
  /** Cuts and shows the answer as this channel would; null: the answer stays whole. */
  channel: ConnectedChannel | null
  /** What the agent takes for now, milliseconds since the epoch; null: the real moment. */
  at: number | null
  appliesRules: boolean
}

/** What a conversation remembers of its beginning: in short, and up to which message. */
export type Memory = { summary: string | null; summaryThrough: number }

/** What a follow-up has to know beyond its conversation. */
export type FollowUpFacts = {
  /** Follow-ups sent since the customer last wrote. */
  step: number
  /** Follow-ups that the customer got today, in the organization's time zone. */
  sentToday: number
  /** All of the agent's last message has reached the channel. */
  isDelivered: boolean
}

/** What a conversation knows of its last handoff. */
export type HandoffFacts = {
  /** Why the agent fell silent; null: unknown. */
  handoffReason: PauseReason | null
  /** What it had noted for the person. */
  handoffNote: string | null
  /** The last stretch in short, when it was long, and the sequence up to which that goes. */
  stretchSummary: string | null
  stretchThrough: number
}

/** What limits have to know about a turn, its conversation and its organization. */
export type LimitFacts = {
  /** Messages a month; null: unlimited. */
  allowance: number | null
  /** The organization is suspended by an administrator of the installation. Missing: it is not. */
  isSuspended?: boolean
  atLimit: AtLimit
  /** Of the organization; empty: the built-in one. */
  limitText: string
  /** Millionths of a US dollar a month; null: no ceiling. */
  monthlySpendMicroUsd: number | null
  /** Periods of which the turn holds an answer already, from a try that did not end it. */
  reservedMonth: string | null
  reservedDay: string | null
  /** Notices that the conversation has had: reason → milliseconds since the epoch. */
  notices: Partial<Record<string, number>>
  /** Answers of the conversation on the day `answersOn`, `YYYY-MM-DD`. */
  answersOn: string | null
  answersCount: number
  /** The agent's day as it was when the turn was read; null: it has not been asked for yet. Missing: not read. */
  agentDay?: Quota | null
  /** Language of the customer's messenger, as a tag. */
  language: string | null
}

/** An attachment of a message in the history of a turn. */
export type TurnAttachment = {
  id: Id<'attachments'>
  kind: AttachmentKind
  name: string | null
  mimeType: string | null
  durationSeconds: number | null
  status: AttachmentStatus
  text: string | null
  reason: AttachmentFailure | null
}

/** What is passed on in a message. `own`: what the customer has written themselves. */
export type PassedOn = { from: string | null; text: string; own: string }

/** A message of the conversation as the turn knows it. */
export type HistoryMessage = {
  sequence: number
  author: MessageAuthor
  status: MessageStatus
  text: string
  /** Milliseconds since the epoch. */
  at: number
  /** Null or missing: none. */
  attachments?: TurnAttachment[] | null
  /** What is attached, as it is given to a model. */
  data?: DataBlock[]
  /** Who of a group wrote; null or missing: the customer is one person. */
  speaker?: string | null
  /** What the agent has offered below it to press; null or missing: nothing. */
  choices?: string[] | null
  /** What it replies to, in short; null or missing: nothing. */
  quoted?: string | null
  /** What it forwards of another author; missing: nothing. `text` is the customer's own words. */
  passedOn?: PassedOn
  /** What it is about, where the text says more or less than that. */
  subject?: string
}

/** A claimed turn with what it is about. */
export type Turn = Claim & {
  /** Model calls that failed before. */
  failedAttempts: number
  /** When the first of them began, milliseconds since the epoch. */
  firstTriedAt: number | null
  kind: TurnKind
  /** Null for a reply. */
  followUp: FollowUpFacts | null
  /** How long the customer had waited when it was claimed. */
  waitedMs: number
  /** Test chat only: what the tester has changed for this answer, path → value. */
  overrides: Record<string, unknown>
  /** Test chat only: the situation in which the agent is tried. */
  rehearsal?: Rehearsal
  conversation: {
    status: ConversationStatus
    /** As it was when the turn was read; a pause since then makes the answer unwanted. */
    pauseEpoch: number
    answeredThrough: number
    /** Customer messages up to this sequence call no person any more. */
    phrasesThrough: number
    channel: Channel
    chatId: string | null
    /** As the team calls them, else as they have entered it; null in the test chat. */
    customerName: string | null
    messageCount: number
  } & HandoffFacts &
    Memory
  /** Null in the test chat. */
  connection: {
    id: Id<'channelConnections'>
    status: ConnectionStatus
    isOff: boolean
    /** What a person has set of it; null or missing: its channel has nothing to set. */
    settings?: ConnectionSettings | null
  } | null
  agent: {
    id: Id<'agents'>
    name: string
    /** Number of the version that answers: the live one, in the test chat the newest. */
    version: number
    isDraft: boolean
    settings: AgentSettings
    isDeleted: boolean
    spaceIds: Id<'knowledgeSpaces'>[]
    /** By space, what of it neither the agent nor the space allows to use. */
    disabledSources: Partial<Record<string, KnowledgeSource[]>>
    /** By space, the tags of which one is wanted of every source; none: all sources will do. */
    tags: Partial<Record<string, string[]>>
    /** By space, the languages of which every source is in one, where its language is known; none: all sources will do. */
    languages: Partial<Record<string, SourceLanguage[]>>
    /** Its own keys of model providers, encrypted. */
    keys: SealedKeys
    /** It was connected to a calendar that a person has to connect again; missing: it was not. */
    lacksCalendar?: boolean
    /** It is connected to a calendar; missing: it is not. */
    hasCalendar?: boolean
    /** Minutes before a visit at which its customer is reminded; null or missing: the default. */
    reminders?: number[] | null
  }
  timeZone: string
  /** As customers see it; missing where nothing needs it. */
  organizationName?: string
  /** What stands before the agent's own instructions; null or missing: nothing. */
  template?: { number: number; text: string } | null
  /** What an administrator of the installation has left on; missing: all. */
  flags?: { voice: boolean; webSearch: boolean }
  limits: LimitFacts
  /** The sequence of the message with which the conversation has begun again; missing: all of the history is of one. */
  sessionFrom?: number
  /** The messages, oldest first, without system notes, failed answers, withheld texts and ratings, which our thanks repeat. */
  history: HistoryMessage[]
}
