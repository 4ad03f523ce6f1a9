import type { ComponentChildren } from 'preact';
import { findFirstBirthDate } from '../../../domain/course/birth-times.ts';
import { countInWords, numberInWords } from '../../../domain/format-measures.ts';
import {
  MAX_OPEN_PAIRS,
  type PairIds,
  type PairRecord,
  type SuspectedPair,
} from '../../../projections/lists/duplicates.ts';
import { Form } from '../layout/form.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Time } from '../layout/time.tsx';
import { buildPairPath } from '../paths.ts';
import { formatDate } from '../text/format-dates.ts';
import { formatFullName } from '../text/full-name.ts';
import { formatSource } from '../text/source-text.ts';
import type { ComparedGroup, ComparedRow } from './compared-rows.ts';

export interface NamedPairRecord extends PairRecord {
  /** Name of the partner or key, or email of the member; `null` if unknown. */
  readonly writtenBy: string | null;
}

export interface PairPageProps {
  readonly pair: SuspectedPair & Readonly<Record<'older' | 'newer', NamedPairRecord>>;
  readonly groups: readonly ComparedGroup[];
  /** One-based position among the open pairs; `null` if not listed. */
  readonly place: number | null;
  readonly left: number;
  /** Next pair; `null` if there is no other. */
  readonly next: PairIds | null;
  /** Number of records that are compared with the same older one, this one included. */
  readonly recordsAlike: number;
  /** First pair with another older record; `null` if there is none. */
  readonly nextGroup: PairIds | null;
}

export const describeGroup = (recordsAlike: number, older: string): string =>
  `${numberInWords(recordsAlike)} records may be the same birth as ${older}. They come one after the other.`;

export const formatRecordName = (record: PairRecord): string => {
  const name = formatFullName(record.course.mother);
  const { chartNumber } = record;
  const number = chartNumber === null ? 'The record with no chart number' : `Record ${chartNumber}`;
  return name === '' ? number : `${number} (${name})`;
};

export const formatShortName = (record: PairRecord): string =>
  record.chartNumber ?? formatRecordName(record);

export const buildMergePath = ({ newer, older }: PairIds, survivor: string): string =>
  `/registry/duplicates/merge?${new URLSearchParams({ newer, older, keep: survivor })}`;

/** Two records side by side, differences first, with the possible decisions. */
export const PairPage = (props: PairPageProps) => {
  const { pair, groups, next, nextGroup, recordsAlike } = props;
  const rows = groups.flatMap((group) => group.rows);
  const differing = rows.filter(({ differs }) => differs);
  const same = groups
    .map(({ heading, rows: groupRows }) => ({
      heading,
      rows: groupRows.filter(({ differs }) => !differs),
    }))
    .filter(({ rows: groupRows }) => groupRows.length > 0);
  const ids = { newer: pair.newer.submissionUuid, older: pair.older.submissionUuid };
  return (
    <>
      <p class="margin-bottom-105" role="status">
        <strong>{formatPosition(props)}</strong>
        <span class="quiet"> · {formatDifferenceCount(differing.length, rows.length)}</span>
      </p>
      {recordsAlike > 1 && (
        <p class="margin-bottom-105">{describeGroup(recordsAlike, formatShortName(pair.older))}</p>
      )}
      <div class="cluster margin-bottom-205">
        <Form action="/registry/duplicates/different">
          <PairFields pair={pair} />
          <button type="submit" class="usa-button">
            Not a duplicate
          </button>
        </Form>
        <a class="usa-button" href={buildMergePath(ids, getDefaultSurvivor(pair).submissionUuid)}>
          Merge
        </a>
        {next !== null && <a href={buildPairPath(next)}>Skip this pair</a>}
        {recordsAlike > 1 && nextGroup !== null && (
          <a href={buildPairPath(nextGroup)}>Skip all of them</a>
        )}
      </div>
      <table class="usa-table usa-table--stacked data-table pair">
        <caption class="usa-sr-only">Both records, value by value, differences first</caption>
        <thead>
          <tr>
            <td />
            {(['older', 'newer'] as const).map((side) => (
              <th key={side} scope="col">
                <RecordHead pair={pair} side={side} />
              </th>
            ))}
          </tr>
        </thead>
        {differing.length > 0 && (
          <Group heading="Differences">
            {differing.map((row) => (
              <Row key={row.fullLabel} {...row} label={row.fullLabel} />
            ))}
          </Group>
        )}
        {same.map(({ heading, rows: groupRows }) => (
          <Group key={heading} heading={heading}>
            {groupRows.map((row) => (
              <Row key={row.label} {...row} />
            ))}
          </Group>
        ))}
      </table>
    </>
  );
};

