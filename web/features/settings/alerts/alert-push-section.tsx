// The browsers that receive alerts by push, also while Parley is closed, including this one.
import { MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { PushDevice } from '#shared/organizations/alerts.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useAlertReach } from '#web/lib/alerts.ts'
import { findOwnEndpoint, isPushPossible, leavePush, subscribeOwn } from '#web/lib/browser/push.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation, useQuery } from '#web/lib/server/convex.ts'
import { forgetFetched, useFetched } from '#web/lib/server/query-client.ts'
import { toast } from '#web/lib/toast.ts'
import { deviceName } from '../account/device-name.ts'

const OWN_KEY = ['own-push-endpoint']

/** Explains why this browser cannot receive push alerts, if so. */
export function AlertPushSection() {
  const { t } = useTranslation('settings')
  const devices: PushDevice[] | undefined = useQuery(api.alerts.pushDevices, {})
  const { pushKey, busyWith, subscribe, leave, test } = usePush()
  const own = useFetched(OWN_KEY, () => findOwnEndpoint(pushKey ?? ''), { isEnabled: pushKey !== undefined })
  const isOwn = ({ endpoint }: PushDevice) => endpoint === own.value
  const isOff = own.value !== undefined && devices?.every((device) => !isOwn(device))
  return (
    <CardSection
      title={t(($) => $.alerts.push)}
      description={t(($) => $.alerts.pushDescription)}
      actions={
        isPushPossible() &&
        isOff && (
          <Button size="sm" isBusy={busyWith === 'this'} onClick={subscribe}>
            {t(($) => $.alerts.pushTurnOn)}
          </Button>
        )
      }
    >
      {!isPushPossible() && <Alert tone="info">{t(($) => $.alerts.pushUnsupported)}</Alert>}
      {devices?.length === 0 && isPushPossible() && <p>{t(($) => $.alerts.pushNone)}</p>}
      {devices && devices.length > 0 && (
        <ul className="flex flex-col divide-y divide-border">
          {devices.map((device) => (
            <DeviceRow
              key={device.endpoint}
              device={device}
              isOwn={isOwn(device)}
              isBusy={busyWith === device.endpoint}
              onTest={() => test(device.endpoint)}
              onLeave={() => leave(device.endpoint, isOwn(device))}
            />
          ))}
        </ul>
      )}
    </CardSection>
  )
}

type DeviceRowProps = { device: PushDevice; isOwn: boolean; isBusy: boolean; onTest: () => void; onLeave: () => void }

function DeviceRow({ device, isOwn, isBusy, onTest, onLeave }: DeviceRowProps) {
  const { t } = useTranslation('settings')
  const name = device.name || t(($) => $.unknownDevice)
  return (
    <li className="flex flex-wrap items-center gap-3 py-3 first:pt-0 last:pb-0">
      <MonitorSmartphone aria-hidden="true" className="size-5 shrink-0 text-muted-foreground" strokeWidth={1.75} />
      <div className="min-w-0 flex-1 basis-40">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="min-w-0 truncate">{name}</span>
          {isOwn && <Badge tone="success">{t(($) => $.alerts.pushHere)}</Badge>}
        </p>
        <p className="text-[0.8125rem] text-muted-foreground">
          <RelativeTime at={device.at} />
        </p>
      </div>
      <span className="flex gap-2">
        <Button size="sm" isBusy={isBusy} aria-label={`${t(($) => $.alerts.test)}: ${name}`} onClick={onTest}>
          {t(($) => $.alerts.test)}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabled={isBusy}
          aria-label={`${t(($) => $.alerts.pushTurnOff)}: ${name}`}
          onClick={onLeave}
        >
          {t(($) => $.alerts.pushTurnOff)}
        </Button>
      </span>
    </li>
  )
}

/** The actions of push. `busyWith`: `this` browser, or an endpoint. */
function usePush() {
  const { t } = useTranslation('settings')
  const [busyWith, setBusyWith] = useState<string | null>(null)
  const pushKey = useAlertReach()?.pushKey
  const add = useMutation(api.alerts.addPushDevice)
  const remove = useMutation(api.alerts.removePushDevice)
  const testDevice = useAction(api.alerts.testPush)
  const run = (what: string, work: () => Promise<void>) => {
    setBusyWith(what)
    work()
      .catch(() => undefined) // reported in a toast of its own
      .finally(() => {
        setBusyWith(null)
        forgetFetched(OWN_KEY)
      })
  }
  const subscribe = async () => {
    if (!pushKey) return
    const device = await subscribeOwn(pushKey).catch(() => undefined)
    if (device === undefined) toast.error(t(($) => $.alerts.pushFailed))
    else if (device === null) toast.error(t(($) => $.alerts.pushDenied))
    else await add({ ...device, name: deviceName(navigator.userAgent) ?? '' })
  }
  return {
    pushKey,
    busyWith,
    subscribe: () => run('this', subscribe),
    leave: (endpoint: string, isOwn: boolean) =>
      run(endpoint, async () => {
        await remove({ endpoint })
        if (isOwn) await leavePush().catch(() => undefined) // the server no longer sends there
      }),
    test: (endpoint: string) =>
      run(endpoint, async () => {
        await testDevice({ endpoint })
        toast.success(t(($) => $.alerts.pushSent))
      }),
  }
}
