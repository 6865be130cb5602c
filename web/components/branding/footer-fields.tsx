// The line below the web chat that visitors see.
import { FOOTER_TEXT_MAX, FOOTERS } from '#shared/organizations/branding.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { BrandPartProps } from './brand-part.ts'

type FooterFieldsProps = BrandPartProps & { inheritedFooter: string }

/** The installation has nothing to inherit from. */
export function FooterFields({ of, draft, change, errorOf, inheritedFooter }: FooterFieldsProps) {
  const { t } = useTranslation('branding')
  const isInstallation = of === 'installation'
  const value = isInstallation && draft.footer === 'inherit' ? 'none' : draft.footer
  const hints = { inherit: inheritedFooter || t(($) => $.footer.inheritNone), own: undefined, none: undefined }
  return (
    <CardSection title={t(($) => $.footer.title)} description={t(($) => $.footer.description[of])}>
      <div className="flex flex-col gap-4">
        <RadioGroup
          label={t(($) => $.footer.title)}
          value={value}
          onValueChange={(footer) => change({ footer })}
          options={FOOTERS.filter((each) => !isInstallation || each !== 'inherit').map((each) => ({
            value: each,
            label: t(($) => $.footer.modes[each]),
            ...(hints[each] !== undefined && { hint: hints[each] }),
          }))}
        />
        {value === 'own' && (
          <>
            <Field label={t(($) => $.footer.text)} error={errorOf('footerText')} isRequired>
              <Input
                autoComplete="off"
                maxLength={FOOTER_TEXT_MAX}
                value={draft.footerText}
                onChange={({ target }) => change({ footerText: target.value })}
              />
            </Field>
            <Field
              label={t(($) => $.footer.url)}
              hint={t(($) => $.footer.urlHint)}
              error={errorOf('footerUrl')}
              isOptional
            >
              <Input
                inputMode="url"
                autoComplete="off"
                spellCheck={false}
                placeholder="https://"
                value={draft.footerUrl}
                onChange={({ target }) => change({ footerUrl: target.value.trim() })}
              />
            </Field>
          </>
        )}
      </div>
    </CardSection>
  )
}
