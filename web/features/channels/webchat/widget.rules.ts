// The defaults of a new widget, the format of sites, and the addresses of a widget.

import { isOwnMachine, isWidgetDomain, type WidgetLanguage, type WidgetSettings } from '#shared/channels/webchat.ts'
import { WIDGET_TITLE_MAX } from '#shared/limits.ts'

/** The defaults of a new widget, with its agent's name. */
export function newWidget(agentName: string, greetings: Record<WidgetLanguage, string>): WidgetSettings {
  return {
    title: agentName.slice(0, WIDGET_TITLE_MAX),
    color: '',
    position: 'right',
    hasAvatar: true,
    takesFiles: true,
    texts: { ru: { greeting: greetings.ru, offline: '' }, en: { greeting: greetings.en, offline: '' } },
    domains: [],
  }
}

/** The host of typed or pasted input, which may be an address with a path; `http://` is kept where it matters. */
export function hostOf(typed: string): string {
  const [, scheme = '', rest = ''] = /^([a-z]+:\/\/)?(.*)$/s.exec(typed.trim().toLowerCase()) ?? []
  const host = rest.replace(/[/?#].*$/, '')
  return scheme === 'http://' && host !== '' && !isOwnMachine(host) ? scheme + host : host
}

/** The first of them that is not a host. */
export function wrongDomain(domains: string[]): string | undefined {
  return domains.find((domain) => !isWidgetDomain(domain))
}

/** The chat as a separate page. */
export function pageAddress(origin: string, key: string): string {
  return `${origin}/talk/${key}`
}

/** What a site embeds. */
export function snippetFor(origin: string, key: string): string {
  return `<script async src="${origin}/widget.js" data-key="${key}" data-lang="auto"></script>`
}
