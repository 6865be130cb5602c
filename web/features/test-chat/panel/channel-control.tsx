// Which channel is imagined, and what customers get to see of an answer there.
import type { Showing } from '#shared/channels/manifest.ts'
import { CHANNEL_NAMES, CHANNELS, type ConnectedChannel, channelName } from '#shared/channels/manifests.ts'
import { Select } from '#web/components/ui/select.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import type { VariantControls } from '../use-controls.ts'
import { Control } from './control.tsx'

/** Stands in the list for "as it is". */
const PLAIN = 'plain'

/** Nothing is sent to the channel. */
export function ChannelControl({ state }: { state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const { channel } = state.controls
  return (
    <Control
      state={state}
      name="channel"
      label={t(($) => $.runtime.channel)}
      hint={
        <>
          {channel && <ChannelFacts channel={channel} />} {t(($) => $.runtime.channelHint)}
        </>
      }
    >
      <Select
        value={channel ?? PLAIN}
        onValueChange={(next) =>
          state.set(
            'channel',
            CHANNEL_NAMES.find((each) => each === next),
          )
        }
        options={[
          { value: PLAIN, label: t(($) => $.runtime.noChannel) },
          ...CHANNEL_NAMES.map((each) => ({ value: each, label: channelName(each, currentLanguage()) })),
        ]}
      />
    </Control>
  )
}

function ChannelFacts({ channel }: { channel: ConnectedChannel }) {
  const { t } = useTranslation('test-chat')
  const { maxTextLength, maxTextBytes, hasButtons, markup }: Showing = CHANNELS[channel].showing
  const facts = [
    maxTextBytes === undefined
      ? t(($) => $.runtime.upTo, { count: maxTextLength, value: formatNumber(maxTextLength) })
      : t(($) => $.runtime.upToBytes, { value: formatNumber(maxTextBytes) }),
    t(($) => $.runtime[hasButtons ? 'buttons' : 'noButtons']),
    t(($) => $.runtime[markup === 'plain' || markup === 'source' ? 'noFormatting' : 'formatting']),
  ]
  return <span>{`${facts.join(', ')}.`}</span>
}
