// Where a demonstration lets people play what is outside: every other installation has none of it.

/** Addresses of the pages beside a demonstration; `programAddress` is what its example program is connected by. */
export type Demonstration = {
  telegram: string
  whatsapp: string
  whatsappCloud: string
  webchat: string
  program: string
  programAddress: string
}
