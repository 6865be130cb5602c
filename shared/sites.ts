// Sites of the web that a space takes its documents from.

/** Why a page cannot be used. */
export type PageFailure = 'unreachable' | 'gone' | 'refused' | 'elsewhere' | 'not_a_page' | 'empty' | 'unreadable'
