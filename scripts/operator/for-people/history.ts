import type { RecordHistory } from '../../../api/commands/record-history.ts';
import {
  buildRecordView,
  type HistoryItem,
  type RecordNames,
} from '../../../api/pages/records/history/record-view.ts';
import {
  buildPathLabel,
  type CourseContext,
  type FormattedChange,
  formatValueAt,
} from '../../../api/pages/text/course-values.ts';
import { buildRecordHeading } from '../../../api/pages/text/record-titles.ts';
import { formatSource } from '../../../api/pages/text/source-text.ts';
import type { BirthRecordEvent } from '../../../domain/birth-record/events.ts';
import type { StoredRecordEvent } from '../../../domain/birth-record/replay.ts';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { listStatedValues } from '../../../domain/course/course-paths.ts';
import type { Style } from './style.ts';
import { alignColumns, momentInUtc, toSafeText } from './tables.ts';

const NOT_STATED = 'not stated';
const INDENT = '  ';

/** Oldest event first. @param asOf requested time; `null` for the present */
export const historyInWords = (
  history: RecordHistory,
  names: RecordNames,
  asOf: Date | null,
  style: Style,
): string => {
  const { state, events } = history;
  if (state === null)
    return asOf === null
      ? 'There is no such record in the practice. A chart number must match letter by letter.'
      : `There was no such record in the practice at ${momentInUtc(asOf)} UTC.`;
  const stored = events.map(toStoredEvent);
  const view = buildRecordView(stored, names);
  if (view === null) throw new TypeError('A record has a state but no event that made it.');
  return [
    ...formatHead(history, state, asOf, style),
    '',
    style.strong('What it says'),
    formatValues(state.courseOfCare, view.words, style),
    '',
    style.strong('History, oldest first'),
    ...view.history.flatMap((item, index) =>
      formatEntry(item, stored[index]?.metadata.actor ?? null, events[index]?.leaf ?? null, style),
    ),
    '',
    style.quiet(
      'Times are in UTC. --as-of 2026-05-12T14:03:00Z shows the record at that time; --json prints every event in full.',
    ),
  ].join('\n');
};

/** Event from JSON as a stored event; its position in the log is unknown. */
const toStoredEvent = (
  { type, data, at, actor }: RecordHistory['events'][number],
  index: number,
): StoredRecordEvent => ({
  id: '',
  stream: '',
  revision: BigInt(index),
  position: BigInt(index),
  event: { type, data } as BirthRecordEvent,
  metadata: {
    schemaVersion: 1,
    correlationId: '',
    causationId: null,
    actor: actor as StoredRecordEvent['metadata']['actor'],
    recordedAt: at,
  },
});

const formatHead = (
  { chartNumber, submissionUuid }: RecordHistory,
  state: NonNullable<RecordHistory['state']>,
  asOf: Date | null,
  style: Style,
): readonly string[] => {
  const { status, version, source, keyKind, suspectedDuplicate, courseOfCare } = state;
  const rows = [
    ['State', `${status === 'live' ? style.good(status) : style.bad(status)}, version ${version}`],
    ...(asOf === null ? [] : [['As of', `${momentInUtc(asOf)} UTC`]]),
    ['Chart number', toSafeText(chartNumber ?? 'none')],
    ['Record', submissionUuid ?? ''],
    [
      'Source',
      `${formatSource(source)}${keyKind === 'partner' ? ', by a partner feed: de-identified' : ''}`,
    ],
    ...(suspectedDuplicate ? [['Flag', style.bad('a suspected duplicate')]] : []),
  ];
  return [style.strong(toSafeText(buildRecordHeading(courseOfCare))), alignColumns(rows)];
};

const formatValues = (course: CourseOfCare, words: CourseContext, style: Style): string => {
  const rows = [...listStatedValues(course).keys()].flatMap((path) => {
    const text = formatValueAt(course, path, words);
    return text === null
      ? []
      : [
          [
            `${INDENT}${toSafeText(buildPathLabel(path, course.children.length, words))}`,
            toSafeText(text),
          ],
        ];
  });
  return rows.length === 0 ? style.quiet(`${INDENT}Nothing is stated.`) : alignColumns(rows);
};

const formatEntry = (
  { text, at, version, changes, reason, other, type }: HistoryItem,
  actor: StoredRecordEvent['metadata']['actor'] | null,
  leaf: number | null,
  style: Style,
): readonly string[] => {
  const facts = [
    ...(actor === null ? [] : [`${actor.kind} ${toSafeText(actor.id)}`]),
    ...(leaf === null ? [] : [`leaf ${leaf}`]),
  ];
  const by = facts.length === 0 ? '' : style.quiet(` (${facts.join(', ')})`);
  const said = style.strong(toSafeText(text));
  return [
    `${INDENT}${momentInUtc(at)}  version ${version}  ${said}${by}`,
    ...(reason === null ? [] : [`${INDENT.repeat(3)}Reason: ${toSafeText(reason)}`]),
    ...(other === null ? [] : [`${INDENT.repeat(3)}The other record: ${other}`]),
    ...(changes.length === 0 && type === 'BirthAmended'
      ? [`${INDENT.repeat(3)}${style.quiet('No value changed.')}`]
      : []),
    ...(changes.length === 0 ? [] : [formatChangeTable(changes, style)]),
  ];
};

const formatChangeTable = (changes: readonly FormattedChange[], style: Style): string => {
  const formatSide = (value: string | null, as: (text: string) => string) =>
    value === null ? style.quiet(NOT_STATED) : as(toSafeText(value));
  return alignColumns(
    changes.map(({ label, from, to }) => [
      `${INDENT.repeat(3)}${toSafeText(label)}`,
      `${formatSide(from, style.removed)} → ${formatSide(to, style.added)}`,
    ]),
  );
};
