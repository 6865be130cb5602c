// Who letters are from, and where answers to them go.
import { SENDER_NAME_MAX } from '#shared/organizations/branding.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { BrandPartProps } from './brand-part.ts'

/** Only the installation has an address of its own to send from. */
export function SenderFields({ of, draft, change, errorOf }: BrandPartProps) {
  const { t } = useTranslation('branding')
  return (
    <CardSection title={t(($) => $.letters.title)} description={t(($) => $.letters.description[of])}>
      <div className="flex flex-col gap-4">
        <Field
          label={t(($) => $.letters.senderName)}
          hint={t(($) => $.letters.senderNameHint[of])}
          error={errorOf('senderName')}
          isOptional
        >
          <Input
            autoComplete="off"
            maxLength={SENDER_NAME_MAX}
            value={draft.senderName}
            onChange={({ target }) => change({ senderName: target.value })}
          />
        </Field>
        {of === 'installation' && (
          <Field
            label={t(($) => $.letters.senderAddress)}
            hint={t(($) => $.letters.senderAddressHint)}
            error={errorOf('senderAddress')}
            isOptional
          >
            <Input
              type="email"
              autoComplete="off"
              value={draft.senderAddress}
              onChange={({ target }) => change({ senderAddress: target.value.trim() })}
            />
          </Field>
        )}
        <Field
          label={t(($) => $.letters.replyTo)}
          hint={t(($) => $.letters.replyToHint[of])}
          error={errorOf('replyTo')}
          isOptional
        >
          <Input
            type="email"
            autoComplete="off"
            value={draft.replyTo}
            onChange={({ target }) => change({ replyTo: target.value.trim() })}
          />
        </Field>
      </div>
    </CardSection>
  )
}
