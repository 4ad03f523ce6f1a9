/** Not from the archive, because Postgres runs commands and loads libraries that they name. */
export const CONFIGURATION: Readonly<Record<string, string>> = {
  'postgresql.conf': `datestyle = 'iso, mdy'\ndefault_text_search_config = 'pg_catalog.english'\n`,
  'postgresql.auto.conf': '',
  'pg_hba.conf': [
    'local all all reject',
    'host all all 127.0.0.1/32 scram-sha-256',
    'host all all ::1/128 scram-sha-256',
    'local replication all reject',
    'host replication all 127.0.0.1/32 scram-sha-256',
    'host replication all ::1/128 scram-sha-256',
    '',
  ].join('\n'),
  'pg_ident.conf': '',
};
