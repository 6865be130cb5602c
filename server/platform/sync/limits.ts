// Numbers of the realtime connection. What is the client's own is in the `convex` package.

const KB = 1024
const MB = 1024 * 1024

/** Bytes of one frame from a client, before and after it has shown a valid token. */
export const FRAME_MAX_ANONYMOUS = 64 * KB
export const FRAME_MAX = 16 * MB
/** Bytes of one HTTP call, without and with a valid token. */
export const BODY_MAX_ANONYMOUS = 64 * KB
export const BODY_MAX = 16 * MB
/** Bytes of what a client reports of its connection. */
export const REPORT_MAX = 4 * KB
/** Characters of a function's name that are looked at. */
export const FUNCTION_NAME_MAX = 512
/** Characters of a token that is looked at. */
export const TOKEN_MAX = 8 * KB
/** Live queries of one socket: eight times what the largest page of the web client follows. */
const QUERIES_MAX = 256
/** Queries that one message adds and removes: a client that comes back names all it has. */
export const MODIFICATIONS_MAX = 8_192
/** Refusals of queries that were not sent to the socket yet: with more it is closed. */
export const REFUSALS_MAX = 10_000
/**
 * How much is kept for the live queries of clients: of one socket, of all sockets of an account, and of all of an address. Bytes are
 * those that the arguments take up in memory, roughly; items are queries. A page of the web client follows about 30 queries of 100 bytes.
 */
export const KEPT_MAX = {
  stranger: { socket: { bytes: 16 * KB, items: 100 }, address: { bytes: 512 * KB, items: 5_000 } },
  account: {
    socket: { bytes: 2 * MB, items: QUERIES_MAX },
    account: { bytes: 8 * MB, items: 16 * QUERIES_MAX },
    address: { bytes: 64 * MB, items: Infinity },
  },
}
/** The same for incoming, waiting and running requests. */
export const PENDING_MAX = {
  stranger: { socket: { bytes: 256 * KB, items: 1_000 }, address: { bytes: 4 * MB, items: 10_000 } },
  account: {
    socket: { bytes: 48 * MB, items: Infinity },
    account: { bytes: 64 * MB, items: 2_000 },
    address: { bytes: 256 * MB, items: Infinity },
  },
}
/** Bytes that clients without a token have been sent and have not taken yet. */
export const UNREAD_MAX = {
  stranger: { socket: { bytes: 9 * MB, items: Infinity }, address: { bytes: 32 * MB, items: Infinity } },
}
/** Bytes of the results that are kept for one organization, or one person: those of live queries. */
export const RESULTS_MAX = 128 * MB
/** After how long a caller may try again for whose requests there was no room. */
export const BUSY_RETRY_MS = 1_000
/** A client gives up a connection that is silent for 60 s. */
export const PING_AFTER_MS = 15_000
/** How often silence and stalled readers are checked. */
export const TICK_MS = 5_000
/** How far the clock that a client tells of may run ahead for its token's refresh to be decided by it. */
export const CLOCK_AHEAD_MAX_MS = 30_000
/** Bytes of states after which a client is asked to confirm reading them. */
export const PING_EVERY_BYTES = 32 * KB
/** Bytes of states that the client has not confirmed: with more no state is added. One state may be larger. */
export const UNANSWERED_MAX = 64 * KB
/** After this long without a confirmation, what the network has accepted counts as read. */
export const PONG_PATIENCE_MS = 5_000
/**
 * A client is disconnected after its socket has been too full for another state for this long. What the network accepts meanwhile counts as
 * read, so a client that stops reading is detected up to half a minute later. It costs at most `BUFFERED_MAX` and one state of memory.
 */
export const STALLED_MS = 30_000
/** A client is also disconnected as soon as more bytes than this wait in its socket. */
export const BUFFERED_MAX = 8 * MB
/** A Transition is compressed if at least this many clients agree to it and receive the same. */
export const COMPRESS_FOR = 4
/** Characters of one piece of a large Transition. */
export const CHUNK_CHARACTERS = 1024 * 1024
/** How long after the first query set a returning client may still send its unfinished mutations. */
export const RESEND_QUIET_MS = 25
/** How long a client whose token has expired may take to show a new one. */
export const REAUTHENTICATE_MS = 5_000
/** How long a client who says who it is waits while the database cannot be asked: sent away, it would only come back. */
export const AUTHENTICATE_PATIENCE_MS = 20_000
/** Messages of one socket, and their bytes, that wait or run: more, and nothing is read from it until half of them are done. */
export const INTAKE_MAX = 1_000
export const INTAKE_BYTES_MAX = 32 * MB
/** How long a connection may be open without a Connect: the official client waits with it for its first token. */
export const CONNECT_WITHIN_MS = 60_000
/** Messages of one socket: this many at once, then this many a second. */
export const MESSAGE_BURST = 10_000
export const MESSAGES_PER_SECOND = 1_000
/** Connections from one address: open at a time, at once, then a second. */
export const SOCKETS_PER_ADDRESS = 5_000
/** Of these, such that have not shown a token. */
export const STRANGERS_PER_ADDRESS = 2_000
export const CONNECT_BURST = 5_000
export const CONNECTS_PER_SECOND = 200
/** How many times in a row a flush that has had its share, while others are active, continues with another snapshot. */
export const CUTS_MAX = 10
/** Longest pause between two flushes. */
export const FLUSH_PAUSE_MAX_MS = 100
/** Hints about commits of other processes may get lost: the database is polled at least this often. */
export const POLL_MS = 500
/** A live query that failed unexpectedly is run again after a pause: the first, doubling up to. */
export const RETRY_FIRST_MS = 500
export const RETRY_MAX_MS = 10_000
/** How long running mutations may take after a stop was requested. */
export const DRAIN_MS = 3_000
