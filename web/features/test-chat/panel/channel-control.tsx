// Which channel is imagined, and what customers get to see of an answer there.
import { SHOWING, type Showing } from '#shared/channels/channels.ts'
import { SIMULATED_CHANNELS } from '#shared/messaging/test-chat.ts'
import { Select } from '#web/components/ui/select.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { VariantControls } from '../use-controls.ts'
import { Control } from './control.tsx'

/** Stands in the list for "as it is". */
const PLAIN = 'plain'

/** Nothing is sent to the channel. */
export function ChannelControl({ state }: { state: VariantControls }) {
  const { t } = useTranslation('test-chat')
  const { t: names } = useTranslation('conversations')
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
            SIMULATED_CHANNELS.find((each) => each === next),
          )
        }
        options={[
          { value: PLAIN, label: t(($) => $.runtime.noChannel) },
          ...SIMULATED_CHANNELS.map((each) => ({ value: each, label: names(($) => $.channel[each]) })),
        ]}
      />
    </Control>
  )
}

function ChannelFacts({ channel }: { channel: keyof typeof SHOWING }) {
  const { t } = useTranslation('test-chat')
  const { maxTextLength, maxTextBytes, hasButtons, markup }: Showing = SHOWING[channel]
  const facts = [
    maxTextBytes === undefined
      ? t(($) => $.runtime.upTo, { count: maxTextLength, value: formatNumber(maxTextLength) })
      : t(($) => $.runtime.upToBytes, { value: formatNumber(maxTextBytes) }),
    t(($) => $.runtime[hasButtons ? 'buttons' : 'noButtons']),
    t(($) => $.runtime[markup === 'plain' || markup === 'source' ? 'noFormatting' : 'formatting']),
  ]
  return <span>{`${facts.join(', ')}.`}</span>
}
