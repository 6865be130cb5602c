// What is told of WhatsApp numbers and done with them beyond being a channel: by Meta of one of the Cloud API, by GREEN-API of an instance.
import type { CloudNumberFacts } from '#shared/channels/cloud.ts'
import type { WhatsappSettings, WhatsappSetup } from '#shared/channels/whatsapp.ts'
import type { Credentials } from './credentials.ts'

/** A number of the Cloud API. All may throw AdapterError. */
export interface CloudNumber {
  describe(credentials: Credentials): Promise<CloudNumberFacts>
  /** What is wrong with credentials that are accepted: the number is of another account, or the secret of another app. */
  check(credentials: Credentials): Promise<'number' | 'secret' | null>
}

/** What a provider keeps of a number: how it is set up, and messages that have not left yet. All may throw AdapterError. */
export interface NumberKeeping {
  setup(credentials: Credentials): Promise<WhatsappSetup>
  configure(credentials: Credentials, settings: WhatsappSettings): Promise<void>
  /** Ids of the messages that were taken and have not left, oldest first. */
  waiting(credentials: Credentials): Promise<string[]>
  /** Drops what has not left. */
  clearQueue(credentials: Credentials): Promise<void>
}

/** Instances made on the account of whoever runs this installation, each for one of its organizations. All may throw AdapterError. */
export interface InstancePartner {
  /** @param name by which `list` finds it again */
  create(name: string): Promise<{ idInstance: string; apiToken: string }>
  /** Those of this name that may be used. */
  list(name: string): Promise<{ idInstance: string; apiToken: string }[]>
  /** Safe to repeat. */
  remove(idInstance: string): Promise<void>
}
