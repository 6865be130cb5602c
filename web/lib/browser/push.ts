// This browser as a receiver of push alerts, also while Parley is closed.
import type { PushDeviceInput } from '#shared/organizations/alerts.ts'
import { PUSH_WORKER_URL } from './trusted-types.ts'

/** Whether the browser supports push; false without https. */
export function isPushPossible(): boolean {
  return 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
}

/** This browser's push endpoint for the installation with this key; null: none, or only for another key. */
export async function findOwnEndpoint(pushKey: string): Promise<string | null> {
  const subscription = await findSubscription()
  const key = subscription?.options.applicationServerKey
  const isOurs = key && toBase64Url(new Uint8Array(key)) === pushKey
  return isOurs ? subscription.endpoint : null
}

/**
 * Subscribes the browser to push alerts. An earlier subscription, perhaps of another user, ends.
 *
 * @param pushKey of this installation
 * @returns null: the user, or the browser, denies permission
 * @throws when the browser's push service is unavailable
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

/** Unsubscribes this browser. Safe to repeat. */
export async function leavePush(): Promise<void> {
  await (await findSubscription())?.unsubscribe()
}

/** The service worker that shows pushes here; undefined where push is off. */
export async function findPushWorker(): Promise<ServiceWorkerRegistration | undefined> {
  const registration = await findRegistration()
  return (await registration?.pushManager.getSubscription()) ? registration : undefined
}

async function findSubscription(): Promise<PushSubscription | null> {
  return (await (await findRegistration())?.pushManager.getSubscription()) ?? null
}

async function findRegistration(): Promise<ServiceWorkerRegistration | undefined> {
  return isPushPossible() ? navigator.serviceWorker.getRegistration() : undefined
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}
