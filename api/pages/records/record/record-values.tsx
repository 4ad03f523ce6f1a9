import {
  FIELDS,
  type Field,
  type FieldGroup,
  type FieldPath,
  findField,
} from '../../../../domain/course/fields.ts';
import { Section } from '../../layout/section.tsx';
import {
  buildFullLabel,
  formatChildLabel,
  GROUP_LABELS,
  lowercaseLabel,
} from '../../text/field-labels.ts';
import { formatCustomValue, formatFieldValue, formatTransfer } from '../../text/format-values.ts';
import { uncapitalize } from '../../text/text-case.ts';
import type { RecordNames, RecordView } from '../history/record-view.ts';

export interface RecordValuesProps {
  readonly view: RecordView;
  readonly names: RecordNames;
}

/** Line of a group; a `null` text means not recorded. */
interface ValueRow {
  readonly path: string;
  readonly label: string;
  readonly text: string | null;
  readonly field: Field | null;
}

interface ValueGroup {
  readonly id: string;
  readonly heading: string;
  readonly rows: readonly ValueRow[];
}

export const RecordValues = ({ view, names }: RecordValuesProps) => (
  <>
    <div class="record__columns">
      {splitColumns(buildGroups(view, names)).map((groups, column) => (
        <div key={column}>
          {groups.map((group) => (
            <Group key={group.id} group={group} view={view} names={names} />
          ))}
        </div>
      ))}
    </div>
    <LeftOut view={view} />
    <Origins notes={view.notes} />
  </>
);

const countLines = ({ rows }: ValueGroup): number =>
  HEADING_ROWS + rows.filter(({ text }) => text !== null).length;

const HEADING_ROWS = 3;

/** Splits the groups, in order, into two columns of similar height. */
const splitColumns = (groups: readonly ValueGroup[]): readonly (readonly ValueGroup[])[] => {
  const computeHeight = (some: readonly ValueGroup[]) =>
    some.reduce((sum, group) => sum + countLines(group), 0);
  const breaks = groups.map((_, index) => index + 1);
  const [best = groups.length] = breaks.toSorted(
    (one, other) =>
      Math.abs(2 * computeHeight(groups.slice(0, one)) - computeHeight(groups)) -
      Math.abs(2 * computeHeight(groups.slice(0, other)) - computeHeight(groups)),
  );
  return [groups.slice(0, best), groups.slice(best)].filter((column) => column.length > 0);
};

const Group = ({
  group: { id, heading, rows },
  view,
  names,
}: RecordValuesProps & { readonly group: ValueGroup }) => {
  const isDeIdentified = view.state.keyKind === 'partner';
  const stated = rows.filter(({ text }) => text !== null);
  const missing = rows.filter(({ text }) => text === null);
  const isMasked = ({ field }: ValueRow) => isDeIdentified && field?.mask === 'dropped';
  return (
    <Section id={id} heading={heading} class="values">
      {stated.length > 0 && (
        <dl>
          {stated.map((row) => (
            <Value key={row.path} row={row} view={view} names={names} />
          ))}
        </dl>
      )}
      {missing.length === rows.length ? (
        <p class="quiet">Nothing recorded.</p>
      ) : (
        <Missing what="Not recorded" rows={missing.filter((row) => !isMasked(row))} />
      )}
      <Missing
        what="Not kept for this de-identified record"
        rows={missing.filter(isMasked)}
        id="not-kept"
      />
    </Section>
  );
};

const Missing = ({
  what,
  rows,
  id,
}: {
  readonly what: string;
  readonly rows: readonly ValueRow[];
  readonly id?: string;
}) =>
  rows.length === 0 ? null : (
    <p data-message={id} class="quiet margin-top-1 margin-bottom-0 maxw-none font-sans-2xs">
      {what}: {rows.map(({ label }) => lowercaseLabel(label)).join('; ')}.
    </p>
  );

const Value = ({ row, view, names }: RecordValuesProps & { readonly row: ValueRow }) => {
  const { path, label } = row;
  const note = view.noteOf(path);
  return (
    <div class="values__row">
      <dt>{label}</dt>
      <dd>
        <span
          class="values__value"
          // Focus shows the source of a value, like hovering.
          tabIndex={note === undefined ? undefined : 0}
          aria-describedby={note === undefined ? undefined : buildNoteId(note)}
        >
          <ValueText row={row} names={names} view={view} />
          {note !== undefined && view.notes.length > 1 && (
            <sup
              class={`values__note${note === view.usualNote ? ' values__note--usual' : ''}`}
              aria-hidden="true"
            >
              {note}
            </sup>
          )}
        </span>
        {note !== undefined && (
          <span class="values__origin quiet font-sans-3xs" aria-hidden="true">
            {view.notes[note - 1]}
          </span>
        )}
      </dd>
    </div>
  );
};

