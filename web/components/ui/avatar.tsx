// The picture of an agent or person: from the local gallery, re-hosted by us, or initials.
import { useEffect, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { atServer } from '#web/lib/server/server-address.ts'

type AvatarProps = {
  /** `gallery:<style>:<seed>`, `/files/…`, or null for initials. */
  avatar: string | null | undefined
  /** Whose picture it is; gives the initials. */
  name: string
  className?: string
}

/** Decorative: the name stands next to it. `size-9` by default. */
export function Avatar({ avatar, name, className }: AvatarProps) {
  const source = useAvatarSource(avatar)
  return (
    <span
      aria-hidden="true"
      className={cn(
        'inline-flex size-9 shrink-0 select-none items-center justify-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-soft-foreground text-xs uppercase',
        className,
      )}
    >
      {source ? <img src={source} alt="" className="size-full object-cover" /> : initials(name)}
    </span>
  )
}

function useAvatarSource(avatar: string | null | undefined): string | null {
  const [gallery, setGallery] = useState<{ avatar: string; source: string } | null>(null)
  const isGallery = avatar?.startsWith('gallery:') ?? false
  useEffect(() => {
    if (!avatar || !isGallery) return
    let isCurrent = true
    import('#shared/agents/avatar-gallery.ts').then(({ drawAvatar }) => {
      const picture = drawAvatar(avatar)
      const source = picture ? `data:image/svg+xml;utf8,${encodeURIComponent(picture)}` : ''
      if (isCurrent) setGallery({ avatar, source })
    }, ignoreFailedLoad)
    return () => {
      isCurrent = false
    }
  }, [avatar, isGallery])
  if (isGallery) return gallery?.avatar === avatar && gallery ? gallery.source : null
  return avatar?.startsWith('/files/') ? atServer(avatar) : null
}

/** Initials are shown instead. */
function ignoreFailedLoad(): void {}

function initials(name: string): string {
  // Quotation marks and signs begin no name: "Hotel «Astana»" is HA.
  const letters = name.split(/\s+/).map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
  return letters.filter(Boolean).slice(0, 2).join('')
}
