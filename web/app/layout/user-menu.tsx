// The menu of the signed-in person: who it is, their organizations, language, theme, palette, sign-out.
import { Keyboard, LogOut, UserRound } from 'lucide-react'
import { Link } from 'react-router'
import { useSignOut } from '#web/app/use-sign-out.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuRadioGroup,
  DropdownMenuRadioItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '#web/components/ui/dropdown-menu.tsx'
import { Kbd } from '#web/components/ui/kbd.tsx'
import { shortcutKeys } from '#web/lib/browser/shortcuts.ts'
import { type Palette, setPalette, setTheme, type ThemeChoice, useTheme } from '#web/lib/browser/theme.ts'
import { currentLanguage, LANGUAGES, type Language, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useCurrentUser, useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useLanguageChoice } from '#web/lib/sign-in/own-settings.ts'
import { WorkplaceSwitcher } from './workplace-switcher.tsx'

const THEMES: readonly ThemeChoice[] = ['light', 'dark', 'system']
const PALETTES: readonly Palette[] = ['doc-basic', 'default']

/** Opens from the name or e-mail at the end of the header. */
export function UserMenu({ onOpenShortcuts }: { onOpenShortcuts: () => void }) {
  const { t } = useTranslation()
  const user = useCurrentUser()
  const organization = useOrganization()
  const signOut = useSignOut()
  const name = user.name || user.email
  return (
    <DropdownMenu>
      <DropdownMenuTrigger className="flex h-9 min-w-9 items-center gap-2 rounded-full p-0.5 hover:bg-accent sm:pe-3 pointer-coarse:h-11">
        <Avatar avatar={user.avatar} name={name} className="size-8" />
        <span className="sr-only">{t(($) => $.header.userMenu)}: </span>
        <span className="max-w-36 truncate font-medium max-sm:sr-only">{name}</span>
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-64">
        <div className="px-2.5 py-2">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-[0.8125rem] text-muted-foreground">{user.email}</p>
          <p className="mt-1 truncate text-[0.8125rem] text-muted-foreground">
            {organization.name}
            {user.organizationRole && ` · ${t(($) => $.roles[user.organizationRole ?? 'analyst'])}`}
          </p>
        </div>
        <DropdownMenuSeparator />
        <WorkplaceSwitcher />
        <DropdownMenuItem asChild>
          <Link to={paths.profile}>
            <UserRound aria-hidden="true" />
            {t(($) => $.header.profile)}
          </Link>
        </DropdownMenuItem>
        <DropdownMenuItem className="pointer-coarse:hidden" onSelect={onOpenShortcuts}>
          <Keyboard aria-hidden="true" />
          <span className="flex-1">{t(($) => $.shortcuts.title)}</span>
          <Kbd keys={shortcutKeys('openSheet')} />
        </DropdownMenuItem>
        <DropdownMenuSeparator />
        <Choices />
        <DropdownMenuSeparator />
        <DropdownMenuItem onSelect={() => void signOut()}>
          <LogOut aria-hidden="true" />
          {t(($) => $.header.signOut)}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  )
}

function Choices() {
  const { t } = useTranslation()
  const { choice, palette } = useTheme()
  const chooseLanguage = useLanguageChoice()
  return (
    <>
      <DropdownMenuLabel>{t(($) => $.header.language)}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={currentLanguage()} onValueChange={(next) => chooseLanguage(next as Language)}>
        {LANGUAGES.map((language) => (
          <DropdownMenuRadioItem key={language} value={language} lang={language} onSelect={keepOpen}>
            <span className="w-6 font-medium text-muted-foreground text-xs uppercase">{language}</span>
            {t(($) => $.language[language])}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      <DropdownMenuLabel>{t(($) => $.header.theme)}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={choice} onValueChange={(next) => setTheme(next as ThemeChoice)}>
        {THEMES.map((theme) => (
          <DropdownMenuRadioItem key={theme} value={theme} onSelect={keepOpen}>
            {t(($) => $.theme[theme])}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
      <DropdownMenuLabel>{t(($) => $.header.palette)}</DropdownMenuLabel>
      <DropdownMenuRadioGroup value={palette} onValueChange={(next) => setPalette(next as Palette)}>
        {PALETTES.map((each) => (
          <DropdownMenuRadioItem key={each} value={each} onSelect={keepOpen}>
            {t(($) => $.palette[each])}
          </DropdownMenuRadioItem>
        ))}
      </DropdownMenuRadioGroup>
    </>
  )
}

/** The effect of a choice is on the screen behind the menu; closing it would hide the comparison. */
function keepOpen(event: Event): void {
  event.preventDefault()
}
