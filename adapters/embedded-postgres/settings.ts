import { join } from 'node:path';

/** On the command line, settings of a new release also apply to an old cluster. */
export const buildServerArguments = (dir: string, port: number): string[] => [
  '-D',
  dir,
  '-p',
  String(port),
  ...Object.entries({
    ...settings,
    data_directory: dir,
    hba_file: join(dir, 'pg_hba.conf'),
    ident_file: join(dir, 'pg_ident.conf'),
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  password_encryption: 'scram-sha-256',
  max_connections: '100',
  // Otherwise a killed service leaves behind its long queries and the locks they wait for.
  client_connection_check_interval: '2s',

  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  // Room for bursts of inserts between checkpoints, because each checkpoint causes full-page
  // images. Compressing those slows inserts down.
  wal_buffers: '16MB',
  min_wal_size: '160MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',

  shared_buffers: '128MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // For short statements on few cores, JIT and parallel workers cost more than they save. Parallel
  // workers also need a larger /dev/shm than containers have.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  max_parallel_maintenance_workers: '0',

  // Until Postgres has analyzed a table, a search scans all records of a practice. The default
  // interval would keep searches slow after a large import.
  autovacuum_naptime: '15s',

  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',

  // The log must not contain statements: rows and parameters are submitted data.
  log_line_prefix: '%m [%p] ',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  log_destination: 'stderr',
  logging_collector: 'off',

  // A file in the data directory must not make Postgres run a command, load a library, write
  // elsewhere, or follow another server.
  archive_mode: 'off',
  archive_command: '',
  archive_library: '',
  restore_command: '',
  archive_cleanup_command: '',
  recovery_end_command: '',
  primary_conninfo: '',
  shared_preload_libraries: '',
  session_preload_libraries: '',
  local_preload_libraries: '',
  dynamic_library_path: '$libdir',
  extension_control_path: '$system',
  oauth_validator_libraries: '',
  event_triggers: 'off',
  external_pid_file: '',
  ssl: 'off',
  ssl_passphrase_command: '',
} as const;
