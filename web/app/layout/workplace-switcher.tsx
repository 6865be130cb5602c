// The organizations of the person: which one this tab is in, and the way into another.
import type { Workplace } from '#shared/organizations/members.ts'
import { api } from '#web/api.ts'
import {
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
} from '#web/components/ui/dropdown-menu.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { WorkplaceMark } from '#web/components/workplace-mark.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { enterOrganization } from '#web/lib/sign-in/workplace.ts'

/** Part of the user menu. Nothing for who belongs to one organization only: its name stands in the head of the menu. */
export function WorkplaceSwitcher() {
  const { t } = useTranslation()
  const { _id: current } = useOrganization()
  const workplaces: Workplace[] | undefined = useQuery(api.organizations.listMine, {})
  const change = useMutation(api.organizations.switch)
  if (!workplaces || workplaces.length < 2) return null

  /** New tabs and browsers begin there as well. A failure shows a toast. */
  function enter(organizationId: string) {
    const chosen = workplaces?.find(({ _id }) => _id === organizationId)
    if (!chosen || chosen._id === current) return
    change({ organizationId: chosen._id }).then(
      () => enterOrganization(chosen._id),
      () => undefined,
    )
  }
  return (
    <>
      <DropdownMenuLabel>{t(($) => $.header.organizations)}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={current} onValueChange={enter} aria-label={t(($) => $.header.organizations)}>
        {workplaces.map((each) => (
          <DropdownMenuRadioItem key={each._id} value={each._id}>
            <WorkplaceMark organization={each} />
            <span className="min-w-0 flex-1">
              <span className="block truncate">{each.name}</span>
              <span className="block text-muted-foreground text-xs">{t(($) => $.roles[each.role])}</span>
            </span>
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      <DropdownMenuSeparator />
    </>
  )
}

/** Where one is, in the navigation. */
export function CurrentWorkplace({ isCollapsed = false, className }: { isCollapsed?: boolean; className?: string }) {
  const organization = useOrganization()
  return (
    <Tooltip content={organization.name} side="right" isDisabled={!isCollapsed}>
      <div className={cn('flex items-center gap-2.5', isCollapsed && 'justify-center', className)}>
        <WorkplaceMark organization={organization} />
        <span className={cn(isCollapsed ? 'sr-only' : 'truncate font-medium text-[0.8125rem]')}>
          {organization.name}
        </span>
      </div>
    </Tooltip>
  )
}
