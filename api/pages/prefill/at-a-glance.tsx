import { type FieldPath, findFieldAt } from '../../../domain/course/fields.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import type {
  Prefill,
  PrefillHint,
  SkippedValue,
  UnreadPart,
} from '../../../domain/mapping/us-core/prefill.ts';
import { buildFieldId } from '../layout/field-errors.ts';
import { useFrame } from '../layout/frame-context.ts';
import { Section } from '../layout/section.tsx';
import { BirthField } from '../parts/birth-form/form/birth-field.tsx';
import { listIndexes } from '../parts/birth-form/form/form-layout.ts';
import type { FormViewModel } from '../parts/birth-form/form/form-values.ts';
import { formatDateAndTime } from '../text/format-dates.ts';
import type { TimeFormat } from '../text/format-times.ts';
import { formatHint, formatKey, formatSources } from '../text/prefill-text.ts';
import { buildPickName, CHOOSE_ONE, NONE } from './ehr-beside.tsx';
import { type EhrCandidates, findCurrentCandidate } from './ehr-candidates.ts';

export interface AtAGlanceProps {
  readonly prefill: Prefill;
  readonly unread: readonly UnreadPart[];
  readonly candidates: EhrCandidates;
  readonly look: FormViewModel;
}

const PLACE_OF_BIRTH = findFieldAt('place_of_birth');

export const AtAGlance = (props: AtAGlanceProps) => {
  const { prefill, unread, candidates, look } = props;
  const { values } = look;
  const children = listIndexes('children', values);
  const visible = [...candidates].filter(([key]) => values[key] !== undefined);
  const taken = visible.filter(
    ([key, offered]) => findCurrentCandidate(offered, values[key]) !== -1,
  ).length;
  const toChoose = visible.flatMap(([key, offered]) =>
    offered.length > 1 && (values[key] ?? '').trim() === '' && values[buildPickName(key)] !== NONE
      ? [key]
      : [],
  );
  const open = listMissingKeys(look, children).filter((key) => !candidates.has(key));
  const notRead = open.filter((key) => isPossiblyUnread(key, unread));
  const missing = open.filter((key) => !notRead.includes(key));
  return (
    <>
      <ul class="glance" aria-label="At a glance">
        <li>
          <strong>{taken === 0 ? 'No value' : countInWords(taken, 'value')}</strong> on this form{' '}
          {taken === 1 ? 'is' : 'are'} from the EHR. Point to a value or move into its field to see
          the source.
        </li>
        {toChoose.length > 0 && (
          <li class="glance__choose">
            <strong>{CHOOSE_ONE}</strong> for <KeyLinks keys={toChoose} children={children} />
          </li>
        )}
        {notRead.length > 0 && (
          <li>
            <strong>Not read from the EHR</strong>, which may have it. Fill in:{' '}
            <KeyLinks keys={notRead} children={children} />
          </li>
        )}
        {missing.length > 0 && (
          <li>
            <strong>Not in the EHR</strong>. Fill in:{' '}
            <KeyLinks keys={missing} children={children} />
          </li>
        )}
      </ul>
      <Section id="place-heading" heading="Not available from the EHR" class="birth-form__section">
        <div class="birth-form__grid">
          <BirthField field={PLACE_OF_BIRTH} name={PLACE_OF_BIRTH.path} look={look} />
        </div>
      </Section>
      <AlsoInTheChart prefill={prefill} />
    </>
  );
};

const KeyLinks = ({
  keys,
  children,
}: {
  readonly keys: readonly string[];
  readonly children: readonly number[];
}) => (
  <>
    {keys.map((key, place) => (
      <span key={key}>
        {place > 0 && ', '}
        <a href={`#${buildFieldId(key)}`}>{formatKey(key, children)}</a>
      </span>
    ))}
  </>
);

// Fields without which a birth record is hardly useful.
const EXPECTED: readonly FieldPath[] = [
  'place_of_birth',
  'mother.given_names',
  'mother.family_name',
  'mother.birth_date',
  'delivery_method',
  'consent.granted',
];
const EXPECTED_OF_CHILD = [
  'sex',
  'birth_date',
  'birth_time',
  'birth_weight_grams',
  'gestational_age_weeks',
  'apgar_one_minute',
  'apgar_five_minute',
];

/** Parts of a chart that can have a value, by the last name of its field. */
const SOURCES: Readonly<Record<string, readonly UnreadPart['part'][]>> = {
  delivery_method: ['Observation', 'Condition'],
  birth_weight_grams: ['Observation'],
  gestational_age_weeks: ['Observation'],
  apgar_one_minute: ['Observation'],
  apgar_five_minute: ['Observation'],
};

const isPossiblyUnread = (key: string, unread: readonly UnreadPart[]): boolean => {
  const parts = SOURCES[key.slice(key.lastIndexOf('.') + 1)] ?? [];
  return unread.some(({ part }) => parts.includes(part));
};

const listMissingKeys = (
  { values }: FormViewModel,
  children: readonly number[],
): readonly string[] =>
  [
    ...EXPECTED,
    ...children.flatMap((index) => EXPECTED_OF_CHILD.map((name) => `children.${index}.${name}`)),
  ].filter((key) => (values[key] ?? '').trim() === '');

const AlsoInTheChart = ({ prefill }: { readonly prefill: Prefill }) => {
  const hints = prefill.hints.filter(({ path }) => path === null);
  const { notTaken } = prefill;
  const count = hints.length + notTaken.length;
  return count === 0 ? null : (
    // Open if values that have a field were not filled in, so that no one overlooks them.
    <details class="also-in-chart" open={notTaken.length > 0}>
      <summary>In the chart but not filled in: {count}</summary>
      <ul>
        {notTaken.map((entry) => (
          <NotUsedLine key={`${entry.from.resource} ${entry.what}`} entry={entry} />
        ))}
        {hints.map((hint) => (
          <HintLine key={`${hint.kind} ${hint.text}`} hint={hint} />
        ))}
      </ul>
    </details>
  );
};

/** Omits the diagnosis if the hint already names it. */
const formatPlace = ({ text, from }: PrefillHint, times: TimeFormat): string => {
  if (from.display === null || !text.includes(from.display)) return formatSources(from, times);
  return from.date === null ? 'No date in the EHR' : formatDateAndTime(from.date, times);
};

/** Drops units such as `{score}`. Chart text can be long, so the pattern must not backtrack. */
const removeBraces = (said: string): string => said.replaceAll(/\s?\{[^{}]*\}/g, '');

const HintLine = ({ hint }: { readonly hint: PrefillHint }) => {
  const times = useFrame();
  return (
    <li>
      {formatHint(hint, times)} <span class="quiet">{formatPlace(hint, times)}</span>
    </li>
  );
};

const NotUsedLine = ({ entry: { what, said, why, from } }: { readonly entry: SkippedValue }) => (
  <li>
    {what}
    {said !== null && `: ${removeBraces(said)}`}. {why}{' '}
    <span class="quiet">{formatSources(from, useFrame())}</span>
  </li>
);
