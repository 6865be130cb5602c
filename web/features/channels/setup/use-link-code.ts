// The QR code that links a phone: requested again when it expires, for as long as a user may be scanning it.
import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChannelConnection, WhatsappLink } from '#shared/channels/channels.ts'
import { WHATSAPP_QR_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { describeError } from '#web/lib/errors.ts'
import { useAction } from '#web/lib/server/convex.ts'

/**
 * loading ─► code ─► code … ─► expired ──renew──► loading
 *    │  └──► starting ─► code    after five codes the user has likely left
 *    ├─────► throttled ─► loading  asked too often: by itself, after a while
 *    └─────► failed, passkey ──renew──► loading
 *
 * That the phone is linked shows in the connection itself.
 */
export type LinkCode =
  | { status: 'loading' | 'expired' | 'passkey' }
  /** When the page first saw this state. */
  | { status: 'starting'; since: number }
  | { status: 'code'; png: string; until: number }
  | { status: 'throttled'; until: number }
  | { status: 'failed'; message: string }

/** More requests make GREEN-API restart the instance; a person needs fewer. */
const CODES_MAX = 5
/** How often the state of a starting instance, or of one whose code is being scanned, is polled. */
const LOOK_MS = 5000
/** GREEN-API allows another request after a second; the page does not need to go that far. */
export const THROTTLE_MS = 10_000

/** The present code of a connection, and the way to a new one. */
export function useLinkCode(connectionId: ChannelConnection['_id']): { code: LinkCode; renew: () => void } {
  const askQr = useAction(api.channels.whatsapp.qr, { hasToast: false })
  const refresh = useAction(api.channels.whatsapp.refresh, { hasToast: false })
  const [code, setCode] = useState<LinkCode>({ status: 'loading' })
  const [round, setRound] = useState(0)
  const shown = useRef(0)
  const renew = useCallback(() => {
    shown.current = 0
    setCode({ status: 'loading' })
    setRound((before) => before + 1)
  }, [])

  useEffect(() => {
    void round
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const ask = async () => {
      if (shown.current >= CODES_MAX) return setCode({ status: 'expired' })
      try {
        const link: WhatsappLink = await askQr({ connectionId })
        if (isOver || link.kind === 'linked') return
        if (link.kind === 'code') shown.current++
        setCode((before) => shownOf(link, before))
        if (link.kind !== 'passkey') timer = setTimeout(ask, link.kind === 'code' ? WHATSAPP_QR_MS : LOOK_MS)
      } catch (error) {
        if (isOver) return
        const { code: reason, message } = describeError(error)
        if (reason !== 'whatsapp_throttled') return setCode({ status: 'failed', message })
        setCode({ status: 'throttled', until: Date.now() + THROTTLE_MS })
        timer = setTimeout(ask, THROTTLE_MS)
      }
    }
    void ask()
    // The provider tells of the link by itself; should its word be lost, this finds out.
    const look = setInterval(() => void refresh({ connectionId }).catch(() => undefined), LOOK_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
      clearInterval(look)
    }
  }, [askQr, refresh, connectionId, round])

  return { code, renew }
}

function shownOf(link: WhatsappLink, before: LinkCode): LinkCode {
  if (link.kind === 'code') return { status: 'code', png: link.png, until: Date.now() + WHATSAPP_QR_MS }
  if (link.kind === 'passkey') return { status: 'passkey' }
  return before.status === 'starting' ? before : { status: 'starting', since: Date.now() }
}
