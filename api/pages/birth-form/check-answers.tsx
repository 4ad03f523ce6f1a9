import type { Request } from 'express';
import type { ComponentChildren } from 'preact';
import type { CourseOfCare } from '../../../domain/course/course.ts';
import { mapChildIndex, toValuePath } from '../../../domain/course/course-paths.ts';
import type { FieldMessage } from '../../../domain/course/field-messages.ts';
import { findFieldAt } from '../../../domain/course/fields.ts';
import { findMissingItems } from '../../../domain/course/missing-items.ts';
import { countInWords } from '../../../domain/format-measures.ts';
import type { FormValues } from '../../../domain/mapping/form/form-fields.ts';
import type { App } from '../../ports/app-ports.ts';
import { DataTable } from '../layout/data-table.tsx';
import { buildFieldId } from '../layout/field-errors.ts';
import type { PageView } from '../layout/page.tsx';
import { Section } from '../layout/section.tsx';
import type { ValidCourse } from '../parts/birth-form/birth-form-flow.tsx';
import { formatDifferences } from '../parts/birth-form/confirm/compare-births.ts';
import { ConfirmationForm, ReturnToForm } from '../parts/birth-form/confirm/confirmation-form.tsx';
import { readTypedValues } from '../parts/birth-form/drafts/form-ownership.tsx';
import type { Entry } from '../parts/birth-form/form/entry.ts';
import { listSectionKeys, sortInPageOrder } from '../parts/birth-form/form/form-layout.ts';
import { locateNotices } from '../parts/birth-form/form/form-values.ts';
import {
  buildCourseContext,
  buildPathLabel,
  type CourseContext,
  type FormattedChange,
  formatValueAt,
} from '../text/course-values.ts';
import { formatChildLabel, lowercaseLabel, parseValuePlace } from '../text/field-labels.ts';
import { formatTransfer } from '../text/format-values.ts';
import { findChartNumberConflict } from './check-router.ts';

export interface FormToCheck {
  readonly entry: Entry;
  readonly parsed: ValidCourse;
  readonly action: string;
  readonly resume: string;
  readonly reason?: string | undefined;
}

/**
 * No record is saved before this page is confirmed: an accidental Enter, or a form of an older
 * release, also arrives here.
 */
export const buildCheck = async (
  app: App,
  req: Request,
  { entry, parsed, action, resume, reason }: FormToCheck,
): Promise<PageView> => {
  const { values, base, seat, customFields } = entry;
  const notices = [...(await findChartNumberConflict(app, entry)), ...locateNotices(parsed)];
  const words = buildCourseContext({ ...seat.practice, customFields });
  const view: CheckView = {
    values,
    course: parsed.course,
    childIndexes: parsed.childIndexes,
    notices: sortInPageOrder(notices, values),
    neededItems: seat.practice.neededItems,
    words,
    // An address other than the page's own makes the browser load it.
    linkTo: (key) => `${resume}&change=yes#${buildFieldId(key)}`,
  };
  const changes = base === null ? null : formatDifferences(base, parsed.course, words);
  return {
    title: CHECK.text,
    returnTo: resume,
    children: (
      <ConfirmationForm action={action} carried={readTypedValues(req)}>
        <Summary view={view} changes={changes} />
        {changes === null ? <Answers view={view} /> : <Changes view={view} changes={changes} />}
        {reason !== undefined && (
          <p data-message="reason-given">
            Reason for the correction: <strong>{reason}</strong>{' '}
            <ChangeLink to={view.linkTo('reason')} what="reason for the correction" />
          </p>
        )}
        <div class="buttons">
          {changes?.length !== 0 && (
            <button type="submit" name="save" value="record" class="usa-button" id={RECORD_ID}>
              {changes === null ? 'Record birth' : 'Save correction'}
            </button>
          )}
          <ReturnToForm />
        </div>
      </ConfirmationForm>
    ),
  };
};

const RECORD_ID = 'record';

const MISSING = 'Missing';

export const CHECK = { text: 'Check your answers', value: 'check' } as const;

interface CheckView {
  readonly values: FormValues;
  readonly course: CourseOfCare;
  /** Index in the form of each child of the course. */
  readonly childIndexes: readonly number[];
  readonly notices: readonly FieldMessage[];
  readonly neededItems: readonly string[];
  readonly words: CourseContext;
  readonly linkTo: (key: string) => string;
}

