import { Fragment } from 'preact';
import {
  MOST_OPEN_PAIRS,
  type PairIds,
  type PairRecord,
  type SuspectedPair,
} from '../../../projections/duplicate-pairs.ts';
import { Form } from '../frame/form.tsx';
import { sourceWords } from '../frame/source-words.ts';
import { Time } from '../frame/time.tsx';
import { countInWords } from '../words/measures-in-words.ts';
import type { ComparedGroup, ComparedRow } from './compared-rows.ts';

/** A record of a pair, with the name of its author. */
export interface NamedPairRecord extends PairRecord {
  /** The partner's or key's name, or the member's email; null: not known. */
  readonly writtenBy: string | null;
}

/** A pair to decide on. */
export interface PairPageProps {
  readonly pair: SuspectedPair & Readonly<Record<'older' | 'newer', NamedPairRecord>>;
  readonly groups: readonly ComparedGroup[];
  /** How many pairs are open, this one included. */
  readonly left: number;
  /** The pair after this one; null: there is no other. */
  readonly next: PairIds | null;
}

/** Address of the page that shows a pair. */
export const placeOfPair = ({ newer, older }: PairIds): string =>
  `/registry/duplicates?${new URLSearchParams({ record: newer, like: older })}`;

/** How a record of a pair is called in a sentence. */
export const recordName = ({ chartNumber, course: { mother } }: PairRecord): string => {
  const name = [...mother.given_names, mother.family_name].filter(Boolean).join(' ');
  const called = chartNumber === null ? 'The record without chart number' : `Record ${chartNumber}`;
  return name === '' ? called : `${called} (${name})`;
};

/** How a record of a pair is called where little room is. */
export const shortName = (record: PairRecord): string => record.chartNumber ?? recordName(record);

/** Two records side by side, and the two ways to decide. */
export const PairPage = (props: PairPageProps) => {
  const { pair, groups, left, next } = props;
  const rows = groups.flatMap((group) => group.rows);
  const differing = rows.filter(({ differs }) => differs).length;
  return (
    <>
      <p class="margin-bottom-105" role="status">
        <strong>
          {countInWords(left, 'pair')} {left < MOST_OPEN_PAIRS ? 'left' : 'or more left'}
        </strong>
        <span class="quiet"> · {differingWords(differing, rows.length)}</span>
      </p>
      <div class="cluster margin-bottom-205">
        <Form action="/registry/duplicates/different">
          <PairFields pair={pair} />
          <button type="submit" class="usa-button">
            Different births
          </button>
        </Form>
        {next !== null && <a href={placeOfPair(next)}>Leave for later</a>}
      </div>
      <table class="usa-table pair">
        <caption class="usa-sr-only">Both records, value by value; what differs is marked</caption>
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
        {groups.map(({ heading, rows: held }) => (
          <tbody key={heading}>
            <tr class="pair__group">
              <th colSpan={3} scope="rowgroup">
                {heading}
              </th>
            </tr>
            {held.map((row) => (
              <Row key={row.label} {...row} />
            ))}
          </tbody>
        ))}
      </table>
    </>
  );
};

const differingWords = (differing: number, values: number): string => {
  if (differing === 0) return 'no value differs';
  return `${differing} of ${countInWords(values, 'value')} ${differing === 1 ? 'differs' : 'differ'}`;
};

/** Names the pair that the person saw in a form. */
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
  const { submissionUuid, chartNumber, source, writtenBy, recordedAt } = pair[side];
  const name = chartNumber ?? 'No chart number';
  const query = new URLSearchParams({
    newer: pair.newer.submissionUuid,
    older: pair.older.submissionUuid,
    void: submissionUuid,
  });
  return (
    <div class="pair__head">
      <span class="quiet">{HEADINGS[side]}</span>
      <a href={`/registry/records/${submissionUuid}`}>{name}</a>
      <span class="quiet margin-bottom-1 font-sans-3xs text-normal">
        {source === 'fhir_push' || writtenBy === null
          ? sourceWords(source, writtenBy)
          : `${sourceWords(source)} by ${writtenBy}`}
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
