// Takes in one notification of a provider: durable first, then answered. No model and no network in here.

import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import { countQuarantined } from '#server/domain/channels/health/quarantine.store.ts'
import { handOffChat } from '#server/domain/messaging/handoff/handoffs.store.ts'
import type { ChannelTraits } from '#server/integrations/channels/contract/capabilities.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import { answerLanguageFor } from '#server/integrations/llm/language.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { splitForward } from '#shared/messaging/forwards.ts'
import { findQuoted } from '../delivery/last-said.store.ts'
import { hurryByPhrase } from '../handoff/handoff.ts'
import { keepComment } from '../ratings/ratings.store.ts'
import { heedRating } from '../ratings/ratings.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { ReplySlot } from '../turns/slots.ts'
import { findTurn } from '../turns/turn.store.ts'
import type { Claim } from '../turns/turn.ts'
import { isEcho } from './handlers/echoes.ts'
import { lockEdits } from './handlers/edits.store.ts'
import { findWhereSaid, keepAliases, placeChat, placeSender } from './handlers/identities.store.ts'
import { heedWords } from './heed.ts'
import { followHome, holdHome } from './home.store.ts'
import { storeBusiness } from './receive.business.store.ts'
import { type InboundEdit, storeEdit } from './receive.edit.store.ts'
import { findNewestEdit, heedEarlyEdits } from './receive.edits.ts'
import { storeChatMoved } from './receive.moved.store.ts'
import { storeAccountState, storeHumanReply, storeReceipt } from './receive.past-us.store.ts'
import { isPassed } from './receive.press.store.ts'
import { type InboundRating, receiveRating } from './receive.rating.ts'
import { type InboundMessage, keepNotification, storeMessage } from './receive.store.ts'

/** `refused`: the connection was switched off. Everything else is stored, and the provider may forget it. */
export type Received = { status: 'stored' | 'duplicate' | 'kept' | 'refused'; isDue: boolean }

/** Characters of what is replied to. */
const QUOTED_LENGTH = 500
/** Told to a customer who presses a button of a question that they have answered already. */
const OUTDATED = {
  ru: 'На этот вопрос вы уже ответили.',
  kk: 'Сіз бұл сұраққа жауап беріп қойдыңыз.',
  en: 'You have already answered this question.',
}

/** Stores what came in, in one transaction, and wakes the runner. Safe to repeat: the same notification changes nothing. */
export async function receive(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: Inbound,
  payload: unknown,
): Promise<Received> {
  failpoint('notification-taken')
  if (inbound.kind === 'message') return receiveMessage(ctx, connection, inbound, payload)
  if (inbound.kind === 'rating') {
    const isNew = await receiveRating(ctx, connection, inbound, payload)
    if (isNew) ctx.connectionActivity.inbound(connection.id)
    return { status: isNew ? 'stored' : 'kept', isDue: false }
  }
  if (inbound.kind === 'edit') return receiveEdit(ctx, connection, inbound, payload)
  if (inbound.kind === 'unknown') {
    ctx.logger.warn({ connectionId: connection.id, key: inbound.externalKey }, 'notification not understood, kept')
  }
  if (inbound.kind === 'humanReply' && inbound.mayBeOurs && (await isEcho(ctx, connection, inbound))) {
    const { externalKey } = inbound
    return receive(ctx, connection, { kind: 'ignored', externalKey }, payload)
  }
  const isOthers = inbound.kind === 'ignored' && inbound.isOthers === true
  if (isOthers) {
    ctx.logger.warn(
      { connectionId: connection.id, key: inbound.externalKey },
      'notification of another account, dropped',
    )
  }
  const kept = isOthers ? {} : payload
  await ctx.organization(connection.organizationId, async (store) => {
    const placed = inbound.kind === 'humanReply' ? await withChat(ctx, store, connection, inbound) : inbound
    await storeEvent(store, connection, placed, kept)
  })
  return { status: 'kept', isDue: false }
}

