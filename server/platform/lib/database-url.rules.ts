// Whether the address of a database can be used, before anything is connected.

/** The error in a database address, as the end of a sentence that begins with the variable's name; null: none visible. */
export function databaseUrlProblem(text: string): string | null {
  if (/^["'`]/.test(text)) return 'must stand without quotes'
  if (!/^postgres(ql)?:\/\//.test(text)) return 'must start with postgres://'
  if (hostsOf(text).some((host) => host.includes(','))) {
    return 'names several hosts, and Parley connects to one: name the primary server, or an address that follows it (a virtual IP, HAProxy, the read-write service of your cluster)'
  }
  if (hostsOf(text).some((host) => Number(/:(\d+)$/.exec(host)?.[1] ?? 0) > 65_535)) return 'names a port above 65535'
  return isReadable(text)
    ? null
    : 'cannot be read as an address: in the user name and the password, characters like @ : / ? # % must be percent-encoded (@ is %40)'
}

/** The host part, and the parameter that can replace it. */
function hostsOf(text: string): string[] {
  const [address = '', query = ''] = text.split('?', 2)
  const authority = /^\w+:\/\/(?:.*@)?([^/@]*)/.exec(address)?.[1] ?? ''
  return [authority, new URLSearchParams(query).get('host') ?? '']
}

/** Spaces and a host left out, as for a socket, are understood by the driver. */
function isReadable(text: string): boolean {
  const withHost = text.replace(/(:\/\/|@)(?=\/|$)/, '$1localhost')
  return URL.canParse(withHost) || URL.canParse(encodeURI(withHost))
}
