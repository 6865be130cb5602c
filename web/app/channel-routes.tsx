// Routes of the channels: each has a list, a setup and a page for each of its connections.
import { Navigate, type RouteObject, useLocation } from 'react-router'
import { MESSENGER_CHANNELS, type MessengerChannel } from '#shared/channels/messengers.ts'
import { paths } from '#web/lib/paths.ts'
import type { CrumbHandle } from './layout/crumbs.ts'
import { screen } from './screen.tsx'

/** Each lazy, except what only leads on. */
export const channelRoutes: RouteObject[] = [
  {
    path: '/channels',
    handle: { section: 'channels' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/channels/channels-page.tsx')).ChannelsPage, 'channels'),
  },
  {
    path: '/channels/telegram',
    handle: { section: 'channels', channel: 'telegram' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/telegram/telegram-page.tsx')).TelegramPage,
      'channels',
    ),
  },
  {
    path: '/channels/telegram/setup',
    handle: { section: 'channels', channel: 'telegram', leaf: 'setup' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/telegram/telegram-setup-page.tsx')).TelegramSetupPage,
      'channels',
    ),
  },
  {
    path: '/channels/telegram/:connectionId',
    handle: { section: 'channels', channel: 'telegram', entity: 'connection' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/telegram/telegram-connection-page.tsx')).TelegramConnectionPage,
      'channels',
    ),
  },
  {
    path: '/channels/whatsapp',
    handle: { section: 'channels', channel: 'whatsapp' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/whatsapp/whatsapp-page.tsx')).WhatsappPage,
      'channels',
    ),
  },
  { path: '/channels/whatsapp/qr-connect', element: <KeepSearch to={paths.whatsappSetup} /> },
  {
    path: '/channels/whatsapp/setup',
    handle: { section: 'channels', channel: 'whatsapp', leaf: 'setup' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/whatsapp/whatsapp-setup-page.tsx')).WhatsappSetupPage,
      'channels',
    ),
  },
  {
    path: '/channels/whatsapp/production-test',
    handle: { section: 'channels', channel: 'whatsapp', leaf: 'production-test' } satisfies CrumbHandle,
    lazy: screen(
      async () =>
        (await import('#web/features/channels/whatsapp/whatsapp-production-test-page.tsx')).WhatsappProductionTestPage,
      'channels',
    ),
  },
  {
    path: '/channels/whatsapp/:connectionId',
    handle: { section: 'channels', channel: 'whatsapp', entity: 'connection' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/whatsapp/whatsapp-connection-page.tsx')).WhatsappConnectionPage,
      'channels',
    ),
  },
  {
    path: '/channels/whatsapp-cloud',
    handle: { section: 'channels', channel: 'whatsappCloud' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/whatsapp-cloud/whatsapp-cloud-page.tsx')).WhatsappCloudPage,
      'channels',
    ),
  },
  {
    path: '/channels/whatsapp-cloud/setup',
    handle: { section: 'channels', channel: 'whatsappCloud', leaf: 'setup' } satisfies CrumbHandle,
    lazy: screen(
      async () =>
        (await import('#web/features/channels/whatsapp-cloud/whatsapp-cloud-setup-page.tsx')).WhatsappCloudSetupPage,
      'channels',
    ),
  },
  {
    path: '/channels/whatsapp-cloud/:connectionId',
    handle: { section: 'channels', channel: 'whatsappCloud', entity: 'connection' } satisfies CrumbHandle,
    lazy: screen(
      async () =>
        (await import('#web/features/channels/whatsapp-cloud/whatsapp-cloud-connection-page.tsx'))
          .WhatsappCloudConnectionPage,
      'channels',
    ),
  },
  ...MESSENGER_CHANNELS.flatMap(messengerRoutes),
  {
    path: '/channels/http',
    handle: { section: 'channels', channel: 'http' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/channels/http/http-page.tsx')).HttpPage, 'channels'),
  },
  {
    path: '/channels/http/setup',
    handle: { section: 'channels', channel: 'http', leaf: 'setup' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/http/http-setup-page.tsx')).HttpSetupPage,
      'channels',
    ),
  },
  {
    path: '/channels/http/:connectionId',
    handle: { section: 'channels', channel: 'http', entity: 'connection' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/http/http-connection-page.tsx')).HttpConnectionPage,
      'channels',
    ),
  },
  {
    path: '/channels/webchat',
    handle: { section: 'channels', channel: 'webchat' } satisfies CrumbHandle,
    lazy: screen(async () => (await import('#web/features/channels/webchat/webchat-page.tsx')).WebchatPage, 'channels'),
  },
  {
    path: '/channels/webchat/setup',
    handle: { section: 'channels', channel: 'webchat', leaf: 'setup' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/webchat/webchat-setup-page.tsx')).WebchatSetupPage,
      'channels',
    ),
  },
  {
    path: '/channels/webchat/:connectionId',
    handle: { section: 'channels', channel: 'webchat', entity: 'connection' } satisfies CrumbHandle,
    lazy: screen(
      async () => (await import('#web/features/channels/webchat/webchat-connection-page.tsx')).WebchatConnectionPage,
      'channels',
    ),
  },
]

/** Those of one messenger; all of them have the same screens. */
function messengerRoutes(channel: MessengerChannel): RouteObject[] {
  return [
    {
      path: paths.messenger(channel),
      handle: { section: 'channels', channel } satisfies CrumbHandle,
      lazy: screen(async () => {
        const { MessengerPage } = await import('#web/features/channels/messenger/messenger-page.tsx')
        return () => <MessengerPage channel={channel} />
      }, 'channels'),
    },
    {
      path: paths.messengerSetup(channel),
      handle: { section: 'channels', channel, leaf: 'setup' } satisfies CrumbHandle,
      lazy: screen(async () => {
        const { MessengerSetupPage } = await import('#web/features/channels/messenger/messenger-setup-page.tsx')
        return () => <MessengerSetupPage channel={channel} />
      }, 'channels'),
    },
    {
      path: `${paths.messenger(channel)}/:connectionId`,
      handle: { section: 'channels', channel, entity: 'connection' } satisfies CrumbHandle,
      lazy: screen(async () => {
        const { MessengerConnectionPage } = await import(
          '#web/features/channels/messenger/messenger-connection-page.tsx'
        )
        return () => <MessengerConnectionPage channel={channel} />
      }, 'channels'),
    },
  ]
}

/** Another address of the same screen. */
function KeepSearch({ to }: { to: string }) {
  const { search } = useLocation()
  return <Navigate to={{ pathname: to, search }} replace />
}
