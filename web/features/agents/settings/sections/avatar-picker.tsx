// The picture of an agent: drawn here from a style and a seed, fetched once from an address, or none.
import { RefreshCw } from 'lucide-react'
import { useId, useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useDisabled } from '#web/lib/read-only.ts'
import { AvatarUrlForm } from './avatar-url-form.tsx'

/** Styles that the gallery offers; each is drawn on this device. */
const STYLES = ['thumbs', 'shapes', 'glass', 'rings'] as const
type Style = (typeof STYLES)[number]
const PER_PAGE = 8

type AvatarPickerProps = {
  agent: Agent
  /** Gives the initials. */
  name: string
  value: string | null
  onChange: (avatar: string | null) => void
}

/** A gallery picture or initials are saved with the form; a picture by address is saved at once. */
export function AvatarPicker({ agent, name, value, onChange }: AvatarPickerProps) {
  const { t } = useTranslation('agents')
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 font-medium text-sm">{t(($) => $.settings.avatar)}</legend>
      <div className="flex items-center gap-4">
        <Avatar avatar={value} name={name} className="size-16 text-lg" />
        {value !== null && (
          <Button variant="ghost" size="sm" onClick={() => onChange(null)}>
            {t(($) => $.avatar.none)}
          </Button>
        )}
      </div>
      <Tabs defaultValue="gallery">
        <TabsList>
          <TabsTrigger value="gallery">{t(($) => $.avatar.gallery)}</TabsTrigger>
          <TabsTrigger value="url">{t(($) => $.avatar.url)}</TabsTrigger>
        </TabsList>
        <TabsContent value="gallery" className="pt-4">
          <Gallery value={value} onChange={onChange} />
        </TabsContent>
        <TabsContent value="url" className="pt-4">
          <AvatarUrlForm agent={agent} onLoaded={onChange} />
        </TabsContent>
      </Tabs>
    </fieldset>
  )
}

function Gallery({ value, onChange }: { value: string | null; onChange: (avatar: string) => void }) {
  const { t } = useTranslation('agents')
  const [style, setStyle] = useState<Style>(() => styleOf(value))
  const [page, setPage] = useState(0)
  const id = useId()
  const isDisabled = useDisabled(false)
  const pictures = Array.from({ length: PER_PAGE }, (_, index) => `gallery:${style}:${page * PER_PAGE + index + 1}`)
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        {STYLES.map((each) => (
          <Button
            key={each}
            size="sm"
            variant={each === style ? 'secondary' : 'ghost'}
            aria-pressed={each === style}
            onClick={() => setStyle(each)}
          >
            {t(($) => $.avatar.styles[each])}
          </Button>
        ))}
        <Button size="sm" variant="ghost" className="ms-auto" onClick={() => setPage(page + 1)}>
          <RefreshCw aria-hidden="true" />
          {t(($) => $.avatar.more)}
        </Button>
      </div>
      <div role="radiogroup" aria-label={t(($) => $.avatar.gallery)} className="flex flex-wrap gap-2">
        {pictures.map((picture, index) => (
          <label
            key={picture}
            className={cn(
              'relative rounded-full p-0.5 ring-2 ring-transparent has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2',
              picture === value && 'ring-primary',
            )}
          >
            <input
              type="radio"
              disabled={isDisabled}
              name={id}
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={picture === value}
              onChange={() => onChange(picture)}
              aria-label={t(($) => $.avatar.pick, { number: page * PER_PAGE + index + 1 })}
            />
            <Avatar avatar={picture} name="" className="size-12" />
          </label>
        ))}
      </div>
    </div>
  )
}

function styleOf(avatar: string | null): Style {
  return STYLES.find((style) => avatar?.startsWith(`gallery:${style}:`)) ?? 'thumbs'
}
