// One call of the Bot API with a deadline, and what its failures mean. No text made here holds the token: it stands in the URL,
// and the errors of HTTP clients quote URLs.
import { GrammyError, HttpError } from 'grammy'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import { NotConnectedError } from '#server/integrations/http/http-client.ts'
import { chatOf, type TelegramChat } from './telegram.address.ts'

/** A group has become a supergroup with another id: definitely not sent. */
class GroupGrownError extends AdapterError {
  readonly chatId: number
  constructor(message: string, chatId: number) {
    super('permanent', message)
    this.chatId = chatId
  }
}

/** The owner of a business account has taken the bot off, or does not let it answer there. @source core.telegram.org/method/messages.sendMessage */
const BUSINESS_REFUSAL = /BUSINESS_(?:CONNECTION|PEER)|business connection|BOT_ACCESS_FORBIDDEN/i

/**
 * Sends to the chat behind an address; to a group that has become a supergroup, under its new id. What the owner of a business account does
 * not allow is refused as `business: …`. @throws as `send`
 */
export async function sendTo<T>(address: string, send: (chat: TelegramChat) => Promise<T>): Promise<T> {
  const chat = chatOf(address)
  return send(chat).catch((error: unknown) => {
    if (error instanceof GroupGrownError) return send({ ...chat, chat_id: error.chatId })
    if (chat.business_connection_id !== undefined && isRefusedByOwner(error)) {
      throw new AdapterError('permanent', `business: ${error.message}`)
    }
    throw error
  })
}

function isRefusedByOwner(error: unknown): error is AdapterError {
  const isRefused = error instanceof AdapterError && (error.kind === 'permanent' || error.kind === 'blocked')
  return isRefused && BUSINESS_REFUSAL.test(error.message)
}

/**
 * Runs one call of the Bot API.
 * @throws AdapterError; when `signal` aborts, its reason
 */
export async function callBotApi<T>(
  run: (signal: AbortSignal) => Promise<T>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<T> {
  const deadline = new AbortController()
  const abort = () => deadline.abort()
  const timer = setTimeout(abort, limitMs)
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  try {
    return await run(deadline.signal)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw toAdapterError(error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/**
 * What a failed call means.
 * @source core.telegram.org/bots/api#making-requests, #responseparameters
 */
function toAdapterError(error: unknown): AdapterError {
  if (error instanceof AdapterError) return error
  if (error instanceof GrammyError) return refusal(error)
  const cause = error instanceof HttpError ? error.error : error
  if (cause instanceof NotConnectedError) return new AdapterError('temporary', `not connected: ${cause.code}`)
  return new AdapterError('unknown_outcome', 'no answer from the Bot API')
}

function refusal(error: GrammyError): AdapterError {
  const text = `${error.error_code} ${error.description}`
  const code = error.error_code
  if (code === 401 || code === 404) return new AdapterError('unauthorized', text)
  if (code === 403) return new AdapterError('blocked', text)
  if (code === 429) return new AdapterError('rate_limited', text, (error.parameters.retry_after ?? 1) * 1000)
  if (code === 409) return new AdapterError('conflict', text)
  if (code >= 500) return new AdapterError('unknown_outcome', text)
  const { migrate_to_chat_id: grownInto } = error.parameters
  if (grownInto !== undefined) return new GroupGrownError(text, grownInto)
  return new AdapterError('permanent', text)
}
