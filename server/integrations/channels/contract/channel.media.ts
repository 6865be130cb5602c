// Files of a channel: the part of the contract for channels that support files.
import type { AttachmentKind } from '#shared/messaging/attachments.ts'
import type { Credentials, Sent } from './credentials.ts'

/** A file that an operator sends to a customer. Its name and type are as uploaded. */
export type OutgoingFile = {
  kind: AttachmentKind
  name: string
  mimeType: string | null
  bytes: Uint8Array
  /** Its key in the file store; left out: it is not stored. */
  key?: string
}

/** Files of a channel. */
export interface ChannelMedia {
  /** A file that a customer has sent. @throws AdapterError, `permanent` for one that is gone or larger than `maxBytes` */
  download(credentials: Credentials, fileId: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array>
  /** Sends a recording, OGG with Opus, as a voice message; left out by a channel that cannot. `partId` as for a text. @throws AdapterError */
  sendVoice?(credentials: Credentials, chatId: string, audio: Uint8Array, partId: string): Promise<Sent>
  /**
   * Sends a file: a picture is displayed, anything else is offered for download. Left out by a channel that cannot; `files` of its
   * manifest says the same. `partId` as for a text. @throws AdapterError
   */
  sendFile?(credentials: Credentials, chatId: string, file: OutgoingFile, partId: string): Promise<Sent>
}
