// What a provider tells us, understood: the words that every channel's `parse` speaks.

import type { AccountState, BusinessAccount } from '#shared/channels/channels.ts'
import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import type { ReceiptState } from '#shared/messaging/conversations.ts'
import type { Forward } from '#shared/messaging/forwards.ts'

/** What came with a message besides its text. Everything but the kind is as the provider has told it, and may be wrong. */
export type InboundAttachment = {
  kind: AttachmentKind
  /** By which `ChannelMedia.download` gets the file; null: there is no file. */
  fileId: string | null
  /** It is in our own file store already, under this key. */
  fileKey?: string
  mimeType: string | null
  name: string | null
  sizeBytes: number | null
  durationSeconds: number | null
  /** What it says by itself: the emoji of a sticker, the coordinates of a place; null where a file has to be read. */
  text: string | null
}

/** One notification of a provider, understood. `externalKey` is unique per connection: the same key again is the same event. */
export type Inbound =
  | {
      kind: 'message'
      externalKey: string
      chatId: string
      /** `aliases`: all other ids of theirs that it names, of a channel that `hasAliases`; `externalId` is the best of them. */
      sender: { externalId: string; aliases?: string[]; name: string; username: string | null; language: string | null }
      /** May be empty where something is attached. */
      text: string
      /** In the order of the message; left out when there are none. */
      attachments?: InboundAttachment[]
      /** The customer has asked for a person by a button: the agent does not answer, whatever the text says. */
      callsPerson?: true
      /**
       * It was said by pressing a button under a message of ours, which the provider has named so when it took it. It counts only as long
       * as nothing was said since; left out where customers see a press as a message of their own.
       */
      pressed?: { externalMessageId: string; answerId: string }
      /** By which an edit names it, within the chat; left out by a channel that tells of no edits. */
      externalMessageId?: string
      /** That id means the same in every chat: so where customers are known by several ids, and their chat goes by any of them. */
      isGlobalId?: true
      /** Who of a group has written; left out where the sender speaks for themselves. */
      speaker?: string
      /** It passes on what somebody else has said: no command, no phrase and no rating is in it. Left out where it is their own. */
      forwarded?: Forward
      /** What they reply to, in short. */
      quoted?: string
      /** The message that they reply to, as the provider names it; left out where it does not tell. */
      repliesTo?: string
      /** When they said it, by the provider's clock in milliseconds; left out by a provider that does not tell. */
      saidAt?: number
      /** A person has answered it past us since: the agent does not, and what it asks for by its words has been heeded. */
      isAnswered?: true
      /** It may be a piece of more that is already on its way, such as an album: the answer waits a moment for the rest. */
      isPiece?: true
    }
  /**
   * A button of a question for a rating was pressed: nothing was said. `ratingId`: as `Manner` has named the question. Both are what the
   * provider was told by whoever has pressed: they may be anything.
   */
  | {
      kind: 'rating'
      externalKey: string
      chatId: string
      sender: { externalId: string; language: string | null }
      pressed: { externalMessageId: string; answerId: string }
      ratingId: string
      score: number
      /** Who of a group has pressed; left out where the sender speaks for themselves. */
      speaker?: string
    }
  /**
   * The customer has changed what they said. `text` is all of it now. `editedAt`: when, by the provider's clock in milliseconds; left out
   * by a provider that does not tell. It may come before the message, and before an earlier change of it.
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
   * A person answered the customer past us: on the account's own phone, say. Never what we have sent ourselves; `mayBeOurs`: the provider
   * tells that as well, and no difference.
   */
  | {
      kind: 'humanReply'
      externalKey: string
      chatId: string
      externalMessageId: string
      text: string
      mayBeOurs?: true
      /** It is a file without a word; `text` only shows that there is one. */
      isFile?: true
    }
  /**
   * What became of a message that the provider had taken; `failed`: it gave up on it. May come before `send` has answered, twice, and
   * in any order. `reason`: a word or a sentence of the provider about `failed`. `isUpTo`: it is so of everything before it in the chat too.
   */
  | {
      kind: 'receipt'
      externalKey: string
      externalMessageId: string
      state: ReceiptState
      reason?: string
      isUpTo?: true
    }
  /** A chat goes by another id from now on: a group that has grown. May come twice, and after something was said there. */
  | { kind: 'chatMoved'; externalKey: string; chatId: string; toChatId: string }
  /** Somebody lets the account answer in their own name, or does not any more. Ids of their chats end in `@` and its `linkId`. */
  | { kind: 'business'; externalKey: string; business: BusinessAccount }
  /** The account changed its state at `at` (milliseconds). `identifier`: what people call it, where that came along. */
  | { kind: 'accountState'; externalKey: string; state: AccountState; identifier: string | null; at: number }
  /**
   * Understood, and nothing to answer (a join, a reaction, a kind of content that is not handled). `isOthers`: it concerns another
   * account, perhaps of another organization, so that nothing of what it says may be kept.
   */
  | { kind: 'ignored'; externalKey: string; isOthers?: true }
  /** Not understood: kept for a person to look at. */
  | { kind: 'unknown'; externalKey: string }
