// Routes of the channels: each has a list, a setup and a page for each of its connections.
import type { ComponentType } from 'react'
import { Navigate, type RouteObject, useLocation } from 'react-router'
import { CHANNEL_NAMES, type ConnectedChannel, isMessenger, type MessengerChannel } from '#shared/channels/manifests.ts'
import { paths } from '#web/lib/paths.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { withPermission } from './role-guard.tsx'
import { screen } from './screen.tsx'

type Load = () => Promise<ComponentType>
/** What a channel shows itself; its list is that of all channels. */
type Screens = { setup: Load; connection: Load }

/** Channels that need more than a form; all others share their screens. */
const SCREENS: Record<Exclude<ConnectedChannel, MessengerChannel>, Screens> = {
  telegram: {
    setup: async () => (await import('#web/features/channels/telegram/telegram-setup-page.tsx')).TelegramSetupPage,
    connection: async () =>
      (await import('#web/features/channels/telegram/telegram-connection-page.tsx')).TelegramConnectionPage,
  },
  whatsapp: {
    setup: async () => (await import('#web/features/channels/whatsapp/whatsapp-setup-page.tsx')).WhatsappSetupPage,
    connection: async () =>
      (await import('#web/features/channels/whatsapp/whatsapp-connection-page.tsx')).WhatsappConnectionPage,
  },
  whatsappCloud: {
    setup: async () =>
      (await import('#web/features/channels/whatsapp-cloud/whatsapp-cloud-setup-page.tsx')).WhatsappCloudSetupPage,
    connection: async () =>
      (await import('#web/features/channels/whatsapp-cloud/whatsapp-cloud-connection-page.tsx'))
        .WhatsappCloudConnectionPage,
  },
  http: {
    setup: async () => (await import('#web/features/channels/http/http-setup-page.tsx')).HttpSetupPage,
    connection: async () => (await import('#web/features/channels/http/http-connection-page.tsx')).HttpConnectionPage,
  },
  webchat: {
    setup: async () => (await import('#web/features/channels/webchat/webchat-setup-page.tsx')).WebchatSetupPage,
    connection: async () =>
      (await import('#web/features/channels/webchat/webchat-connection-page.tsx')).WebchatConnectionPage,
  },
}

/** Each lazy, except what only leads on. */
export const channelRoutes: RouteObject[] = [
  {
    path: '/channels',
    handle: { section: 'channels' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/channels/channels-page.tsx')).ChannelsPage, 'channels'),
  },
  { path: '/channels/whatsapp/qr-connect', element: <KeepSearch to={paths.channelSetup('whatsapp')} /> },
  withPermission('channels.write', [
    {
      path: paths.whatsappProof,
      handle: { section: 'channels', channel: 'whatsapp', leaf: 'production-test' } satisfies CrumbHandle,
      lazy: screen(
        async () =>
          (await import('#web/features/channels/whatsapp/whatsapp-production-test-page.tsx'))
            .WhatsappProductionTestPage,
        'channels',
      ),
    },
  ]),
  ...CHANNEL_NAMES.flatMap(routesOf),
]

function routesOf(channel: ConnectedChannel): RouteObject[] {
  const { setup, connection } = isMessenger(channel) ? messengerScreens(channel) : SCREENS[channel]
  return [
    {
      path: paths.channel(channel),
      handle: { section: 'channels', channel } satisfies CrumbHandle,
      lazy: screen(async () => {
        const { ConnectionsPage } = await import('#web/features/channels/connection/connections-page.tsx')
        return () => <ConnectionsPage channel={channel} />
      }, 'channels'),
    },
    withPermission('channels.write', [
      {
        path: paths.channelSetup(channel),
        handle: { section: 'channels', channel, leaf: 'setup' } satisfies CrumbHandle,
        lazy: screen(setup, 'channels'),
      },
    ]),
    {
      path: `${paths.channel(channel)}/:connectionId`,
      handle: { section: 'channels', channel, entity: 'connection' } satisfies CrumbHandle,
      lazy: screen(connection, 'channels'),
    },
  ]
}

function messengerScreens(channel: MessengerChannel): Screens {
  return {
    setup: async () => {
      const { MessengerSetupPage } = await import('#web/features/channels/messenger/messenger-setup-page.tsx')
      return () => <MessengerSetupPage channel={channel} />
    },
    connection: async () => {
      const { MessengerConnectionPage } = await import('#web/features/channels/messenger/messenger-connection-page.tsx')
      return () => <MessengerConnectionPage channel={channel} />
    },
  }
}

/** Another address of the same screen. */
function KeepSearch({ to }: { to: string }) {
  const { search } = useLocation()
  return <Navigate to={{ pathname: to, search }} replace />
}
