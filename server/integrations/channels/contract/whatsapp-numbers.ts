// Facts about WhatsApp numbers and actions on them beyond being a channel: from Meta for the Cloud API, from GREEN-API for an instance.
import type { CloudNumberFacts } from '#shared/channels/cloud.ts'
import type { WhatsappSettings, WhatsappSetup } from '#shared/channels/whatsapp.ts'
import type { Credentials } from './credentials.ts'

/** A number of the Cloud API. All may throw AdapterError. */
export interface CloudNumber {
  describe(credentials: Credentials): Promise<CloudNumberFacts>
  /** What is wrong with credentials that are accepted: the number belongs to another account, or the secret to another app. */
  check(credentials: Credentials): Promise<'number' | 'secret' | null>
}

/** What a provider stores for a number: its settings, and queued messages. All may throw AdapterError. */
export interface NumberKeeping {
  setup(credentials: Credentials): Promise<WhatsappSetup>
  configure(credentials: Credentials, settings: WhatsappSettings): Promise<void>
  /** Ids of the accepted messages that are still queued, oldest first. */
  waiting(credentials: Credentials): Promise<string[]>
  /** Clears the queue. */
  clearQueue(credentials: Credentials): Promise<void>
}

/** Instances created on the account of this installation's operator, each for one of its organizations. All may throw AdapterError. */
export interface InstancePartner {
  /** @param name by which `list` finds it again */
  create(name: string): Promise<{ idInstance: string; apiToken: string }>
  /** Those of this name that may be used. */
  list(name: string): Promise<{ idInstance: string; apiToken: string }[]>
  /** Safe to repeat. */
  remove(idInstance: string): Promise<void>
}
