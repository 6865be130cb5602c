// Where the server is: where this page comes from, or, for a page on a site of its own, what its head names:
//   <meta name="parley-server" content="https://parley.example.com">

// Pages are also drawn where there is no browser: by tests.
const page = globalThis.document as Document | undefined
const ownOrigin = (globalThis.location as Location | undefined)?.origin ?? ''
const named = page?.querySelector<HTMLMetaElement>('meta[name="parley-server"]')?.content.trim() ?? ''

/** Without a slash at its end. */
export const serverOrigin = (named || ownOrigin).replace(/\/+$/, '')

/** Whether the server is on another origin than this page: cookies do not reach it then. */
export const isServerElsewhere = serverOrigin !== ownOrigin

/** The address of a path of the server. */
export function atServer(path: string): string {
  return isServerElsewhere ? serverOrigin + path : path
}
