// The address a request comes from, and what counts as one address where limits are counted by it.
import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** The peer's address, or, behind a trusted proxy, the last one that the proxy has added. What a client claims itself never counts. */
export function clientAddress(request: IncomingMessage, trustProxy: boolean): string {
  const peer = request.socket.remoteAddress ?? ''
  if (!trustProxy) return peer
  const forwarded = request.headers['x-forwarded-for']
  const claimed = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
  return claimed?.split(',').at(-1)?.trim() || peer
}

/** The address under which limits count a request. */
export function countedAddress(request: IncomingMessage, trustProxy: boolean): string {
  return addressGroup(clientAddress(request, trustProxy))
}

/** An IPv4 address unchanged; of IPv6 the /64 network, which belongs to one subscriber. Ports and zones are left out. */
export function addressGroup(address: string): string {
  const bare = address.replace(/^\[([^\]]*)\](:\d+)?$/, '$1').replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const groups = expanded(bare)
  const [sixth = 0, seventh = 0, eighth = 0] = groups.slice(5)
  if (sixth === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [seventh >> 8, seventh & 255, eighth >> 8, eighth & 255].join('.')
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of an address of IPv6. */
function expanded(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = '', tail] = canonical.split('::')
  const numbers = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))
  if (tail === undefined) return numbers(head)
  const [first, last] = [numbers(head), numbers(tail)]
  return [...first, ...Array(8 - first.length - last.length).fill(0), ...last]
}
