// Switching push on and off in this browser, and the explanation where it is not available.
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { PushDevice } from '#shared/organizations/alerts.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { AlertPushSection } from './alert-push-section.tsx'

const OWN = 'https://push.example/own'
const OTHER = 'https://push.example/other'

const server = vi.hoisted(() => ({
  devices: [] as PushDevice[],
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
const browser = vi.hoisted(() => ({
  isPossible: true,
  endpoint: null as string | null,
  subscribe: vi.fn<(key: string) => Promise<{ endpoint: string } | null>>(),
  leave: vi.fn<() => Promise<void>>(),
  toast: vi.fn<(text: string) => void>(),
}))
fakeConvex(() => {
  const call = (name: Parameters<typeof getFunctionName>[0]) => (args: unknown) =>
    server.call(getFunctionName(name), args)
  return { useQuery: () => server.devices, useMutation: call, useAction: call }
})
vi.mock('#web/lib/browser/push.ts', () => ({
  isPushPossible: () => browser.isPossible,
  findOwnEndpoint: async () => browser.endpoint,
  subscribeOwn: browser.subscribe,
  leavePush: browser.leave,
}))
vi.mock('#web/lib/toast.ts', () => ({ toast: { error: browser.toast, success: browser.toast } }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
})
beforeEach(() => {
  queryClient.clear()
  server.devices = []
  Object.assign(browser, { isPossible: true, endpoint: null })
  browser.toast.mockReset()
  browser.leave.mockReset().mockResolvedValue()
  browser.subscribe.mockReset().mockImplementation(async () => {
    browser.endpoint = OWN
    return { endpoint: OWN }
  })
  server.call.mockReset().mockImplementation(async (name) => {
    if (name === 'alerts:reach') return { email: false, telegram: false, pushKey: 'key' }
    return null
  })
})

const page = () => (
  <QueryClientProvider client={queryClient}>
    <AlertPushSection />
  </QueryClientProvider>
)
/** Resolves once the push key of the installation is loaded. */
async function findTurnOn(): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: 'Turn on in this browser' })
  await expect.poll(() => button).toBeEnabled()
  return button
}
const device = (endpoint: string, name: string): PushDevice => ({ endpoint, name, at: Date.now() })

it('is switched on for this browser by a click, and not before', async () => {
  render(page())
  expect(await screen.findByText('Push notifications are off on all your devices.')).toBeVisible()
  await userEvent.click(await findTurnOn())
  expect(browser.subscribe).toHaveBeenCalledExactlyOnceWith('key')
  expect(server.call).toHaveBeenLastCalledWith('alerts:addPushDevice', expect.objectContaining({ endpoint: OWN }))
})

it('lists all devices and marks this one; each is tested and switched off separately', async () => {
  browser.endpoint = OWN
  server.devices = [device(OWN, 'Chrome · Linux'), device(OTHER, '')]
  render(page())
  expect(await screen.findByText('This browser')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Turn on in this browser' })).toBeNull()
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Send a test alert: Unknown device' }))
  expect(server.call).toHaveBeenLastCalledWith('alerts:testPush', { endpoint: OTHER })
  expect(browser.toast).toHaveBeenLastCalledWith('Notification sent')
  await userEvent.click(screen.getByRole('button', { name: 'Turn off: Unknown device' }))
  expect(server.call).toHaveBeenLastCalledWith('alerts:removePushDevice', { endpoint: OTHER })
  expect(browser.leave).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Turn off: Chrome · Linux' }))
  await expect.poll(() => browser.leave).toHaveBeenCalledOnce()
})

it('explains why it stays off: no permission, no push service, unsupported browser', async () => {
  const { unmount } = render(page())
  const turnOn = await findTurnOn()
  browser.subscribe.mockResolvedValueOnce(null)
  await userEvent.click(turnOn)
  expect(browser.toast).toHaveBeenLastCalledWith(expect.stringContaining('blocks alerts'))
  browser.subscribe.mockRejectedValueOnce(new Error('push service error'))
  await userEvent.click(turnOn)
  expect(browser.toast).toHaveBeenLastCalledWith(expect.stringContaining('could not reach its push service'))
  expect(server.call).not.toHaveBeenCalledWith('alerts:addPushDevice', expect.anything())
  unmount()
  browser.isPossible = false
  render(page())
  expect(await screen.findByText(/This browser does not support push notifications/)).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})
