// A screen of the router: its code and its texts, loaded when it is first shown.
import { type ComponentType, useCallback } from 'react'
import { useLocation, useParams } from 'react-router'
import { ActionScope } from '#web/lib/action-scope.tsx'
import { loadTexts, type TextNamespace } from '#web/lib/i18n.ts'
import type { Address } from '#web/lib/sign-in/asked-address.ts'

/** Loads the code of a screen and its texts side by side. */
export function screen(load: () => Promise<ComponentType>, ...texts: TextNamespace[]) {
  return async () => {
    const [Content] = await Promise.all([load(), loadTexts(...texts)])
    const ScreenOfAddress = () => <Screen of={Content} />
    return { Component: ScreenOfAddress }
  }
}

/**
 * Acts only while its own path is asked for. The same screen of another agent, space or connection is another one: no form, and no window
 * with a question, goes over to it.
 */
function Screen({ of: Content }: { of: ComponentType }) {
  const { pathname } = useLocation()
  const isHere = useCallback((asked: Address) => asked.pathname === pathname, [pathname])
  return (
    <ActionScope isHere={isHere} className="contents">
      <Content key={JSON.stringify(useParams())} />
    </ActionScope>
  )
}
