// Mod+K: go to a page, agent, setting, space or conversation, or run an action.
import { BookOpen, Keyboard, Languages, LogOut, MessagesSquare, Plus, SunMoon } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Command, CommandEmpty, CommandGroup, CommandInput, CommandList } from '#web/components/ui/command.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { setTheme, useTheme } from '#web/lib/browser/theme.ts'
import { currentLanguage, setLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { CommandRow } from './command-row.tsx'
import { MENU_ITEMS, navTarget } from './layout/navigation.ts'
import { useIsUseful } from './layout/use-nav-items.ts'
import { PaletteSections } from './palette-sections.tsx'
import { PaletteSettings } from './palette-settings.tsx'
import { useSignOut } from './use-sign-out.ts'

/** Conversations that can be found, newest first. */
const CONVERSATIONS = 50
type PaletteProps = { onClose: () => void; onOpenShortcuts: () => void }

/** Open while mounted; Esc returns the focus. */
export function CommandPalette({ onClose, onOpenShortcuts }: PaletteProps) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const go = (to: string) => {
    onClose()
    void navigate(to)
  }
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.commands.title)}
        isTitleHidden
        className="top-[14dvh] max-w-xl translate-y-0 gap-0 overflow-hidden p-0"
      >
        <Command label={t(($) => $.commands.title)}>
          <CommandInput placeholder={t(($) => $.commands.placeholder)} />
          <CommandList>
            <CommandEmpty>{t(($) => $.commands.empty)}</CommandEmpty>
            <Pages go={go} />
            <Actions go={go} onClose={onClose} onOpenShortcuts={onOpenShortcuts} />
            <Found go={go} />
            <PaletteSettings go={go} />
            <Suspense>
              <PaletteSections go={go} />
            </Suspense>
          </CommandList>
        </Command>
      </DialogContent>
    </Dialog>
  )
}

type Go = { go: (to: string) => void }

function Pages({ go }: Go) {
  const { t } = useTranslation()
  const isUseful = useIsUseful()
  const location = useLocation()
  return (
    <CommandGroup heading={t(($) => $.commands.pages)}>
      {MENU_ITEMS.filter(isUseful).map((item) => (
        <CommandRow
          key={item.key}
          id={`page ${item.key}`}
          icon={<item.icon aria-hidden="true" />}
          label={t(($) => $.nav[item.key])}
          shortcut={item.shortcut}
          onSelect={() => go(navTarget(item, location))}
        />
      ))}
    </CommandGroup>
  )
}

function Actions({ go, onClose, onOpenShortcuts }: Go & PaletteProps) {
  const { t } = useTranslation()
  const { theme } = useTheme()
  const signOut = useSignOut()
  const run = (act: () => void) => () => {
    onClose()
    act()
  }
  return (
    <CommandGroup heading={t(($) => $.commands.actions)}>
      <May need="agents.write">
        <CommandRow
          id="create agent"
          icon={<Plus />}
          label={t(($) => $.commands.createAgent)}
          onSelect={() => go(paths.newAgent)}
        />
      </May>
      <CommandRow
        id="theme"
        icon={<SunMoon />}
        label={t(($) => $.commands.toggleTheme)}
        onSelect={run(() => setTheme(theme === 'dark' ? 'light' : 'dark'))}
      />
      <CommandRow
        id="language"
        icon={<Languages />}
        label={t(($) => $.commands.switchLanguage)}
        onSelect={run(() => void setLanguage(currentLanguage() === 'ru' ? 'en' : 'ru'))}
      />
      <CommandRow
        id="shortcuts"
        icon={<Keyboard />}
        label={t(($) => $.commands.shortcuts)}
        shortcut="openSheet"
        onSelect={onOpenShortcuts}
      />
      <CommandRow
        id="sign out"
        icon={<LogOut />}
        label={t(($) => $.header.signOut)}
        onSelect={run(() => void signOut())}
      />
    </CommandGroup>
  )
}

function Found({ go }: Go) {
  const { t } = useTranslation()
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const spaces: KnowledgeSpace[] | undefined = useQuery(api.knowledge.spaces.list, {})
  const conversations: { page: Conversation[] } | undefined = useQuery(api.conversations.list, {
    paginationOpts: { numItems: CONVERSATIONS, cursor: null },
  })
  return (
    <>
      <Group heading={t(($) => $.commands.agents)} items={agents}>
        {(agent) => (
          <CommandRow
            key={agent._id}
            id={agent._id}
            icon={<Avatar avatar={agent.avatar} name={agent.name} className="size-6 text-[0.625rem]" />}
            label={agent.name}
            onSelect={() => go(paths.agentSettings(agent.slug))}
          />
        )}
      </Group>
      <Group heading={t(($) => $.commands.spaces)} items={spaces}>
        {(space) => (
          <CommandRow
            key={space._id}
            id={space._id}
            icon={<BookOpen aria-hidden="true" />}
            label={space.name}
            onSelect={() => go(paths.space(space.slug))}
          />
        )}
      </Group>
      <Group heading={t(($) => $.commands.conversations)} items={conversations?.page}>
        {(conversation) => (
          <CommandRow
            key={conversation._id}
            id={conversation._id}
            icon={<MessagesSquare aria-hidden="true" />}
            label={conversation.customer?.name || t(($) => $.crumbs.conversation)}
            hint={conversation.lastMessage?.text}
            onSelect={() => go(paths.conversation(conversation._id))}
          />
        )}
      </Group>
    </>
  )
}

type GroupProps<Item> = { heading: string; items: readonly Item[] | undefined; children: (item: Item) => ReactNode }

function Group<Item>({ heading, items, children }: GroupProps<Item>) {
  if (!items?.length) return null
  return <CommandGroup heading={heading}>{items.map(children)}</CommandGroup>
}
