import type { Restored } from '../../../adapters/embedded-postgres/restore.ts';
import type { Unparked } from '../../../adapters/postgres/projector/unpark-streams.ts';
import type { TableDifference } from '../../../adapters/postgres/rebuild/compare-tables.ts';
import type { Rebuilt } from '../../../adapters/postgres/rebuild/rebuild.ts';
import type { Acknowledged } from '../../../api/operator/acknowledge-foreign-events.ts';
import type { BackedUp } from '../../../api/operator/back-up.ts';
import type { KeysRotated } from '../../../api/operator/rotate-keys.ts';
import type { SecretRotated } from '../../../api/operator/rotate-secret.ts';
import type { Verification } from '../../../api/operator/verify-log.ts';
import { formatBytes } from '../../../api/process/progress-messages.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import type { LostEvents } from '../../../domain/registry/events.ts';
import type { Style } from './style.ts';
import { createTable, momentInUtc, toSafeText } from './tables.ts';

/** JSON output contains all. */
const MAX_LISTED = 50;

const describeOmission = (all: number): string =>
  all > MAX_LISTED
    ? `\nThe first ${MAX_LISTED} of ${numberInWords(all)} are shown; --json lists them all.`
    : '';

export const verificationInWords = (
  {
    streams,
    events,
    problems,
    newerTypes,
    acknowledgedEvents,
    acceptedLosses,
    tablesCompared,
  }: Verification,
  style: Style,
): string => {
  const counted = `${countInWords(events, 'event')} on ${countInWords(streams, 'stream')} of the log were read.`;
  const newer = newerTypes.map(
    ({ type, events }) => `${toSafeText(type)} (${numberInWords(events)})`,
  );
  const read = [
    counted,
    ...(newer.length === 0
      ? []
      : [
          `Only a newer version of the service knows events of these types, so this one passed over them: ${newer.join(', ')}.`,
        ]),
    ...(acknowledgedEvents === 0
      ? []
      : [
          `${countInWords(acknowledgedEvents, 'event')} of other programs, which were acknowledged, were passed over.`,
        ]),
    ...(acceptedLosses.length === 0
      ? []
      : ['These events are lost, which an operator has accepted:', ...listLosses(acceptedLosses)]),
  ].join('\n');
  if (problems.length === 0) {
    const isWhole = acceptedLosses.length === 0;
    const found = isWhole
      ? 'No problem was found: the log is whole, and'
      : 'No other problem was found:';
    return [
      read,
      style.good(
        tablesCompared
          ? `${found} each record in the read tables is what its events say.`
          : 'No problem was found in the log. The read tables were not compared with it.',
      ),
    ].join('\n');
  }
  return [
    read,
    style.bad(`${countInWords(problems.length, 'problem was', 'problems were')} found:`),
    ...problems
      .slice(0, MAX_LISTED)
      .map(
        ({ stream, problem }) => `  ${style.strong(toSafeText(stream))}: ${toSafeText(problem)}`,
      ),
  ]
    .join('\n')
    .concat(describeOmission(problems.length));
};

const listLosses = (lost: readonly LostEvents[]): readonly string[] => [
  ...lost
    .slice(0, MAX_LISTED)
    .map(({ stream, from, to }) => `  ${toSafeText(stream)}, revisions ${from} to ${to}`),
  ...(lost.length > MAX_LISTED ? [`  and ${numberInWords(lost.length - MAX_LISTED)} more`] : []),
];

export const rebuildInWords = (
  { events, seconds, eventsPerSecond, differences, incomplete }: Rebuilt,
  purpose: 'swap' | 'compare',
  style: Style,
): string => {
  const built = `${countInWords(events, 'event')} in ${seconds.toLocaleString('en-US', { maximumFractionDigits: 1 })} s (${numberInWords(eventsPerSecond)} a second).`;
  const isCheck = purpose === 'compare';
  const whole = isCheck
    ? `The read tables were built from the log beside the live ones: ${built}`
    : `The read tables were rebuilt from the log: ${built}`;
  const done = [
    whole,
    ...(incomplete.length === 0
      ? []
      : [
          style.bad(
            isCheck
              ? 'The log lacks these events: restore it from a backup.'
              : 'The log lacks these events, and their loss is accepted:',
          ),
          ...listLosses(incomplete),
        ]),
  ].join('\n');
  if (differences.length === 0)
    return [
      done,
      style.good(
        isCheck
          ? 'The live tables hold exactly what the log says.'
          : 'The rebuilt tables are in use.',
      ),
    ].join('\n');
  const rows = countInWords(differences.length, 'row');
  return [
    done,
    style.bad(
      isCheck
        ? `The live tables differ from the log in ${rows}. Run \`rebuild\` to replace them.`
        : `The rebuilt tables are in use. The former ones differed from the log in ${rows}:`,
    ),
    differenceTable(differences.slice(0, MAX_LISTED), style),
  ]
    .join('\n')
    .concat(describeOmission(differences.length));
};

const KINDS: Readonly<Record<TableDifference['kind'], string>> = {
  missing: 'was missing',
  extra: 'should not be there',
  different: 'had other values',
};

const differenceTable = createTable<TableDifference>('', {
  Table: ({ table }) => table,
  Row: ({ key }) =>
    Object.entries(key)
      .map(([column, value]) => `${column} ${String(value)}`)
      .join(', '),
  Difference: ({ kind }) => KINDS[kind],
  Columns: ({ columns }) => columns.join(', '),
});

