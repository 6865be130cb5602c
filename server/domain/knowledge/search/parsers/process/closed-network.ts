// Shuts a process out of the network, as far as programs in JavaScript reach it: Node's own permissions do not cover it.
import dgram from 'node:dgram'
import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

/** From now on, connecting, listening, sending a datagram and asking for a name all throw in this process. */
export function closeNetwork(): void {
  close(net.Socket.prototype, ['connect'])
  close(net.Server.prototype, ['listen'])
  close(dgram.Socket.prototype, ['bind', 'connect', 'send'])
  for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype])
    close(
      resolver,
      Object.getOwnPropertyNames(resolver).filter((name) => /^(lookup|resolve|reverse)/.test(name)),
    )
  syncBuiltinESMExports()
}

function close(target: object, names: string[]): void {
  const refuse = () => {
    throw new Error('A parser may not use the network.')
  }
  for (const name of names) Object.defineProperty(target, name, { value: refuse })
}