/** Missing items and notices, with a shortcut to the button for keyboard users. */
const Summary = ({
  view,
  changes,
}: {
  readonly view: CheckView;
  readonly changes: readonly FormattedChange[] | null;
}) => {
  const { notices } = view;
  const missing = changes === null ? listMissing(view) : [];
  return (
    <section
      class="notice check__first"
      tabIndex={-1}
      data-focus-first
      aria-label="Before you record"
    >
      <p>
        <strong data-message="nothing-saved-yet">Not recorded yet.</strong>{' '}
        {changes?.length === 0 ? (
          <span data-message="nothing-changed">You haven’t changed anything in this record.</span>
        ) : (
          <a href={`#${RECORD_ID}`}>
            {changes === null ? 'Go to “Record birth”' : 'Go to “Save correction”'}
          </a>
        )}
      </p>
      {missing.length > 0 && (
        <>
          <h2 class="margin-top-105">{MISSING}</h2>
          <ul class="check__missing">
            {missing.map((key) => (
              <li key={key}>
                <a href={view.linkTo(key)}>{buildLabel(view, key)}</a>
              </li>
            ))}
          </ul>
        </>
      )}
      {notices.length > 0 && (
        <>
          <h2 class="margin-top-105">Double-check</h2>
          <ul>
            {notices.map(({ path, id, message }) => (
              <li key={`${path} ${id}`}>
                <a href={view.linkTo(path)}>{buildLabel(view, path)}</a>: {message}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
};

/** All values of the new record, in the order of the form. */
const Answers = ({ view }: { readonly view: CheckView }) => {
  const { values, course, childIndexes } = view;
  const { children, transfers, ...sections } = listSectionKeys(values);
  return (
    <>
      <AnswersSection id="record" heading="This birth" keys={sections.record} view={view} />
      <AnswersSection id="mother" heading="Mother" keys={sections.mother} view={view} />
      <AnswersSection id="pregnancy" heading="Pregnancy" keys={sections.pregnancy} view={view} />
      <AnswersSection id="birth" heading="Labor and birth" keys={sections.birth} view={view} />
      <Section id="children-heading" heading="Children" class="check">
        <p data-message="children-entered">{formatChildren(course)}</p>
      </Section>
      {childIndexes.map((index, place) => (
        <AnswersSection
          key={index}
          id={`child-${index}`}
          heading={formatChildLabel(place, childIndexes.length)}
          keys={children.get(index) ?? []}
          view={view}
          isChild
        />
      ))}
      <AnswersSection
        id="transfers"
        heading="Transfers"
        keys={sections['mother transfer']}
        view={view}
      >
        {course.transfers.length > 0 && (
          <>
            <ul>
              {course.transfers.map((transfer) => (
                <li key={formatTransfer(transfer)}>{formatTransfer(transfer)}</li>
              ))}
            </ul>
            <p>
              <ChangeLink
                to={view.linkTo(`transfers.${[...transfers.keys()][0] ?? 0}.type`)}
                what="transfers"
              />
            </p>
          </>
        )}
      </AnswersSection>
      <AnswersSection
        id="people"
        heading="People and decisions"
        keys={sections.consent}
        view={view}
      />
      <AnswersSection
        id="custom"
        heading="Custom fields"
        keys={Object.keys(values).filter((key) => key.startsWith('custom.'))}
        view={view}
      />
    </>
  );
};

/** Compares the plurality with the number of children entered. */
const formatChildren = ({
  plurality,
  children,
}: Pick<CourseOfCare, 'plurality' | 'children'>): string => {
  const here = children.length;
  if (plurality === null) return `${countInWords(here, 'child', 'children')} entered here.`;
  if (plurality === here)
    return here === 1
      ? 'A single birth: one child, entered here.'
      : `${here === 2 ? 'Both' : `All ${here}`} children of this pregnancy are entered here.`;
  return plurality > here
    ? `${here} of the ${plurality} children of this pregnancy ${here === 1 ? 'is' : 'are'} entered here.`
    : `${here} children are entered here, but the plurality is ${plurality}.`;
};

interface AnswersSectionProps {
  readonly id: string;
  readonly heading: string;
  readonly keys: readonly string[];
  readonly view: CheckView;
  /** True for a child's section. */
  readonly isChild?: boolean;
  /** Content after the answers. */
  readonly children?: ComponentChildren;
}

/** Section of the form: answers and missing items, then one line with the empty fields. */
const AnswersSection = (props: AnswersSectionProps) => {
  const { id, heading, keys, view, isChild = false, children } = props;
  const missing = new Set(listMissing(view));
  const rows = keys.filter((key) => isAnswered(view, key) || missing.has(key));
  const empty = keys.filter((key) => !rows.includes(key));
  if (keys.length === 0 || (id === 'custom' && rows.length === 0)) return null;
  return (
    <Section
      id={`${id}-heading`}
      heading={heading}
      level={isChild ? 'h3' : 'h2'}
      class={isChild ? 'check check--one' : 'check'}
    >
      {rows.length > 0 && (
        <dl class="summary-list">
          {rows.map((key) => (
            <Row key={key} name={key} view={view} isMissing={missing.has(key)} />
          ))}
        </dl>
      )}
      {empty.length > 0 && (
        <p class="quiet font-sans-2xs maxw-none margin-top-1 margin-bottom-0">
          Left empty: {empty.map((key) => lowercaseLabel(buildOwnLabel(view, key))).join('; ')}.
        </p>
      )}
      {children}
    </Section>
  );
};

const Row = ({
  name,
  view,
  isMissing,
}: {
  readonly name: string;
  readonly view: CheckView;
  readonly isMissing: boolean;
}) => {
  const label = buildOwnLabel(view, name);
  const rowNotices = view.notices.filter(({ path }) => path === name);
  return (
    <div>
      <dt class="text-bold">{label}</dt>
      <dd>
        {isMissing ? <strong class="check__lack">{MISSING}</strong> : findAnswer(view, name)}
        {rowNotices.map(({ id, message }) => (
          <p key={id} class="caution margin-top-1 margin-bottom-0">
            {message}
          </p>
        ))}
      </dd>
      <dd class="check__change">
        <ChangeLink to={view.linkTo(name)} what={lowercaseLabel(buildLabel(view, name))} />
      </dd>
    </div>
  );
};

const ChangeLink = ({ to, what }: { readonly to: string; readonly what: string }) => (
  <a href={to}>
    Change<span class="usa-sr-only"> {what}</span>
  </a>
);

const Changes = ({
  view,
  changes,
}: {
  readonly view: CheckView;
  readonly changes: readonly FormattedChange[];
}) =>
  changes.length === 0 ? null : (
    <DataTable
      caption="What this correction changes (the earlier version stays in the history)"
      rows={changes}
      keyOf={({ path }) => path}
      columns={[
        { heading: 'Value', namesRow: true, cell: ({ label }) => label },
        { heading: 'Now', cell: ({ from }) => from ?? 'Not recorded' },
        { heading: 'After the correction', cell: ({ to }) => to ?? 'Not recorded' },
        {
          heading: 'Change',
          cell: ({ path, label }) => (
            <ChangeLink to={view.linkTo(toFormKey(view, path))} what={lowercaseLabel(label)} />
          ),
        },
      ]}
    />
  );

/** Required items without an answer, in the order of the form. */
const listMissing = (view: CheckView): readonly string[] => {
  const keys = findMissingItems(view.course, view.neededItems).flatMap(({ child, paths }) =>
    paths.map((path) => ({
      path: toFormKey(view, toValuePath(path, child)),
    })),
  );
  const open = keys.filter(({ path }) => !isAnswered(view, path));
  return sortInPageOrder(open, view.values).map(({ path }) => path);
};

/** Also if it follows from another answer. */
const isAnswered = (view: CheckView, key: string): boolean =>
  (view.values[key] ?? '').trim() !== '' ||
  formatValueAt(view.course, toCoursePath(view, key), view.words) !== null;

/** Value in words. "Unknown" is an answer, too. */
const findAnswer = (view: CheckView, key: string): string =>
  formatValueAt(view.course, toCoursePath(view, key), view.words) ?? 'Unknown';

/** Maps a form key to a path in the course, which numbers its children without gaps. */
const toCoursePath = ({ childIndexes }: CheckView, key: string): string =>
  mapChildIndex(key, (index) => childIndexes.indexOf(index));

const toFormKey = ({ childIndexes }: CheckView, path: string): string =>
  mapChildIndex(path, (position) => childIndexes[position]);

/** "Child 2: birth weight". */
const buildLabel = (view: CheckView, key: string): string =>
  buildPathLabel(toCoursePath(view, key), view.childIndexes.length, view.words);

/** Label for use under a child's heading: "Birth weight". */
const buildOwnLabel = (view: CheckView, key: string): string => {
  const place = parseValuePlace(key);
  return place === null ? buildLabel(view, key) : findFieldAt(place.field).label;
};