async function receiveMessage(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: InboundMessage,
  payload: unknown,
): Promise<Received> {
  const mayBegin = !inbound.pressed && !inbound.callsPerson && !inbound.isAnswered
  const slot = mayBegin ? ctx.reserveReply(connection.organizationId) : null
  const stored = await storeWords(ctx, connection, { inbound, payload, slot }).catch((error: unknown) => {
    if (error instanceof CommitUnknownError) slot?.giveBack()
    else slot?.release()
    throw error
  })
  failpoint('message-stored')
  const begun = 'begins' in stored ? stored.begins : null
  if (begun) slot?.begin(begun.claim, begun.read)
  else slot?.release()
  if (inbound.pressed) answerPress(ctx, connection, inbound, 'isOutdated' in stored && stored.isOutdated)
  if ('isOutdated' in stored) return { status: 'kept', isDue: false }
  if (!stored.isConnected) return { status: 'refused', isDue: false }
  if (!stored.isNew) return { status: 'duplicate', isDue: false }
  ctx.connectionActivity.inbound(connection.id)
  if (stored.isDue) ctx.wake.turns()
  return { status: 'stored', isDue: stored.isDue || begun !== null }
}

/** In the order of everybody who tells of a message: what is told of it first, then its customer and its conversation. */
async function placeMessage(
  store: OrgStoreContext,
  connection: StoredConnection,
  told: InboundMessage,
): Promise<InboundMessage> {
  const { externalMessageId } = told
  const named = { ...told, isGlobalId: true } as const
  if (externalMessageId !== undefined) await lockEdits(store, connection.id, { ...named, externalMessageId })
  return placeSender(store, connection.id, named)
}

/** Stores a message, and what its words set going. `begins`: a reply, which `slot` has room for. */
function storeWords(
  ctx: PipelineContext,
  connection: StoredConnection,
  { inbound: told, payload, slot }: { inbound: InboundMessage; payload: unknown; slot: ReplySlot | null },
) {
  let isBegun = false
  const { hasAliases } = traitsOf(ctx, connection)
  const write = async (store: OrgStoreContext) => {
    const inbound = hasAliases ? await placeMessage(store, connection, told) : told
    if (inbound.pressed && (await isPassed(store, connection.id, { ...inbound, ...inbound.pressed }))) {
      const { externalKey } = inbound
      return { isOutdated: await keepNotification(store, connection.id, { externalKey, status: 'ignored', payload }) }
    }
    const homeId = await followHome(store, connection, inbound)
    const { taken, comment } = await heedRating(ctx, store, connection, { inbound, payload, homeId })
    if (taken?.isNew) await heedEarlyEdits(ctx, store, connection, { inbound, homeId })
    if (taken) return { isConnected: true, isNew: taken.isNew, isDue: false }
    const said = await withQuoted(store, connection, inbound)
    const { silent, waiting, settings, begun, isEdited, ...message } = await storeMessage(store, connection, said, {
      payload,
      begins: slot,
      homeId,
    })
    failpoint('message-written')
    if (hasAliases && message.isNew) await keepAliases(store, connection.id, inbound.sender)
    const text =
      message.isNew && isEdited ? await heedEarlyEdits(ctx, store, connection, { inbound, homeId }) : inbound.text
    if (comment !== null && message.isNew) await keepComment(store, connection.id, inbound.externalKey, comment)
    // In the same transaction: no answer can begin between the message and the silence that it asks for.
    if (inbound.callsPerson && !inbound.isAnswered && message.isNew) {
      await handOffChat(store, { connectionId: connection.id, chatId: inbound.chatId })
      return message
    }
    if (inbound.isAnswered) return message
    const isAnswered = await heedWords(store, connection, {
      silent,
      waiting,
      settings,
      text: splitForward(text, inbound.forwarded).own,
      isPressed: inbound.pressed !== undefined,
    })
    const begins = slot && begun && readBegun(store, slot.claimOf(begun))
    isBegun = begins !== null
    return { ...message, isDue: message.isDue || isAnswered, begins }
  }
  return ctx.organization(connection.organizationId, write, { leavesNothingDue: () => isBegun })
}

/** Some providers name what a customer replies to by its id alone. */
async function withQuoted(
  store: OrgStoreContext,
  { id: connectionId }: StoredConnection,
  inbound: InboundMessage,
): Promise<InboundMessage> {
  const { chatId, quoted: told, repliesTo: externalMessageId } = inbound
  if (told !== undefined || externalMessageId === undefined) return inbound
  const quoted = await findQuoted(store, { connectionId, chatId, externalMessageId })
  return quoted === null ? inbound : { ...inbound, quoted: quoted.slice(0, QUOTED_LENGTH) }
}

