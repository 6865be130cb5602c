// Which site shows a web chat, and whether it may: as browsers judge by the header that widgetPolicy makes. Pure.
import { domainToASCII, domainToUnicode } from 'node:url'
import { isOwnMachine, isWidgetDomain } from '#shared/channels/webchat.ts'

const HTTP = 'http://'
/** Ports that are left out of an address, for either scheme. */
const USUAL_PORT = /:(?:80|443)$/

/**
 * The site around a frame, as an owner would list it; null: it is unknown, is our own, or cannot be listed.
 *
 * @param referrer the page around, as the browser reports it
 */
export function siteAround(referrer: string | undefined, publicUrl: string): string | null {
  const url = URL.parse(referrer ?? '')
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === new URL(publicUrl).origin) return null
  const host = domainToUnicode(url.hostname) + (url.port && `:${url.port}`)
  const site = url.protocol === 'http:' && !isOwnMachine(host) ? HTTP + host : host
  return isWidgetDomain(site) ? site : null
}

/** Whether one of these lets a site show the chat. Without a scheme that means https where we are reached by https, else both. */
export function isListed(domains: string[], site: string, publicUrl: string): boolean {
  const { isHttp, host } = partsOf(site)
  return domains.some((domain) => {
    const listed = partsOf(domain)
    const isSchemeRight = listed.isHttp || isOwnMachine(listed.host) || !isHttp || publicUrl.startsWith(HTTP)
    if (!isSchemeRight) return false
    return listed.isBelow ? host.endsWith(`.${listed.host}`) : host === listed.host
  })
}

function partsOf(domain: string): { isHttp: boolean; isBelow: boolean; host: string } {
  const [, scheme, below, name = '', port = ''] = /^(http:\/\/)?(\*\.)?([^:]+)(:\d+)?$/.exec(domain) ?? []
  const host = domainToASCII(name) + port.replace(USUAL_PORT, '')
  return { isHttp: scheme !== undefined, isBelow: below !== undefined, host }
}
