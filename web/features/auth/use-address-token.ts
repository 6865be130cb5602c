// The token of the link by which a page was opened.
import { useState } from 'react'
import { spendSecret } from '#web/lib/sign-in/address-secrets.ts'

/** Kept for as long as the page is shown: under strict mode a state is made twice, and the secret can be spent once. */
let opened: string | null = null

/** Null: the page was opened without one. */
export function useAddressToken(): string | null {
  const [token] = useState(() => {
    opened = spendSecret('token') ?? opened
    return opened
  })
  return token
}
