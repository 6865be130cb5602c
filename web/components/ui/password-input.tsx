// Password input with a button that shows what was typed.
import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Input } from './input.tsx'

/** Give it an `autoComplete` token; paste and password managers work. */
export function PasswordInput({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  const { t } = useTranslation()
  const [isShown, setShown] = useState(false)
  return (
    <div className="relative">
      <Input type={isShown ? 'text' : 'password'} className={cn('pe-11', className)} {...props} />
      <button
        type="button"
        className="absolute inset-y-0 end-0 flex w-10 items-center justify-center rounded-e-lg text-muted-foreground hover:text-foreground"
        aria-label={isShown ? t(($) => $.action.hidePassword) : t(($) => $.action.showPassword)}
        aria-pressed={isShown}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? <EyeOff className="size-4" /> : <Eye className="size-4" />}
      </button>
    </div>
  )
}
