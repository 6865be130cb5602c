// The menu at the end of a row or a card.
import { EllipsisVertical, type LucideIcon } from 'lucide-react'
import { Button } from '#web/components/ui/button.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'

export type RowAction = { label: string; Icon: LucideIcon; onSelect: () => void; isDestructive?: boolean }

/** `label` names what the actions are done to. It stays in reach where the whole row is a link. */
export function RowMenu({ label, actions }: { label: string; actions: RowAction[] }) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="ghost" size="icon-sm" className="relative z-10" aria-label={label}>
          <EllipsisVertical />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        {actions.map(({ label: action, Icon, onSelect, isDestructive = false }) => (
          <DropdownMenuItem key={action} isDestructive={isDestructive} onSelect={onSelect}>
            <Icon aria-hidden="true" />
            {action}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
