// A picture that is kept on this server, small, next to the field that names it.

/** Shows nothing for a picture that was not fetched yet, or cannot be. */
export function HostedPicture({ url }: { url: string }) {
  if (!url.startsWith('/files/avatars/')) return null
  return <img src={url} alt="" className="size-10 shrink-0 rounded-md border object-cover" />
}
