// Language and theme on the pages that have no user menu yet.
import { Moon, Sun } from 'lucide-react'
import { Button } from '#web/components/ui/button.tsx'
import { setTheme, useTheme } from '#web/lib/browser/theme.ts'
import { currentLanguage, setLanguage, useTranslation } from '#web/lib/i18n.ts'

/** Two buttons: the other language, the other theme. */
export function Preferences() {
  const { t } = useTranslation()
  const { theme } = useTheme()
  const otherLanguage = currentLanguage() === 'ru' ? 'en' : 'ru'
  const themeLabel = t(($) => $.commands.toggleTheme)
  return (
    <div className="flex items-center gap-1">
      <Button variant="ghost" size="sm" lang={otherLanguage} onClick={() => void setLanguage(otherLanguage)}>
        {t(($) => $.language[otherLanguage])}
      </Button>
      <Button
        variant="ghost"
        size="icon"
        title={themeLabel}
        aria-label={themeLabel}
        onClick={() => setTheme(theme === 'dark' ? 'light' : 'dark')}
      >
        {theme === 'dark' ? <Sun /> : <Moon />}
      </Button>
    </div>
  )
}