const ValueText = ({ row, view, names }: RecordValuesProps & { readonly row: ValueRow }) => {
  const part = row.path;
  const isProvider = part === 'attendant' || part === 'certifier';
  const provider = isProvider ? names.providers.get(view.state.course[part] ?? '') : undefined;
  if (provider === undefined) return <>{row.text}</>;
  return <a href={`/registry/providers/${provider.survivorId}`}>{row.text}</a>;
};

const buildNoteId = (note: number): string => `origin-${note}`;

const Origins = ({ notes }: { readonly notes: readonly string[] }) => (
  <Section id="origins" heading="Where the values came from" class="origins">
    {notes.length === 1 ? (
      <p id={buildNoteId(1)}>{notes[0]}</p>
    ) : (
      <ol>
        {notes.map((note, index) => (
          <li key={note} id={buildNoteId(index + 1)}>
            {note}
          </li>
        ))}
      </ol>
    )}
  </Section>
);

const buildRows = (
  group: FieldGroup,
  findParent: (field: Field) => readonly [prefix: string, parent: object] | null,
  { words }: RecordView,
): readonly ValueRow[] =>
  FIELDS.filter((field) => field.group === group).flatMap((field) => {
    // Shown with the weeks.
    if (field.path === 'children.gestational_age_days') return [];
    const found = findParent(field);
    if (found === null) return [];
    const [prefix, parent] = found;
    const text = formatFieldValue(field, parent, words);
    return [{ path: `${prefix}${field.name}`, label: field.label, text, field }];
  });

const buildGroups = (view: RecordView, names: RecordNames): readonly ValueGroup[] => {
  const { course } = view.state;
  const getCourse = () => ['', course] as const;
  return [
    {
      id: 'mother',
      heading: GROUP_LABELS.mother,
      rows: buildRows(
        'mother',
        ({ parent }) =>
          parent === 'mother.address'
            ? ['mother.address.', course.mother.address]
            : ['mother.', course.mother],
        view,
      ),
    },
    {
      id: 'pregnancy',
      heading: GROUP_LABELS.pregnancy,
      rows: buildRows('pregnancy', getCourse, view),
    },
    {
      id: 'labor',
      heading: GROUP_LABELS['labor and birth'],
      rows: buildRows('labor and birth', getCourse, view),
    },
    ...course.children.map((child, index) => ({
      id: `child-${index + 1}`,
      heading: formatChildLabel(index, course.children.length),
      rows: buildRows('children', () => [`children.${index}.`, child], view),
    })),
    {
      id: 'people',
      heading: GROUP_LABELS['people and decisions'],
      rows: [
        ...buildRows('people and decisions', findPeopleParent(course), view).filter(
          isListedFor(view),
        ),
        ...course.transfers.map((transfer, index) => ({
          path: `transfers.${index}.type`,
          label: course.transfers.length > 1 ? `Transfer ${index + 1}` : 'Transfer',
          text: formatTransfer(transfer),
          field: null,
        })),
      ],
    },
    ...buildCustomGroup(view, names),
  ];
};

/** Only partners state the attendant, so elsewhere it is not missing. */
const isListedFor =
  ({ state }: RecordView) =>
  ({ path, text }: ValueRow): boolean =>
    text !== null || state.keyKind === 'partner' || (path !== 'attendant' && path !== 'certifier');

const findPeopleParent =
  (course: RecordView['state']['course']) =>
  ({ parent }: Field): readonly [string, object] | null => {
    if (parent === 'transfers') return null;
    return parent === 'consent' ? ['consent.', course.consent] : ['', course];
  };

/** Custom fields of the practice: live ones, and retired ones with a value. */
const buildCustomGroup = (
  { state: { course } }: RecordView,
  { customFields }: RecordNames,
): readonly ValueGroup[] => {
  const rows = customFields
    .filter(({ fieldId, isRetired }) => !isRetired || (course.custom[fieldId] ?? null) !== null)
    .map(({ fieldId, label, type }) => ({
      path: `custom.${fieldId}`,
      label,
      text: formatCustomValue(type, course.custom[fieldId]),
      field: null,
    }));
  return rows.length === 0 ? [] : [{ id: 'custom', heading: GROUP_LABELS.custom, rows }];
};

/** Values that were sent but not recorded, with reasons. */
const LeftOut = ({ view }: { readonly view: RecordView }) => {
  const { warnings, children } = view.state.course;
  if (warnings.length === 0) return null;
  return (
    <Section id="left-out" heading={GROUP_LABELS.marks}>
      <p>These were sent but could not be used.</p>
      <ul>
        {warnings.map(({ field, child, raw, id, reason }) => (
          <li key={`${field} ${child} ${id} ${raw}`}>
            <strong>{buildLeftOutLabel(field, child, children.length)}</strong>
            {raw !== null && <> (sent as “{String(raw)}”)</>}: {uncapitalize(reason)}.
          </li>
        ))}
      </ul>
    </Section>
  );
};

const buildLeftOutLabel = (field: string, index: number | null, children: number): string =>
  findField(field) === undefined
    ? field
    : buildFullLabel({ field: field as FieldPath, index }, children);
