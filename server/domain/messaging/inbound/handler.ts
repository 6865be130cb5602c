// What a handler of one kind of notification is given, and what it answers. They are chosen in receive.ts.
import type { StoredConnection } from '#server/domain/channels/connections/connections.store.ts'
import type { Inbound } from '#server/integrations/channels/contract/inbound.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'

/** `refused`: the connection was switched off. Everything else is stored, and the provider may forget it. */
export type Received = { status: 'stored' | 'duplicate' | 'kept' | 'refused'; isDue: boolean }

/** A notification as the adapter understood it, and as it came in. */
export type Notification<Kind extends Inbound['kind']> = { inbound: Extract<Inbound, { kind: Kind }>; payload: unknown }

/** Stores a notification in one transaction, with whatever it changes. Safe to repeat: the same notification changes nothing. */
export type Handler<Kind extends Inbound['kind']> = (
  ctx: PipelineContext,
  connection: StoredConnection,
  notification: Notification<Kind>,
) => Promise<Received>

/** It is stored, and there is nothing to answer. */
export const KEPT: Received = { status: 'kept', isDue: false }
