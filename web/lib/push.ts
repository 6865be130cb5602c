// This browser as a place where alerts come by push, also while Parley is closed.
import type { PushDeviceInput } from '#shared/alerts.ts'
import { PUSH_WORKER_URL } from './trusted-types.ts'

/** Whether the browser can be alerted by push; not without https. */
export function isPushPossible(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** Where pushes for this browser go; null: nowhere. */
export async function findOwnEndpoint(): Promise<string | null> {
  return (await findSubscription())?.endpoint ?? null
}

/**
 * Asks the browser to be alerted from now on. What it had before, perhaps for somebody else, ends.
 *
 * @param pushKey of this installation
 * @returns null: the person, or the browser, does not permit it
 * @throws when the browser's push service is not there
 */
export async function subscribeOwn(pushKey: string): Promise<Omit<PushDeviceInput, 'name'> | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  await leavePush()
  await navigator.serviceWorker.register(PUSH_WORKER_URL)
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: pushKey })
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {}
  return { endpoint: subscription.endpoint, p256dh, auth }
}

/** Nothing comes by push here any more. Safe to repeat. */
export async function leavePush(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}

async function findSubscription(): Promise<PushSubscription | null> {
  if (!isPushPossible()) return null
  return (await (await navigator.serviceWorker.getRegistration())?.pushManager.getSubscription()) ?? null
}
