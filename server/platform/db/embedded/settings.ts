// How the embedded PostgreSQL is set: for one server on a small machine, durable, quiet.

/**
 * Options of the server that are the same on every start.
 * Memory: what is shared is touched only as it is used; an idle server takes about 40 MB.
 */
export const SETTINGS = [
  'cluster_name=parley',
  'fsync=on',
  'max_connections=50',
  'shared_buffers=96MB',
  'work_mem=8MB',
  'maintenance_work_mem=64MB',
  'effective_cache_size=512MB',
  'random_page_cost=1.1',
  'huge_pages=off',
  // One server has no replicas, and reads by itself: fewer processes.
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_logical_replication_workers=0',
  'max_parallel_workers_per_gather=0',
  'max_worker_processes=2',
  'io_method=sync',
  'autovacuum_max_workers=2',
  'autovacuum_worker_slots=2',
  // A folder stays small, and what has to be repeated after a kill takes a second or two.
  'min_wal_size=32MB',
  'max_wal_size=256MB',
  'jit=off',
  'update_process_title=off',
  'timezone=UTC',
  // The log reports problems of the server, never customers' texts.
  'log_timezone=UTC',
  'log_checkpoints=off',
  'log_autovacuum_min_duration=-1',
  'log_error_verbosity=terse',
  'log_min_error_statement=panic',
  'lc_messages=C',
]
