// The box by which a list is searched.
import { Search } from 'lucide-react'
import { LIST_SEARCH_MAX } from '#shared/limits.ts'
import { Input } from '#web/components/ui/input.tsx'
import { cn } from '#web/lib/cn.ts'

type ListSearchProps = { label: string; value: string; onChange: (value: string) => void; className?: string }

/** The label is for assistive technology and stands in the empty box. */
export function ListSearch({ label, value, onChange, className }: ListSearchProps) {
  return (
    <div className={cn('relative', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted-foreground"
      />
      <Input
        type="search"
        className="ps-9"
        aria-label={label}
        placeholder={label}
        maxLength={LIST_SEARCH_MAX}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
