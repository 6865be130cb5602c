// A slider for one number.
import { Slider as Primitive } from 'radix-ui'
import { cn } from '#web/lib/cn.ts'
import { useDisabled } from '#web/lib/read-only.ts'

type SliderProps = {
  value: number
  onValueChange: (value: number) => void
  min: number
  max: number
  step: number
  disabled?: boolean
  className?: string
  id?: string
  'aria-label'?: string
  'aria-labelledby'?: string
  'aria-describedby'?: string
  /** The value in words, for example `0.70`. */
  valueText?: string
}

/** Arrow keys move by `step`, Page Up and Page Down by ten steps. */
export function Slider({ value, onValueChange, className, valueText, id, disabled, ...props }: SliderProps) {
  const isDisabled = useDisabled(disabled)
  const { 'aria-label': label, 'aria-labelledby': labelledBy, 'aria-describedby': describedBy, ...range } = props
  return (
    <Primitive.Root
      value={[value]}
      disabled={isDisabled}
      onValueChange={([next]) => next !== undefined && onValueChange(next)}
      className={cn(
        'relative flex h-6 w-full touch-none select-none items-center data-[disabled]:opacity-50',
        className,
      )}
      {...range}
    >
      <Primitive.Track className="relative h-1.5 w-full grow rounded-full bg-accent">
        <Primitive.Range className="absolute h-full rounded-full bg-primary" />
      </Primitive.Track>
      <Primitive.Thumb
        id={id}
        aria-label={label}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-valuetext={valueText}
        className="relative block size-5 rounded-full border-2 border-primary bg-surface shadow-card transition-shadow after:absolute after:-inset-3"
      />
    </Primitive.Root>
  )
}