export const acknowledgedInWords = ({ streams }: Acknowledged, style: Style): string =>
  streams.length === 0
    ? 'No stream has events of other programs that are not acknowledged.'
    : [
        style.good(`Acknowledged in ${countInWords(streams.length, 'stream')}:`),
        ...streams.slice(0, MAX_LISTED).map((stream) => `  ${toSafeText(stream)}`),
      ]
        .join('\n')
        .concat(describeOmission(streams.length));

export const unparkedInWords = ({ unparked, stillParked }: Unparked, style: Style): string => {
  if (unparked.length + stillParked.length === 0)
    return 'No stream is parked: everything in the log could be applied.';
  return [
    ...(unparked.length > 0
      ? [style.good(`${countInWords(unparked.length, 'stream was', 'streams were')} applied:`)]
      : []),
    ...unparked.map((stream) => `  ${toSafeText(stream)}`),
    ...(stillParked.length > 0
      ? [
          style.bad(
            `${countInWords(stillParked.length, 'stream stays', 'streams stay')} parked. Have the cause fixed, then run \`unpark\` again:`,
          ),
        ]
      : []),
    ...stillParked.map(({ stream, problem }) => `  ${toSafeText(stream)}: ${toSafeText(problem)}`),
  ].join('\n');
};

export const backupInWords = (backup: BackedUp, style: Style): string => {
  const { files, bytes, holdsSecret } = backup;
  const copied = `${countInWords(files, 'file')} (${formatBytes(bytes)}) were copied`;
  if ('archive' in backup)
    return [
      style.good(`${copied} into the encrypted archive ${toSafeText(backup.archive)}.`),
      holdsSecret
        ? 'The archive holds the secret that opens the data: the identity of one recipient is all that a restore needs. Keep it on another machine.'
        : 'The archive does not hold the secret. Keep the current REGISTRY_SECRET beside the identity: a restore needs both.',
      backup.signedBy === null
        ? style.bad(
            'The archive is not signed, so a restore will refuse it: set REGISTRY_SECRET as the service has it.',
          )
        : `It is signed. Keep this beside the identity: --signed-by ${backup.signedBy}`,
    ].join('\n');
  return [
    style.good(`${copied} to ${toSafeText(backup.directory)}.`),
    holdsSecret
      ? 'The copy holds the secret that opens it: keep it private. DATA_DIR set to it starts a service on it.'
      : 'The copy does not hold the secret. Keep the current REGISTRY_SECRET with it: the copy cannot be opened without it.',
    style.bad(
      'The copy is not encrypted: anyone who has it can read names and births. Use --recipient, or set BACKUP_RECIPIENTS.',
    ),
  ].join('\n');
};

export const restoreInWords = (
  { directory, files, bytes, madeAt }: Restored,
  style: Style,
): string =>
  [
    style.good(
      `${countInWords(files, 'file')} (${formatBytes(bytes)}) were restored to ${toSafeText(directory)}.`,
    ),
    madeAt === null
      ? style.bad('Nothing proves who made the backup.')
      : `The registry signed this backup, which began at ${toSafeText(madeAt)}.`,
    `Set DATA_DIR to it, and REGISTRY_SECRET if the service had one of its own. Then run \`verify\` and \`rebuild --check\`, and start the service.`,
  ].join('\n');

const KEY_WORDS: Readonly<Record<SecretRotated['rewrapped'][number], string>> = {
  'identity-key': 'the key of the identities',
  'queue-key': 'the key of the queue',
};

export const rotationInWords = ({ rewrapped }: SecretRotated, style: Style): string =>
  rewrapped.length === 0
    ? 'REGISTRY_SECRET opens every key already. Nothing was changed.'
    : [
        style.good(
          `REGISTRY_SECRET now opens ${rewrapped.map((key) => KEY_WORDS[key]).join(' and ')}.`,
        ),
        'The keys themselves stay the same: anyone who has a copy of the data and the old secret can still open that copy. After the restart, `rotate-keys` makes new ones.',
        'Restart the service with it, then take PREVIOUS_REGISTRY_SECRET out of its settings.',
      ].join('\n');

/** Keys in force, and the state of the older ones. */
export const keysInWords = (
  { queueKey, hashKey, checkpointKey, hashKeyAloneFrom, olderQueueKeys }: KeysRotated,
  style: Style,
): string =>
  [
    style.good(
      `The queue now uses version ${queueKey} of its key, and fingerprints use version ${hashKey} of theirs.`,
    ),
    'Running services use both within seconds. A restart is not needed.',
    'The next checkpoint of the log is signed with a new key too. Give it to those who check proofs:',
    `  ${style.strong(checkpointKey)}`,
    olderQueueKeys.length === 0
      ? 'No older version of the queue key is left.'
      : `What was encrypted before still opens with ${olderQueueKeys.length === 1 ? 'version' : 'versions'} ${olderQueueKeys.join(', ')}. The service deletes an older version once nothing is encrypted with it, usually within two days.`,
    `Until ${momentInUtc(new Date(hashKeyAloneFrom))} UTC, new records also hold fingerprints made with the version before. Older versions of that key are kept, so earlier records are still found.`,
  ].join('\n');
