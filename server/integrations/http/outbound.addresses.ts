// Which network addresses are public: what the outbound guard lets a request reach.
import net from 'node:net'

const NOT_PUBLIC_V4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const

/** Parts of the global unicast block with special uses: Teredo and others, documentation, 6to4. */
const NOT_PUBLIC_V6 = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const

const refused = new net.BlockList()
for (const [network, prefix] of NOT_PUBLIC_V4) refused.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of NOT_PUBLIC_V6) refused.addSubnet(network, prefix, 'ipv6')

const globalUnicast = new net.BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/**
 * Whether an address is unicast and reachable from the whole internet.
 * IPv6 addresses that embed an IPv4 address (mapped, NAT64, 6to4, Teredo) are outside the global block or are refused within it.
 */
export function isPublicAddress(address: string): boolean {
  const family = net.isIP(address)
  if (family === 4) return !refused.check(address, 'ipv4')
  if (family === 6) return globalUnicast.check(address, 'ipv6') && !refused.check(address, 'ipv6')
  return false
}
