// How an instance is set up, asked of its provider when a page needs it.
import { useCallback, useEffect, useState } from 'react'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { WhatsappSetup } from '#shared/channels/whatsapp.ts'
import { api } from '#web/api.ts'
import { describeError } from '#web/lib/errors.ts'
import { useAction } from '#web/lib/server/convex.ts'

export type SetupState = { setup?: WhatsappSetup; failure?: string }

/** Neither `setup` nor `failure`: the request is running. `reload` repeats it. */
export function useSetup(connectionId: ChannelConnection['_id']): SetupState & { reload: () => void } {
  const ask = useAction(api.channels.whatsapp.setup, { hasToast: false })
  const [state, setState] = useState<SetupState>({})
  const [round, setRound] = useState(0)
  useEffect(() => {
    void round
    let isOver = false
    ask({ connectionId }).then(
      (setup) => isOver || setState({ setup }),
      (error: unknown) => isOver || setState({ failure: describeError(error).message }),
    )
    return () => {
      isOver = true
    }
  }, [ask, connectionId, round])
  const reload = useCallback(() => {
    setState({})
    setRound((before) => before + 1)
  }, [])
  return { ...state, reload }
}
