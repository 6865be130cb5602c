// One call of a channel: which kind of message a part is, and what the adapter gets of it.

import type { Services } from '#server/functions/services.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { Credentials, Sent } from '#server/integrations/channels/contract/credentials.ts'
import type { OutgoingPart, PartFile, SendPermit } from '../outbox/deliver.store.ts'

/** @throws AdapterError permanent when the file is not kept any more */
export async function bytesOf({ files }: Pick<Services, 'files'>, { key }: PartFile): Promise<Uint8Array> {
  const bytes = await files.get(key).catch(() => null)
  if (!bytes) throw new AdapterError('permanent', 'the file is gone')
  return bytes
}

/** A text, a template, the recording of a text, or a file. `bytes`: of the file. */
export async function sendPart(
  { channels }: Pick<Services, 'channels'>,
  channel: SendPermit['channel'],
  credentials: Credentials,
  { id, chatId, text, template, isPlain = false, file, choices, ratingId }: OutgoingPart,
  bytes: Uint8Array | null,
): Promise<Sent> {
  if (template) {
    const { templates } = channels[channel]
    if (!templates) throw new AdapterError('permanent', 'the channel has no templates')
    return templates.send(credentials, chatId, template, id)
  }
  if (file === null || bytes === null)
    return channels[channel].send(credentials, chatId, text, id, {
      isPlain,
      choices: choices ?? [],
      ...(ratingId && { ratingId }),
    })
  const { media } = channels[channel]
  if (file.kind === 'voice' && media?.sendVoice) return media.sendVoice(credentials, chatId, bytes, id)
  if (file.kind === 'voice' || !media?.sendFile) throw new AdapterError('permanent', 'the channel sends no files')
  return media.sendFile(credentials, chatId, { ...file, name: file.name ?? file.kind, bytes }, id)
}