const Group = ({
  heading,
  children,
}: {
  readonly heading: string;
  readonly children: ComponentChildren;
}) => (
  <tbody>
    <tr class="pair__group">
      <th colSpan={3} scope="rowgroup">
        {heading}
      </th>
    </tr>
    {children}
  </tbody>
);

/** The older one, unless a partner sent it without names and the newer one has them. */
export const getDefaultSurvivor = ({ older, newer }: SuspectedPair): PairRecord =>
  older.keyKind === 'partner' && newer.keyKind !== 'partner' ? newer : older;

/** "Pair 1 of 2". */
export const formatPosition = ({ place, left }: Pick<PairPageProps, 'place' | 'left'>): string => {
  const more = left < MAX_OPEN_PAIRS ? '' : ' or more';
  return place === null
    ? `${countInWords(left, 'pair')}${more} left`
    : `Pair ${numberInWords(place)} of ${numberInWords(left)}${more}`;
};

const formatDifferenceCount = (differing: number, values: number): string => {
  if (differing === 0) return 'no differences';
  return `${differing} of ${countInWords(values, 'value')} ${differing === 1 ? 'differs' : 'differ'}`;
};

export const PairFields = ({
  pair,
}: {
  readonly pair: Readonly<Record<'older' | 'newer', { readonly submissionUuid: string }>>;
}) => (
  <>
    <input type="hidden" name="newer" value={pair.newer.submissionUuid} />
    <input type="hidden" name="older" value={pair.older.submissionUuid} />
  </>
);

const HEADINGS = { older: 'Older', newer: 'Newer' } as const;

const RecordHead = ({
  pair,
  side,
}: {
  readonly pair: PairPageProps['pair'];
  readonly side: 'older' | 'newer';
}) => {
  const { submissionUuid, chartNumber, source, writtenBy, recordedAt, course } = pair[side];
  const name = chartNumber ?? 'No chart number';
  const mother = formatFullName(course.mother);
  const born = findFirstBirthDate(course.children);
  const query = new URLSearchParams({
    newer: pair.newer.submissionUuid,
    older: pair.older.submissionUuid,
    void: submissionUuid,
  });
  return (
    <div class="display-flex flex-column flex-align-start">
      <span class="quiet">{HEADINGS[side]}</span>
      <RecordLink id={submissionUuid}>{mother === '' ? 'De-identified' : mother}</RecordLink>
      <span class="text-normal">
        {name}
        {born !== null && <>, {formatDate(born)}</>}
      </span>
      <span class="quiet margin-bottom-1 font-sans-3xs text-normal">
        {source === 'fhir_push' || writtenBy === null
          ? formatSource(source, writtenBy)
          : `${formatSource(source)} by ${writtenBy}`}
        <br />
        First received <Time at={recordedAt} />
      </span>
      <a class="usa-button usa-button--outline" href={`/registry/duplicates/void?${query}`}>
        Void this one <span class="usa-sr-only">{name}</span>
      </a>
    </div>
  );
};

const Row = ({ label, older, newer, differs }: ComparedRow) => (
  <tr
    class={`pair__row${differs ? ' pair__row--differs' : ''}${older === newer ? ' pair__row--same' : ''}`}
  >
    <th scope="row">
      {label}
      {differs && <span class="tag tag--warning margin-left-1">Differs</span>}
    </th>
    <td data-label={HEADINGS.older}>{older}</td>
    <td data-label={HEADINGS.newer}>{newer}</td>
  </tr>
);
