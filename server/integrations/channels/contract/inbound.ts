// Parsed notifications of providers: the result type of every channel's `parse`.

import type { AccountState, BusinessAccount } from '#shared/channels/channels.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import type { ReceiptState } from '#shared/messaging/conversations.ts'
import type { Forward } from '#shared/messaging/forwards.ts'

/** What came with a message besides its text. Everything but the kind is as the provider reports it, and may be wrong. */
export type InboundAttachment = {
  kind: AttachmentKind
  /** The id for `ChannelMedia.download`; null: there is no file. */
  fileId: string | null
  /** Set when the file is already in our file store: its key. */
  fileKey?: string
  mimeType: string | null
  name: string | null
  sizeBytes: number | null
  durationSeconds: number | null
  /** Its content as text: the emoji of a sticker, the coordinates of a location; null where the file has to be read. */
  text: string | null
}

/** One parsed notification of a provider. `externalKey` is unique per connection: an equal key is the same event. */
export type Inbound =
  | {
      kind: 'message'
      externalKey: string
      chatId: string
      /** `aliases`: all other ids of the sender in the message, for a channel that `hasAliases`; `externalId` is the best of them. */
      sender: { externalId: string; aliases?: string[]; name: string; username: string | null; language: string | null }
      /** May be empty where something is attached. */
      text: string
      /** In the order of the message; left out when there are none. */
      attachments?: InboundAttachment[]
      /** The customer has asked for a person with a button: the agent does not answer, whatever the text says. */
      callsPerson?: true
      /**
       * Set when the message is a press of a button under a message of ours: the id that the provider gave that message. The press counts
       * only as long as nothing was written since; left out where customers see a press as a message of their own.
       */
      pressed?: { externalMessageId: string; answerId: string }
      /** The id by which an edit names it, within the chat; left out by a channel without edits. */
      externalMessageId?: string
      /** That id is unique across chats: where customers have several ids, any of which may name their chat. */
      isGlobalId?: true
      /** The author within a group; left out in private chats. */
      speaker?: string
      /** The message forwards someone else's words: no commands, phrases or ratings are read from it. Left out for the sender's own. */
      forwarded?: Forward
      /** The start of the message that it replies to. */
      quoted?: string
      /** The provider's id of the message that it replies to; left out where unknown. */
      repliesTo?: string
      /** When it was sent, by the provider's clock in milliseconds; left out where the provider does not report it. */
      sentAt?: number
      /** A person has already answered it outside of Parley: the agent does not, and its commands and phrases count as handled. */
      isAnswered?: true
      /** More pieces may follow at once, as in an album: the answer waits a moment for the rest. */
      isPiece?: true
    }
  /**
   * A button of a rating question was pressed: there is no message. `ratingId`: the question's id, as given in `SendOptions`. Both come from the
   * customer's client by way of the provider: they may be anything.
   */
  | {
      kind: 'rating'
      externalKey: string
      chatId: string
      sender: { externalId: string; language: string | null }
      pressed: { externalMessageId: string; answerId: string }
      ratingId: string
      score: number
      /** The member of a group who pressed; left out in private chats. */
      speaker?: string
    }
  /**
   * The customer has edited a message. `text` is the whole new text. `editedAt`: when, by the provider's clock in milliseconds; left out
   * where the provider does not report it. May arrive before the message itself, and before an earlier edit of it.
   */
  | {
      kind: 'edit'
      externalKey: string
      chatId: string
      externalMessageId: string
      text: string
      /** As of a message. */
      forwarded?: Forward
      editedAt?: number
      /** As of a message. */
      isGlobalId?: true
    }
  /**
   * A person answered the customer outside of Parley, such as on the account's own phone. Never a message of ours, except with `mayBeOurs`:
   * the provider reports both without distinction.
   */
  | {
      kind: 'humanReply'
      externalKey: string
      chatId: string
      externalMessageId: string
      text: string
      mayBeOurs?: true
      /** A file without text; `text` is only a placeholder. */
      isFile?: true
    }
  /**
   * The delivery state of a message that the provider had accepted; `failed`: it gave up. May come before `send` has returned, twice, and
   * in any order. `reason`: the provider's word or sentence about `failed`. `isUpTo`: it applies to all earlier messages of the chat too.
   */
  | {
      kind: 'receipt'
      externalKey: string
      externalMessageId: string
      state: ReceiptState
      reason?: string
      isUpTo?: true
    }
  /** A chat has a new id from now on: a group that became a supergroup. May come twice, and after messages under the new id. */
  | { kind: 'chatMoved'; externalKey: string; chatId: string; toChatId: string }
  /** A user lets the account answer in their own name, or no longer does. Ids of their chats end in `@` and its `linkId`. */
  | { kind: 'business'; externalKey: string; business: BusinessAccount }
  /** The account changed its state at `at` (milliseconds). `identifier`: what people call it, where that came along. */
  | { kind: 'accountState'; externalKey: string; state: AccountState; identifier: string | null; at: number }
  /**
   * A known notification that needs no answer (a join, a reaction, unsupported content). `isOthers`: it concerns another account, perhaps
   * of another organization, so none of its content may be stored.
   */
  | { kind: 'ignored'; externalKey: string; isOthers?: true }
  /** An unknown notification: kept for a person to inspect. */
  | { kind: 'unknown'; externalKey: string }

/** A notification that is a message of a customer. */
export type InboundMessage = Extract<Inbound, { kind: 'message' }>
