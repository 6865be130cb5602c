// What the signed-in member may do, by the policy that the server applies, too. Live: a changed role is followed at once.
import type { ReactNode } from 'react'
import { may, type OrganizationRole, type Permission } from '#shared/organizations/policy.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ReadOnly } from '#web/lib/read-only.ts'
import { useCurrentUser } from './current-user.tsx'

/** Whether the signed-in member has a permission; without a role nothing is allowed. Only on protected pages. */
export function useMay(permission: Permission): boolean {
  return mayAs(useCurrentUser().organizationRole, permission)
}

/** Whether a role, or none, has a permission. */
export function mayAs(role: OrganizationRole | null, permission: Permission): boolean {
  return role !== null && may(role, permission)
}

/** Shows its content to those who have the permission. */
export function May({ need, children }: { need: Permission; children: ReactNode }) {
  return useMay(need) && children
}

type WritableByProps = { permission: Permission; isQuiet?: boolean; children: ReactNode }

/** Disables the fields and buttons inside for those who lack the permission, and says why, unless another part of the page does (`isQuiet`). What was typed stays; sections still open. */
export function WritableBy({ permission, isQuiet = false, children }: WritableByProps) {
  const isWritable = useMay(permission)
  return (
    <ReadOnly value={!isWritable}>
      {!isWritable && !isQuiet && <ReadOnlyNote />}
      {children}
    </ReadOnly>
  )
}

/** Says that the member's role only lets them look, and who can change that. */
export function ReadOnlyNote() {
  const { t } = useTranslation()
  const role = useCurrentUser().organizationRole
  return (
    <p role="status" className="rounded-lg bg-muted px-4 py-3 text-muted-foreground text-sm">
      {role ? t(($) => $.access.readOnly, { role: t(($) => $.access.role[role]) }) : t(($) => $.access.noRole)}
    </p>
  )
}
