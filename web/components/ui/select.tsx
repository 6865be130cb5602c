// A list to pick one value from.
import { Check, ChevronDown } from 'lucide-react'
import { Select as Primitive } from 'radix-ui'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'
import { inputClasses } from './input.tsx'
import { menuItemClasses, popupClasses } from './popup-classes.ts'

export type SelectOption = {
  value: string
  label: ReactNode
  hint?: ReactNode
  isDisabled?: boolean
  /** Heading over this and the following options of the same group. */
  group?: string
}

type SelectProps = Omit<ComponentProps<typeof Primitive.Trigger>, 'value' | 'onChange' | 'children'> & {
  value: string
  onValueChange: (value: string) => void
  options: readonly SelectOption[]
  placeholder?: string
}

/** A select. `value` is empty when nothing is picked; option values may not be empty. */
export function Select({ value, onValueChange, options, placeholder, disabled, className, ...trigger }: SelectProps) {
  const isDisabled = useDisabled(disabled)
  return (
    <Primitive.Root value={value} onValueChange={onValueChange} disabled={isDisabled}>
      <Primitive.Trigger
        className={cn(
          inputClasses,
          'flex h-9 items-center justify-between gap-2 text-start data-[placeholder]:text-muted-foreground pointer-coarse:h-11 [&>span]:truncate',
          className,
        )}
        {...trigger}
      >
        <Primitive.Value placeholder={placeholder} />
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          position="popper"
          sideOffset={4}
          className={cn(
            popupClasses,
            'max-h-(--radix-select-content-available-height) min-w-(--radix-select-trigger-width)',
          )}
        >
          <Primitive.Viewport className="p-1">
            {groupsOf(options).map((group) => (
              <Primitive.Group key={group.options[0]?.value}>
                {group.label && (
                  <Primitive.Label className="px-2.5 pt-2 pb-1 font-medium text-muted-foreground text-xs">
                    {group.label}
                  </Primitive.Label>
                )}
                {group.options.map((option) => (
                  <Option key={option.value} {...option} />
                ))}
              </Primitive.Group>
            ))}
          </Primitive.Viewport>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** Neighbours with the same heading, together. */
function groupsOf(options: readonly SelectOption[]): { label: string | undefined; options: SelectOption[] }[] {
  const groups: { label: string | undefined; options: SelectOption[] }[] = []
  for (const option of options) {
    const last = groups.at(-1)
    if (last && last.label === option.group) last.options.push(option)
    else groups.push({ label: option.group, options: [option] })
  }
  return groups
}

/** Its name is all of its text, the hint included, so the label that Radix would put on it is taken off. */
function Option({ value, label, hint, isDisabled = false }: SelectOption) {
  return (
    <Primitive.Item
      value={value}
      disabled={isDisabled}
      aria-labelledby={undefined}
      className={cn(menuItemClasses, 'pe-8')}
    >
      <div className="min-w-0">
        <Primitive.ItemText>{label}</Primitive.ItemText>
        {hint && <div className="text-muted-foreground text-xs">{hint}</div>}
      </div>
      <Primitive.ItemIndicator className="absolute end-2">
        <Check aria-hidden="true" className="size-4" />
      </Primitive.ItemIndicator>
    </Primitive.Item>
  )
}
