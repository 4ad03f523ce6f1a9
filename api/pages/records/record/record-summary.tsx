import type { Child } from '../../../../domain/course/course.ts';
import { birthWeightInWords, gestationInWords } from '../../../../domain/format-measures.ts';
import { FetalDeathTag } from '../../layout/record-rows.tsx';
import { Tag } from '../../layout/tag.tsx';
import { Time } from '../../layout/time.tsx';
import { formatChildLabel } from '../../text/field-labels.ts';
import { formatDate } from '../../text/format-dates.ts';
import { formatValue } from '../../text/format-values.ts';
import { formatFullName } from '../../text/full-name.ts';
import {
  BORN,
  countFetalDeaths,
  DELIVERED,
  isHeadedByChartNumber,
} from '../../text/record-titles.ts';
import type { RecordView } from '../history/record-view.ts';

export interface RecordSummaryProps {
  readonly view: RecordView;
  /** True if the record is the newer one of an open pair, now or at the as-of time. */
  readonly isSuspected: boolean;
}

export const RecordSummary = ({ view, isSuspected }: RecordSummaryProps) => {
  const { state, madeBy } = view;
  const { chart_number: chartNumber, children } = state.course;
  return (
    <div class="record__summary">
      <p class="cluster cluster--close">
        <Tag kind={state.status} />
        <FetalDeathTag record={countFetalDeaths(state.course)} />
        {isSuspected && <Tag kind="suspected-duplicate" />}
        {chartNumber === null ? (
          <span>No chart number</span>
        ) : (
          !isHeadedByChartNumber(state.course) && <span>Chart number {chartNumber}</span>
        )}
      </p>
      {children.map((child, index) => (
        <ChildLine key={index} child={child} index={index} view={view} />
      ))}
      <p class="quiet font-sans-2xs">
        Version {state.version}. {madeBy.text}, <Time at={madeBy.at} />. Record number{' '}
        {state.submissionUuid}
      </p>
    </div>
  );
};

const ChildLine = ({
  child,
  index,
  view,
}: {
  readonly child: Child;
  readonly index: number;
  readonly view: RecordView;
}) => {
  const { children, place_of_birth: place } = view.state.course;
  const facts = [
    child.sex === null ? null : formatValue('children.sex', child.sex, view.words),
    formatDay(child, view),
    child.birth_weight_grams === null ? null : birthWeightInWords(child.birth_weight_grams),
    child.gestational_age_weeks === null
      ? null
      : gestationInWords(child.gestational_age_weeks, child.gestational_age_days),
    place,
  ].filter((fact) => fact !== null);
  const name = formatFullName(child);
  return (
    <p class="cluster font-sans-sm">
      <strong>{name === '' ? formatChildLabel(index, children.length) : name}</strong>
      {facts.map((fact) => (
        <span key={fact}>{fact}</span>
      ))}
    </p>
  );
};

const formatDay = (
  { birth_date: day, birth_time: time, fetal_death: isFetalDeath }: Child,
  { words }: RecordView,
): string => {
  const text =
    time === null
      ? day === null
        ? null
        : formatDate(day)
      : formatValue('children.birth_time', time, words);
  const word = isFetalDeath === true ? DELIVERED : BORN;
  return text === null ? `${word}: date not recorded` : `${word} ${text}`;
};
