// Numbers of the realtime connection. What is the client's own is in the `convex` package.

/** Bytes of one frame from a client, before and after it has shown a valid token. */
export const FRAME_MAX_ANONYMOUS = 1024 * 1024
export const FRAME_MAX = 16 * 1024 * 1024
/** Bytes of one HTTP call. */
export const BODY_MAX = 16 * 1024 * 1024
/** A client gives up a connection that is silent for 60 s. */
export const PING_AFTER_MS = 15_000
/** How often silence and stalled readers are looked for. */
export const TICK_MS = 5_000
/** Bytes waiting in one socket: more than this and no result is added … */
export const CONGESTED_BYTES = 1024 * 1024
/** … more than this, or congested for this long, and the socket is closed. */
export const BUFFERED_MAX = 8 * 1024 * 1024
export const STALLED_MS = 30_000
/** Characters of one piece of a large Transition. */
export const CHUNK_CHARACTERS = 1024 * 1024
/** How long after the first query set a returning client may still send its unfinished mutations. */
export const RESEND_QUIET_MS = 25
/** How long a client whose token has expired may take to show a new one. */
export const REAUTHENTICATE_MS = 5_000
/** How long a client who says who it is waits while the database cannot be asked: sent away, it would only come back. */
export const AUTHENTICATE_PATIENCE_MS = 20_000
/** Messages of one socket, and their bytes, that wait or run: more, and nothing is read from it until half of them are done. */
export const PENDING_MAX = 1_000
export const PENDING_BYTES_MAX = 32 * 1024 * 1024
/** How long a connection may be open without a Connect: the official client waits with it for its first token. */
export const CONNECT_WITHIN_MS = 60_000
/** Live queries of one socket. */
export const QUERIES_MAX = 2_000
/** Messages of one socket: this many at once, then this many a second. */
export const MESSAGE_BURST = 10_000
export const MESSAGES_PER_SECOND = 1_000
/** Connections from one address: open at a time, at once, then a second. */
export const SOCKETS_PER_ADDRESS = 5_000
export const CONNECT_BURST = 5_000
export const CONNECTS_PER_SECOND = 200
/** Longest pause between two flushes. */
export const FLUSH_PAUSE_MAX_MS = 100
/** Hints about commits of other processes may get lost: the database is asked at least this often. */
export const POLL_MS = 500
/** A live query that failed unexpectedly is run again after a pause: the first, doubling up to. */
export const RETRY_FIRST_MS = 500
export const RETRY_MAX_MS = 10_000
/** How long running mutations may take after a stop was asked for. */
export const DRAIN_MS = 3_000
