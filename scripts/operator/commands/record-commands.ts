import { Command, Option } from '@commander-js/extra-typings';
import { FILE_FORMATS } from '../../../api/operator/export-records.ts';
import { DOCUMENTS_PER } from '../../../domain/export/bfdr/document-bundle.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import { ACCESS_KINDS } from '../../../projections/lists/access.ts';
import { createStopSignal } from '../../stop-signals.ts';
import { type OperatorCommand, onStores } from '../command-line.ts';
import { historyInWords } from '../for-people/history.ts';
import { accessTable } from '../for-people/lists.ts';
import { statisticsInWords } from '../for-people/statistics.ts';
import { parseInstant, parseNewPath, parseYear } from '../option-values.ts';
import { clearDrafts } from '../unfinished-files.ts';

export const RECORD_COMMANDS: readonly OperatorCommand[] = [
  onStores({
    command: new Command('statistics')
      .requiredOption('--practice <ID>')
      .option('--year <Y>', 'counts only births of this year', parseYear),
    about:
      'Shows the counts and rates of a practice, compared with other practices.\nRates of other practices are `null` where too few practices have data.',
    example: 'statistics --practice 7K2MQX --year 2026',
    run: ({ practice, year = null }, { statistics }) => statistics(practice, year),
    show: statisticsInWords,
  }),
  onStores({
    command: new Command('history')
      .requiredOption('--practice <ID>')
      .option('--chart <N>', '', (text) => text.trim())
      .option(
        '--record <ID>',
        'takes the `submission_uuid` of a receipt, also for a record without a chart number',
      )
      .option('--as-of <INSTANT>', 'shows the record at that time', parseInstant),
    about: 'Shows what a record says, and every change with its time and author.',
    example: 'history --practice 7K2MQX --chart MRN-1001',
    oneOf: ['chart', 'record'],
    run: ({ practice, chart, record = '', asOf = null }, { history, historyOfRecord }) =>
      chart === undefined
        ? historyOfRecord(practice, record, asOf)
        : history(practice, chart, asOf),
    show: async (history, style, { practice, asOf = null }, { historyNames }) =>
      historyInWords(history, await historyNames(practice, history), asOf, style),
  }),
  onStores({
    command: new Command('export')
      .requiredOption('--practice <ID>')
      .requiredOption('--to <FILE>', '', parseNewPath)
      .addOption(new Option('--format <FORMAT>').choices(FILE_FORMATS).default('bundles'))
      .option(
        '--since <INSTANT>',
        'exports only what has changed since then; the command prints the time to give the next time',
        parseInstant,
      )
      .addOption(
        new Option(
          '--per <UNIT>',
          'writes a Bundle for each `child` instead of each `course` of care',
        )
          .choices(DOCUMENTS_PER)
          .default('course'),
      )
      .option('--remove-unfinished', 'removes what killed exports have left beside FILE'),
    about: [
      'Writes the records of a practice into a new file, and notes each of them in the access log.',
      'The records that changed first come first, and only you can read the file.',
      '`bundles` writes a FHIR document Bundle on each line, of voided records too.',
      '`ije` writes the state file, 4,000 characters for each child born alive, without voided records and records of partners.',
      'If an export stops early, the records so far stay in a file next to FILE, and the command says how to continue.',
    ].join('\n'),
    example: 'export --practice 7K2MQX --to /exports/cedar.ndjson --by "Sam Reyes"',
    needsName: true,
    run: async (
      { practice, to, since = null, format, per, removeUnfinished = false },
      { exportRecords },
      reporter,
    ) => {
      await clearDrafts(to, removeUnfinished, reporter.report);
      return exportRecords(
        { practiceId: practice, to, since, format, per },
        reporter,
        createStopSignal('Stopped.'),
      );
    },
    json: ({ exported, leftOut }) => ({ exported, leftOut }),
    show: ({ exported, next }) =>
      [
        `${countInWords(exported, 'record was', 'records were')} exported. The file contains data of people: keep it where only those who need it can read it.`,
        ...(next === null ? [] : [`To export what changes later: --since ${next.toISOString()}`]),
      ].join('\n'),
  }),
  onStores({
    command: new Command('access-log')
      .option('--practice <ID>')
      .option('--record <ID>')
      .option('--person <ID>')
      .addOption(new Option('--kind <KIND>').choices(ACCESS_KINDS))
      .option('--unusual')
      .option('--since <INSTANT>', '', parseInstant)
      .option('--until <INSTANT>', '', parseInstant),
    about: [
      'Lists who signed in, saw or printed which records, and downloaded files.',
      'It shows the latest 10,000 entries before `--until`.',
      'What was read with keys is listed only for `--kind receipts` or one record.',
    ].join('\n'),
    example: 'access-log --practice 7K2MQX --kind records --since 2026-05-01T00:00:00Z',
    run: (
      {
        practice = null,
        record = null,
        person = null,
        kind = null,
        unusual = false,
        since = null,
        until = null,
      },
      { accessLog },
    ) => accessLog(practice, { record, person, kind, onlyUnusual: unusual, since, until }),
    show: accessTable,
  }),
];