/** Sent last and not waited for: the turn is answered together with the commit, and costs the reply no transaction of its own. */
function readBegun(store: OrgStoreContext, claim: Claim) {
  const read = findTurn(store, claim)
  read.catch(() => undefined) // heard by the commit, which then fails, or by the reply
  return { claim, read }
}

/** Nobody waits for it: what was said by the press is stored. */
function answerPress(
  ctx: PipelineContext,
  connection: StoredConnection,
  { pressed, sender, text }: InboundMessage,
  isOutdated: boolean,
): void {
  if (!pressed) return
  const credentials = credentialsOf(ctx.services.secrets, connection)
  const told = isOutdated ? OUTDATED[answerLanguageFor(text, { earlier: [], tag: sender.language })] : null
  void ctx.services.channels[connection.channel].buttons?.answerPress?.(credentials, pressed.answerId, told)
}

async function receiveEdit(
  ctx: PipelineContext,
  connection: StoredConnection,
  inbound: InboundEdit,
  payload: unknown,
): Promise<Received> {
  const isDue = await ctx.organization(connection.organizationId, async (store) => {
    const { hasAliases } = traitsOf(ctx, connection)
    // Before its chat is placed: the message that it changes may be coming in, and tell by what else its customer is known.
    if (hasAliases) await lockEdits(store, connection.id, { ...inbound, isGlobalId: true })
    const placed = {
      ...(await withChat(ctx, store, connection, inbound)),
      ...(hasAliases && { isGlobalId: hasAliases }),
    }
    const findNewest = (of: OrgStoreContext) => findNewestEdit(ctx, of, connection, placed)
    const home = (of: OrgStoreContext) => holdHome(of, connection, placed.chatId)
    const where = hasAliases && ((of: OrgStoreContext) => findWhereSaid(of, connection.id, inbound))
    const edited = await storeEdit(store, connection.id, {
      ...{ inbound: placed, payload, findNewest, holdHome: home },
      ...(where && { findWhereSaid: where }),
    })
    const isHurried =
      edited.waiting !== null &&
      (await hurryByPhrase(store, edited.waiting, splitForward(inbound.text, inbound.forwarded).own))
    return edited.isDue || isHurried
  })
  if (isDue) ctx.wake.turns()
  return { status: 'kept', isDue }
}

/** Where customers are known by several ids, their chat goes by any of them. */
async function withChat<Event extends Extract<Inbound, { chatId: string }>>(
  ctx: PipelineContext,
  store: OrgStoreContext,
  connection: StoredConnection,
  inbound: Event,
): Promise<Event> {
  const { hasAliases } = traitsOf(ctx, connection)
  return hasAliases ? placeChat(store, connection.id, inbound) : inbound
}

function traitsOf({ services }: PipelineContext, { channel }: StoredConnection): ChannelTraits {
  return services.channels[channel].traits
}

async function storeEvent(
  store: OrgStoreContext,
  connection: StoredConnection,
  inbound: Exclude<Inbound, InboundMessage | InboundEdit | InboundRating>,
  payload: unknown,
): Promise<void> {
  const { externalKey } = inbound
  const connectionId = connection.id
  switch (inbound.kind) {
    case 'humanReply':
      return storeHumanReply(store, {
        connectionId,
        inbound,
        payload,
        homeId: await holdHome(store, connection, inbound.chatId),
      })
    case 'receipt':
      return storeReceipt(store, { connectionId, inbound, payload })
    case 'accountState':
      return storeAccountState(store, { connectionId, inbound, payload })
    case 'chatMoved':
      return storeChatMoved(store, connectionId, { inbound, payload })
    case 'business':
      return storeBusiness(store, connectionId, { inbound, payload })
    case 'ignored':
      await keepNotification(store, connectionId, { externalKey, status: 'ignored', payload })
      return
    case 'unknown':
      if (await keepNotification(store, connectionId, { externalKey, status: 'quarantined', payload })) {
        await countQuarantined(store, connectionId)
      }
      return
    default:
      return inbound satisfies never
  }
}
