import { Command } from '@commander-js/extra-typings';
import { changesNothing } from '../../../adapters/postgres/rebuild/rehearsal-report.ts';
import { RULES } from '../../../adapters/postgres/rebuild/rehearsal-rules.ts';
import { backUp } from '../../../api/operator/back-up.ts';
import { rehearse } from '../../../api/operator/rehearse.ts';
import { restore } from '../../../api/operator/restore.ts';
import { rotateKeys } from '../../../api/operator/rotate-keys.ts';
import { rotateSecret } from '../../../api/operator/rotate-secret.ts';
import { verify } from '../../../api/operator/verify.ts';
import { openServiceLog } from '../../../api/process/logging.ts';
import { createStopSignal } from '../../stop-signals.ts';
import { alone, type OperatorCommand, onStores } from '../command-line.ts';
import {
  acknowledgedInWords,
  backupInWords,
  keysInWords,
  rebuildInWords,
  restoreInWords,
  rotationInWords,
  unparkedInWords,
  verificationInWords,
} from '../for-people/checks.ts';
import { rehearsalInWords } from '../for-people/rehearsal.ts';
import { parseBackupKey, parseNewPath, readTextFile } from '../option-values.ts';
import { reportDrafts } from '../unfinished-files.ts';

export const LOG_COMMANDS: readonly OperatorCommand[] = [
  onStores({
    command: new Command('checkpoint').option(
      '--accept-loss',
      'continues under a new origin if the end of the log is lost for good',
    ),
    about: 'Signs a checkpoint of the log, and prints it for auditors to keep.',
    example: 'checkpoint',
    needsNameWith: 'acceptLoss',
    run: ({ acceptLoss = false }, { checkpoint }) => checkpoint(acceptLoss),
    // Printing adds a line feed.
    show: ({ checkpoint }) => checkpoint.trimEnd(),
  }),
  alone({
    command: new Command('verify').option(
      '--against <FILE>',
      'also compares the log with a checkpoint that an auditor has kept',
    ),
    about:
      'Reads the whole log, and compares it with its tree, its checkpoints, and the read tables.\nIt names every event that was changed, moved, added, or lost, and every record whose row differs.',
    example: 'verify --against checkpoint-2026-05-12.txt',
    run: async ({ against }, settings, reporter) =>
      verify(
        settings,
        openServiceLog('silent'),
        reporter,
        against === undefined ? null : await readTextFile(against, 'against'),
      ),
    json: ({ streams, events, tree: { size, root }, problems }) => ({
      streams,
      events,
      tree: { size, root: Buffer.from(root).toString('base64') },
      problems,
    }),
    findsFault: ({ problems }) => problems.length > 0,
    show: verificationInWords,
  }),
  alone({
    command: new Command('rehearse'),
    about: [
      'Tries the rules of this build on past records, and lists what would change.',
      'It builds separate read tables while a service of any build runs, and changes nothing.',
      'It maps each record again from the Bundle that it exports as, and looks for duplicates again.',
      'It prints counts, up to 20 ids of each kind, and what it cannot decide without the original Bundle.',
    ].join('\n'),
    example: 'rehearse',
    isBackground: true,
    run: (_options, settings, reporter) => {
      const signal = createStopSignal('Stopped. Nothing of it is left.');
      return rehearse(settings, openServiceLog('silent'), reporter, RULES, signal);
    },
    findsFault: (report) => !changesNothing(report),
    show: rehearsalInWords,
  }),
  onStores({
    command: new Command('rebuild')
      .option('--check', 'only lists the differences')
      .option(
        '--accept-loss',
        'drops what only the live tables hold of events that the log lost, and records who accepted that',
      ),
    about: 'Builds new read tables from the log, and swaps them in while the service responds.',
    example: 'rebuild --check',
    needsNameWith: 'acceptLoss',
    run: ({ check, acceptLoss = false }, { rebuild }, reporter) =>
      rebuild(check ? 'compare' : 'swap', reporter, acceptLoss),
    // A rebuild has corrected the differences that it found.
    findsFault: ({ differences, incomplete }, { check }) =>
      check === true && differences.length + incomplete.length > 0,
    show: (rebuilt, style, { check }) => rebuildInWords(rebuilt, check ? 'compare' : 'swap', style),
  }),
  onStores({
    command: new Command('unpark').option('--stream <S>', 'applies only those of this stream'),
    about: 'Applies events that were parked, after their cause is fixed.',
    example: 'unpark',
    run: ({ stream = null }, { unpark }, { report }) => unpark(stream, report),
    show: unparkedInWords,
  }),
  onStores({
    command: new Command('acknowledge').option(
      '--stream <S>',
      'acknowledges only those of this stream',
    ),
    about:
      'Acknowledges events that another program wrote to streams of the registry.\nReadiness and `verify` name them until then, and later ones again.',
    example: 'acknowledge --by "Sam Reyes"',
    needsName: true,
    run: ({ stream = null }, { acknowledge }) => acknowledge(stream),
    show: acknowledgedInWords,
  }),
  alone({
    command: new Command('rotate-secret'),
    about: [
      'Wraps the keys of the registry with a new secret.',
      'The keys stay the same.',
      'Set REGISTRY_SECRET and PREVIOUS_REGISTRY_SECRET, which is not needed if the secret was generated into DATA_DIR.',
    ].join('\n'),
    example: 'rotate-secret',
    run: (_options, settings, { progress }) =>
      rotateSecret(settings, openServiceLog('silent'), progress),
    show: rotationInWords,
  }),
  alone({
    command: new Command('rotate-keys'),
    about:
      'Makes a new queue key, fingerprint key, and checkpoint key while services run.\nIf it is interrupted, run it again.',
    example: 'rotate-keys --by "Sam Reyes"',
    needsName: true,
    run: (_options, settings, { progress }) =>
      rotateKeys(settings, openServiceLog('silent'), progress),
    show: keysInWords,
  }),
  alone({
    command: new Command('backup')
      .requiredOption('--to <PATH>', '', parseNewPath)
      .option('--recipient <AGE1...>')
      .option('--recipients-file <FILE>'),
    about: [
      'Copies the log and tables of the embedded stores as of one moment.',
      'Without recipients, it copies into an empty directory.',
      'With recipients, from options or BACKUP_RECIPIENTS, it writes one encrypted file.',
    ].join('\n'),
    example: 'backup --to /backups/2026-05-12.tar.age --recipients-file /etc/registry/recipients',
    run: async ({ to, recipient = [], recipientsFile = null }, settings, { progress, report }) => {
      await reportDrafts(to, report);
      return backUp(settings, to, progress, {
        listed: recipient.filter((one) => one !== ''),
        file: recipientsFile,
      });
    },
    show: backupInWords,
  }),
  alone({
    command: new Command('restore')
      .requiredOption('--from <FILE>')
      .requiredOption('--identity <FILE>')
      .option('--to <DIR>', '', parseNewPath)
      .option(
        '--signed-by <KEY>',
        'key that the backup printed; not needed where REGISTRY_SECRET or the DATA_DIR of the service is',
        parseBackupKey,
      )
      .option('--accept-unsigned', 'restores although nothing proves who made the backup'),
    about:
      'Unpacks an encrypted backup into an empty directory, by default DATA_DIR.\nIt refuses a backup that this registry has not signed.',
    example:
      'restore --from /backups/2026-05-12.tar.age --identity identity.txt --to /srv/restored',
    run: ({ from, identity, to, signedBy, acceptUnsigned }, settings, { progress }) =>
      restore(
        settings,
        {
          from,
          identity,
          to: to ?? settings.dataDir,
          signedBy: signedBy === undefined ? [] : [signedBy],
          acceptsUnsigned: acceptUnsigned === true,
        },
        progress,
      ),
    show: restoreInWords,
  }),
];
