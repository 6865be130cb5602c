// Assigns a conversation: a menu of the members.
import { UserRound } from 'lucide-react'
import type { Id } from '#shared/ids.ts'
import type { Colleague } from '#shared/organizations/members.ts'
import { mayAnswer } from '#shared/organizations/policy.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { shortcutKeys, useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { useMay } from '#web/lib/sign-in/permissions.tsx'

type AssignMenuProps = {
  onChoose: (assigneeId: Id<'users'> | null) => void
  /** What the shortcut A assigns to the current user: the open conversation, or the selected ones, which take precedence. */
  shortcutFor?: 'open' | 'chosen'
}

/** The current user first, "no one" last; only those whose role lets them answer. */
export function AssignMenu({ onChoose, shortcutFor }: AssignMenuProps) {
  const { t } = useTranslation('conversations')
  const { _id: me } = useCurrentUser()
  const mayTake = useMay('inbox.write')
  const members: Colleague[] = useQuery(api.organizations.members, {}) ?? []
  useShortcut('assign', () => onChoose(me), {
    isEnabled: shortcutFor !== undefined && mayTake,
    isFirst: shortcutFor === 'chosen',
  })
  return (
    <DropdownMenu>
      <Tooltip content={t(($) => $.filing.assign)} {...(shortcutFor && { keys: shortcutKeys('assign') })}>
        <DropdownMenuTrigger asChild>
          <Button variant="ghost" size="icon" aria-label={t(($) => $.filing.assign)}>
            <UserRound />
          </Button>
        </DropdownMenuTrigger>
      </Tooltip>
      <DropdownMenuContent>
        {mayTake && <DropdownMenuItem onSelect={() => onChoose(me)}>{t(($) => $.list.me)}</DropdownMenuItem>}
        {members
          .filter(({ _id, role }) => _id !== me && mayAnswer(role))
          .map(({ _id, name }) => (
            <DropdownMenuItem key={_id} onSelect={() => onChoose(_id)}>
              {name}
            </DropdownMenuItem>
          ))}
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => onChoose(null)}>{t(($) => $.list.nobody)}</DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
