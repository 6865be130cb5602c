// A picture of a person or an organization: a file is taken at once, an address with the rest of the form.
import { ImageUp, X } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { AVATAR_MAX_BYTES } from '#shared/limits.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Refusal } from '#web/lib/refusal.ts'
import { postFile } from '#web/lib/server/post-file.ts'
import { toast } from '#web/lib/toast.ts'

const TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif'

type PictureFieldProps = {
  of: 'person' | 'organization'
  /** Gives the initials where there is no picture. */
  name: string
  label: string
  /** An address on the web, the path of one that is kept here, or empty. */
  value: string
  error: string | undefined
  onChange: (value: string) => void
  /** The picture that was taken is already saved. */
  onTaken: (path: string) => void
}

/** The picture, a button that takes a file, one that removes it, and a field for an address. */
export function PictureField({ of, name, label, value, error, onChange, onTaken }: PictureFieldProps) {
  const { t } = useTranslation('settings')
  const { refusal, isBusy, take } = useTaking(of, onTaken)
  const file = useRef<HTMLInputElement>(null)
  const id = useId()
  const isKept = value.startsWith('/files/')
  return (
    <fieldset aria-labelledby={id} className="flex min-w-0 items-start gap-4">
      <Avatar
        avatar={value}
        name={name}
        className={of === 'person' ? 'size-16 text-lg' : 'size-16 rounded-xl text-lg'}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <span id={id} className="w-full font-medium">
            {label}
          </span>
          <Button size="sm" isBusy={isBusy} onClick={() => file.current?.click()}>
            <ImageUp aria-hidden="true" />
            {t(($) => $.picture.upload)}
          </Button>
          {value !== '' && (
            <Button size="sm" variant="ghost" onClick={() => onChange('')}>
              <X aria-hidden="true" />
              {t(($) => $.picture.remove)}
            </Button>
          )}
          <input
            ref={file}
            type="file"
            hidden
            accept={TYPES}
            data-testid={`picture-of-${of}`}
            onChange={({ target }) => {
              const [chosen] = target.files ?? []
              target.value = ''
              if (chosen) void take(chosen)
            }}
          />
        </div>
        <Field label={t(($) => $.picture.address)} hint={t(($) => $.picture.hint)} error={refusal ?? error} isOptional>
          <Input
            autoComplete="off"
            spellCheck={false}
            inputMode="url"
            placeholder="https://"
            value={isKept ? '' : value}
            onChange={({ target }) => onChange(target.value)}
          />
        </Field>
      </div>
    </fieldset>
  )
}

/** `refusal`: why the last file was not taken. */
function useTaking(of: PictureFieldProps['of'], onTaken: (path: string) => void) {
  const { t } = useTranslation('settings')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const take = async (file: File) => {
    setBusy(true)
    setRefusal(undefined)
    try {
      if (file.size > AVATAR_MAX_BYTES) throw new Refusal('picture_too_large')
      const sending = { onProgress: () => undefined, signal: new AbortController().signal }
      const { path } = (await postFile(`/api/files/pictures/${of}`, file, sending)) as { path: string }
      onTaken(path)
      toast.success(t(($) => $.picture.taken))
    } catch (error) {
      setRefusal(describeError(error).message)
    } finally {
      setBusy(false)
    }
  }
  return { refusal, isBusy, take }
}
