// The address of a server as it is entered → as it is called.

/** An https address without a password and a fragment; null for anything else. */
export function serverUrlOf(text: string): string | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '') return null
  url.hash = ''
  return url.href
}
