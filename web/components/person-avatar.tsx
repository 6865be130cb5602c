// A colleague in small: their picture, and their name and job title on hover and focus.
import type { Member } from '#shared/organizations/organizations.ts'
import { cn } from '#web/lib/cn.ts'
import { Avatar } from './ui/avatar.tsx'
import { Tooltip } from './ui/tooltip.tsx'

type PersonAvatarProps = {
  person: Pick<Member, 'name' | 'avatar' | 'jobTitle'>
  /** Within a link or a button: it takes no focus of its own, and the name must stand next to it. */
  isInside?: boolean
  className?: string
}

/** `size-8` by default. */
export function PersonAvatar({ person, isInside = false, className }: PersonAvatarProps) {
  const words = personLine(person)
  const picture = <Avatar avatar={person.avatar} name={person.name} className={cn('size-8', className)} />
  if (isInside) {
    return (
      <span title={words} className="inline-flex shrink-0">
        {picture}
      </span>
    )
  }
  return (
    <Tooltip content={words}>
      <button type="button" aria-label={words} className="inline-flex shrink-0 cursor-default rounded-full">
        {picture}
      </button>
    </Tooltip>
  )
}

/** The name and, where it is given, the job title. */
function personLine({ name, jobTitle }: Pick<Member, 'name' | 'jobTitle'>): string {
  return jobTitle ? `${name} · ${jobTitle}` : name
}
