// The picture of an organization: its logo, or the first letters of its name.
import { cn } from '#web/lib/cn.ts'
import { Avatar } from './ui/avatar.tsx'

type WorkplaceMarkProps = { organization: { name: string; logoUrl: string | null }; className?: string }

/** Decorative: the name stands next to it. */
export function WorkplaceMark({ organization: { name, logoUrl }, className }: WorkplaceMarkProps) {
  const letters = name.replace(/[^\p{L}\p{N}\s]/gu, '')
  return <Avatar avatar={logoUrl} name={letters} className={cn('size-6 rounded-md text-[0.625rem]', className)} />
}
