import { type ComponentChildren, Fragment } from 'preact';
import { findFirstBirthDate } from '../../../domain/course/birth-times.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import {
  MAX_OPEN_PAIRS,
  type PairIds,
  type PairRecord,
  type SuspectedPair,
} from '../../../projections/lists/duplicates.ts';
import { Form } from '../layout/form.tsx';
import { RecordLink } from '../layout/record-link.tsx';
import { Time } from '../layout/time.tsx';
import { formatDate } from '../text/format-dates.ts';
import { formatSource } from '../text/source-text.ts';
import type { ComparedGroup, ComparedRow } from './compared-rows.ts';

/** Record of a pair, with its author's name. */
export interface NamedPairRecord extends PairRecord {
  /** Name of the partner or key, or email of the member; `null` if unknown. */
  readonly writtenBy: string | null;
}

/** Pair to decide on. */
export interface PairPageProps {
  readonly pair: SuspectedPair & Readonly<Record<'older' | 'newer', NamedPairRecord>>;
  readonly groups: readonly ComparedGroup[];
  /** One-based position among the open pairs; `null` if not listed. */
  readonly place: number | null;
  /** Number of open pairs, including this one. */
  readonly left: number;
  /** Next pair; `null` if there is no other. */
  readonly next: PairIds | null;
}

/** Address of a pair. */
export const buildPairPath = ({ newer, older }: PairIds): string =>
  `/registry/duplicates?${new URLSearchParams({ record: newer, like: older })}`;

/** Name of a record in a sentence. */
export const formatRecordName = (record: PairRecord): string => {
  const name = formatMother(record);
  const { chartNumber } = record;
  const called = chartNumber === null ? 'The record without chart number' : `Record ${chartNumber}`;
  return name === '' ? called : `${called} (${name})`;
};

const formatMother = ({ course: { mother } }: PairRecord): string =>
  [...mother.given_names, mother.family_name].filter(Boolean).join(' ');

/** Name of a record where space is limited. */
export const formatShortName = (record: PairRecord): string =>
  record.chartNumber ?? formatRecordName(record);

/** Address of the page that merges a pair. */
export const buildMergePath = ({ newer, older }: PairIds, kept: string): string =>
  `/registry/duplicates/merge?${new URLSearchParams({ newer, older, keep: kept })}`;

/** Two records side by side, differences first, with the possible decisions. */
export const PairPage = (props: PairPageProps) => {
  const { pair, groups, next } = props;
  const rows = groups.flatMap((group) => group.rows);
  const differing = rows.filter(({ differs }) => differs);
  const same = groups
    .map(({ heading, rows: held }) => ({ heading, rows: held.filter(({ differs }) => !differs) }))
    .filter(({ rows: held }) => held.length > 0);
  const ids = { newer: pair.newer.submissionUuid, older: pair.older.submissionUuid };
  return (
    <>
      <p class="margin-bottom-105" role="status">
        <strong>{formatPosition(props)}</strong>
        <span class="quiet"> · {formatDifferenceCount(differing.length, rows.length)}</span>
      </p>
      <div class="cluster margin-bottom-205">
        <Form action="/registry/duplicates/different">
          <PairFields pair={pair} />
          <button type="submit" class="usa-button">
            Different births
          </button>
        </Form>
        <a class="usa-button" href={buildMergePath(ids, getDefaultSurvivor(pair).submissionUuid)}>
          Merge
        </a>
        {next !== null && <a href={buildPairPath(next)}>Leave for later</a>}
      </div>
      <table class="usa-table pair">
        <caption class="usa-sr-only">
          Both records, value by value; what differs comes first
        </caption>
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
          <Group heading="What differs">
            {differing.map((row) => (
              <Row key={row.fullLabel} {...row} label={row.fullLabel} />
            ))}
          </Group>
        )}
        {same.map(({ heading, rows: held }) => (
          <Group key={heading} heading={heading}>
            {held.map((row) => (
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

/**
 * Default record to keep: the older one, unless a partner sent it without names and the newer one
 * has them.
 */
export const getDefaultSurvivor = ({ older, newer }: SuspectedPair): PairRecord =>
  older.keyKind === 'partner' && newer.keyKind !== 'partner' ? newer : older;

/** Position in words: "Pair 1 of 2 pairs". */
export const formatPosition = ({ place, left }: Pick<PairPageProps, 'place' | 'left'>): string => {
  const many =
    left < MAX_OPEN_PAIRS ? countInWords(left, 'pair') : `${countInWords(left, 'pair')} or more`;
  return place === null ? `${many} left` : `Pair ${place} of ${many}`;
};

const formatDifferenceCount = (differing: number, values: number): string => {
  if (differing === 0) return 'no value differs';
  return `${differing} of ${countInWords(values, 'value')} ${differing === 1 ? 'differs' : 'differ'}`;
};

/** Hidden fields with the pair that the person saw. */
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
  const mother = formatMother(pair[side]);
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
    {([older, newer] as const).map((value, index) => (
      <Fragment key={index === 0 ? 'older' : 'newer'}>
        <td data-label={index === 0 ? HEADINGS.older : HEADINGS.newer}>{value}</td>
      </Fragment>
    ))}
  </tr>
);
