// The dialog that adds a site or changes how it is read.
import { useState } from 'react'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { SITE_EVERY_HOURS, SITE_MODES, type Site, type SiteMode } from '#shared/knowledge/sites.ts'
import { SITE_DEPTH_DEFAULT, SITE_DEPTH_MAX, SITE_PAGES_DEFAULT, SITE_PAGES_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

type SiteDialogProps = {
  space: KnowledgeSpace
  /** The site to change; a new one is added without it. */
  site: Site | undefined
  onClose: () => void
}

/** Open while mounted. The address and the crawl mode of a site never change. */
export function SiteDialog({ space, site, onClose }: SiteDialogProps) {
  const { t } = useTranslation('web-search')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={site ? t(($) => $.siteDialog.editTitle) : t(($) => $.siteDialog.addTitle)}
        description={site ? site.url : t(($) => $.siteDialog.addDescription)}
      >
        <SiteForm space={space} site={site} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function useSiteForm({ space, site, onClose }: SiteDialogProps) {
  const create = useMutation(api.knowledge.sites.create, { hasToast: false })
  const update = useMutation(api.knowledge.sites.update)
  const [url, setUrl] = useState('')
  const [mode, setMode] = useState<SiteMode>('crawl')
  const [maxPages, setMaxPages] = useState<number | null>(site?.maxPages ?? SITE_PAGES_DEFAULT)
  const [maxDepth, setMaxDepth] = useState<number | null>(site?.maxDepth ?? SITE_DEPTH_DEFAULT)
  const [every, setEvery] = useState(String(site ? (site.everyHours ?? 'never') : 168))
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const arePagesGood = isWithin(maxPages, 1, SITE_PAGES_MAX)
  const isDepthGood = isWithin(maxDepth, 0, SITE_DEPTH_MAX)
  async function save() {
    if (!isWithin(maxPages, 1, SITE_PAGES_MAX) || !isWithin(maxDepth, 0, SITE_DEPTH_MAX)) return
    const everyHours = SITE_EVERY_HOURS.find((hours) => String(hours) === every) ?? null
    const reading = { maxPages, maxDepth, everyHours }
    setBusy(true)
    try {
      if (site) await update({ siteId: site._id, patch: reading })
      else await create({ knowledgeSpaceId: space._id, url, mode, ...reading })
      onClose()
    } catch (error) {
      setProblem(describeError(error).message)
      setBusy(false)
    }
  }
  const values = { url, mode, maxPages, maxDepth, every }
  const setters = { setUrl, setMode, setMaxPages, setMaxDepth, setEvery, setProblem }
  return { ...values, ...setters, problem, arePagesGood, isDepthGood, isBusy, save }
}

function SiteForm(props: SiteDialogProps) {
  const { t } = useTranslation('web-search')
  const form = useSiteForm(props)
  const isNew = props.site === undefined
  const range = (max: number, min: number) => t(($) => $.siteDialog.range, { min, max: formatNumber(max) })
  return (
    <form
      noValidate
      className="flex flex-col gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        if (isNew && form.url.trim() === '') return form.setProblem(t(($) => $.siteDialog.urlRequired))
        void form.save()
      }}
    >
      {isNew && <Beginning form={form} />}
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={t(($) => $.siteDialog.maxPages)} error={form.arePagesGood ? undefined : range(SITE_PAGES_MAX, 1)}>
          <NumberInput value={form.maxPages} onValueChange={form.setMaxPages} />
        </Field>
        {(props.site?.mode ?? form.mode) === 'crawl' && (
          <Field
            label={t(($) => $.siteDialog.maxDepth)}
            hint={t(($) => $.siteDialog.maxDepthHint)}
            error={form.isDepthGood ? undefined : range(SITE_DEPTH_MAX, 0)}
          >
            <NumberInput value={form.maxDepth} onValueChange={form.setMaxDepth} />
          </Field>
        )}
      </div>
      <Field label={t(($) => $.siteDialog.every)} hint={t(($) => $.siteDialog.everyHint)}>
        <Select
          value={form.every}
          onValueChange={form.setEvery}
          options={[...SITE_EVERY_HOURS.map(String), 'never'].map((value) => ({
            value,
            label: t(($) => $.siteDialog.everyOption[value as keyof typeof $.siteDialog.everyOption]),
          }))}
        />
      </Field>
      <DialogFooter>
        <Button onClick={props.onClose}>{t(($) => $.siteDialog.cancel)}</Button>
        <Button type="submit" variant="primary" isBusy={form.isBusy}>
          {isNew ? t(($) => $.siteDialog.add) : t(($) => $.siteDialog.save)}
        </Button>
      </DialogFooter>
    </form>
  )
}

function Beginning({ form }: { form: ReturnType<typeof useSiteForm> }) {
  const { t } = useTranslation('web-search')
  return (
    <>
      <Field label={t(($) => $.siteDialog.url)} error={form.problem} isRequired>
        <Input
          type="url"
          value={form.url}
          autoComplete="off"
          placeholder="https://example.com/help"
          onChange={(event) => {
            form.setUrl(event.target.value)
            form.setProblem(undefined)
          }}
        />
      </Field>
      <RadioGroup
        label={t(($) => $.siteDialog.mode)}
        value={form.mode}
        onValueChange={form.setMode}
        options={SITE_MODES.map((value) => ({
          value,
          label: t(($) => $.siteDialog.modes[value]),
          hint: t(($) => $.siteDialog.modeHints[value]),
        }))}
      />
    </>
  )
}

function isWithin(value: number | null, min: number, max: number): value is number {
  return value !== null && Number.isInteger(value) && value >= min && value <= max
}
