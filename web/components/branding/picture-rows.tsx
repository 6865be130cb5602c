// Logos for both themes and the icon: each is taken as soon as its file is chosen.
import { ImageUp, X } from 'lucide-react'
import { useRef, useState } from 'react'
import {
  BRAND_PICTURE_MAX_BYTES,
  BRAND_PICTURES,
  type BrandPicture,
  type OwnBrand,
} from '#shared/organizations/branding.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { cn } from '#web/lib/cn.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { postFile } from '#web/lib/server/post-file.ts'
import { atServer } from '#web/lib/server/server-address.ts'
import { toast } from '#web/lib/toast.ts'

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

type PictureRowsProps = {
  of: 'installation' | 'organization'
  own: OwnBrand
  onRemove: (picture: BrandPicture) => Promise<unknown>
}

/** A row for each picture. */
export function PictureRows({ of, own, onRemove }: PictureRowsProps) {
  const { t } = useTranslation('branding')
  return (
    <CardSection title={t(($) => $.pictures.title)} description={t(($) => $.pictures.description[of])}>
      <ul className="flex flex-col gap-5">
        {BRAND_PICTURES.map((picture) => (
          <PictureRow key={picture} of={of} picture={picture} path={own[picture]} onRemove={onRemove} />
        ))}
      </ul>
    </CardSection>
  )
}

type PictureRowProps = Pick<PictureRowsProps, 'of' | 'onRemove'> & { picture: BrandPicture; path: string | null }

function PictureRow({ of, picture, path, onRemove }: PictureRowProps) {
  const { t } = useTranslation('branding')
  const file = useRef<HTMLInputElement>(null)
  const { refusal, isBusy, take, remove } = usePicture({ of, picture, onRemove })
  const name = t(($) => $.pictures[picture])
  return (
    <li className="flex flex-wrap items-center gap-4">
      <Shown picture={picture} path={path} />
      <div className="flex min-w-48 flex-1 flex-col gap-2">
        <div>
          <p className="font-medium">{name}</p>
          <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.pictures.hints[picture])}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" isBusy={isBusy} onClick={() => file.current?.click()}>
            <ImageUp aria-hidden="true" />
            {t(($) => $.pictures.upload)}
            <span className="sr-only">: {name}</span>
          </Button>
          {path !== null && (
            <Button size="sm" variant="ghost" disabled={isBusy} onClick={() => void remove()}>
              <X aria-hidden="true" />
              {t(($) => $.pictures.remove)}
              <span className="sr-only">: {name}</span>
            </Button>
          )}
          <input
            ref={file}
            type="file"
            hidden
            accept={TYPES}
            data-testid={`brand-${picture}`}
            onChange={({ target }) => {
              const [chosen] = target.files ?? []
              target.value = ''
              if (chosen) void take(chosen)
            }}
          />
        </div>
        <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground empty:hidden">
          {refusal}
        </p>
      </div>
    </li>
  )
}

/** On the ground of its theme, whichever is on screen. */
function Shown({ picture, path }: { picture: BrandPicture; path: string | null }) {
  const { t } = useTranslation('branding')
  return (
    <span
      data-palette="doc-basic"
      className={cn(
        'flex h-20 w-44 shrink-0 items-center justify-center rounded-lg border border-border bg-surface p-3 text-muted-foreground text-xs',
        picture === 'logoDark' && 'dark',
        picture === 'icon' && 'w-20',
      )}
    >
      {path === null ? (
        <span>{t(($) => $.pictures.none)}</span>
      ) : (
        <img src={atServer(path)} alt="" className="max-h-full max-w-full object-contain" />
      )}
    </span>
  )
}

/** `refusal`: why the last file was not taken. */
function usePicture({ of, picture, onRemove }: Omit<PictureRowProps, 'path'>) {
  const { t } = useTranslation('branding')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const during = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      await work()
      toast.success(done)
    } catch (error) {
      setRefusal(describeError(error).message)
    } finally {
      setBusy(false)
    }
  }
  const take = (file: File) =>
    during(
      async () => {
        if (file.size > BRAND_PICTURE_MAX_BYTES) throw new Refusal('brand_picture_too_large')
        const sending = { onProgress: () => undefined, signal: new AbortController().signal }
        await postFile(`/api/files/brands/${of}/${picture}`, file, sending)
      },
      t(($) => $.pictures.taken),
    )
  const remove = () =>
    during(
      () => onRemove(picture),
      t(($) => $.pictures.removed),
    )
  return { refusal, isBusy, take, remove }
}
