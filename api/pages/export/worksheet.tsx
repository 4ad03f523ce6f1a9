import type { CourseOfCare } from '../../../domain/course/course.ts';
import type { Field } from '../../../domain/course/fields.ts';
import type { CustomField } from '../../../domain/custom-field/state.ts';
import { useFrame } from '../layout/frame-context.ts';
import { PrintNotice } from '../layout/print-notice.tsx';
import { type FormPart, LAYOUT } from '../parts/birth-form/form/form-layout.ts';
import { formatChildLabel } from '../text/field-labels.ts';
import { formatCustomValue, formatFieldValue } from '../text/format-values.ts';

export interface WorksheetProps {
  readonly course: CourseOfCare;
  readonly customFields: readonly CustomField[];
  /** True if a partner sent the current version. */
  readonly isDeIdentified: boolean;
  readonly back: string;
}

/** Record for printing, in the order of the form: known values, and lines for the rest. */
export const Worksheet = (props: WorksheetProps) => {
  const { course, customFields, isDeIdentified, back } = props;
  const times = useFrame();
  const { mother, children, transfers, consent } = course;
  const listLines = (parts: readonly FormPart[], findParent: (field: Field) => object) =>
    parts.flatMap(({ fields }) =>
      fields
        // Days are shown with the weeks.
        .filter(({ path }) => path !== 'children.gestational_age_days')
        .map((field) => ({
          key: field.path,
          label: field.label,
          text: formatFieldValue(field, findParent(field), times),
        })),
    );
  const findParent = ({ parent }: Field): object => {
    if (parent === 'mother') return mother;
    return parent === 'mother.address' ? mother.address : course;
  };
  const own = customFields.filter(({ isRetired }) => !isRetired);
  return (
    <div class="worksheet">
      <PrintNotice back={back} />
      {isDeIdentified && (
        <p class="quiet">
          A partner sent this record. The registry keeps no names, exact dates or contact details
          for it.
        </p>
      )}
      <Part heading="Mother" lines={listLines(LAYOUT.mother, findParent)} />
      <Part heading="Pregnancy" lines={listLines(LAYOUT.pregnancy, findParent)} />
      <Part
        heading="Labor and birth"
        lines={listLines([...LAYOUT.birth, ...LAYOUT['mother transfer']], findParent)}
      />
      {children.map((child, index) => (
        <Part
          key={index}
          heading={formatChildLabel(index, children.length)}
          lines={listLines(LAYOUT.child, () => child)}
        />
      ))}
      {transfers.map((transfer, index) => (
        <Part
          key={index}
          heading={transfers.length > 1 ? `Transfer ${index + 1}` : 'Transfer'}
          lines={listLines(LAYOUT.transfer, () => transfer)}
        />
      ))}
      <Part heading="Consent" lines={listLines(LAYOUT.consent, () => consent)} />
      {own.length > 0 && (
        <Part
          heading="Custom fields"
          lines={own.map(({ fieldId, label, type }) => ({
            label,
            key: fieldId,
            text: formatCustomValue(type, course.custom[fieldId]),
          }))}
        />
      )}
      <p class="margin-top-4">
        Completed by <span class="worksheet__line" /> Date <span class="worksheet__line" />
      </p>
    </div>
  );
};

/** `text` is `null` if the line is to be filled in by hand. */
interface Line {
  readonly key: string;
  readonly label: string;
  readonly text: string | null;
}

const Part = ({
  heading,
  lines,
}: {
  readonly heading: string;
  readonly lines: readonly Line[];
}) => (
  <section class="worksheet__part">
    <h2>{heading}</h2>
    <dl>
      {lines.map(({ key, label, text }) => (
        <div key={key} class="worksheet__row">
          <dt>{label}</dt>
          <dd class={text === null ? 'worksheet__line' : undefined}>
            {text ?? <span class="usa-sr-only">Not stated</span>}
          </dd>
        </div>
      ))}
    </dl>
  </section>
);
