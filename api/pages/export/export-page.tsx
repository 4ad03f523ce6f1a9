import { countInWords } from '../../../domain/format-measures.ts';
import { ErrorSummary } from '../layout/error-summary.tsx';
import { type FieldError, findError } from '../layout/field-errors.ts';
import { Form } from '../layout/form.tsx';
import { FormButtons } from '../layout/form-buttons.tsx';
import { RadioGroup } from '../layout/radio-group.tsx';
import type { Choice } from '../layout/select-field.tsx';

/** Export formats. */
export const FORMATS = ['csv', 'json', 'ndjson', 'ije', 'worksheet'] as const;

export interface ExportPageProps {
  readonly records: number;
  /** Number of voided records among them. */
  readonly voided: number;
  /** True if there are more than fit in one file. */
  readonly isMore: boolean;
  /** Address for the POST, with the selection. */
  readonly action: string;
  /** Address for canceling. */
  readonly back: string;
  readonly errors: readonly FieldError[];
}

/** Describes the size of the file. */
export const describeReady = (records: number, voided: number): string =>
  `${countInWords(records, 'record is', 'records are')} ready to export${voided === 0 ? '' : `, ${voided} of them voided`}.`;

/** Asks for the format of an export. */
export const ExportPage = (props: ExportPageProps) => {
  const { records, voided, isMore, action, back, errors } = props;
  return (
    <>
      <ErrorSummary errors={errors} />
      <p class="maxw-tablet">
        {isMore
          ? `More than ${countInWords(records, 'record')} were found. The file will have the ${countInWords(records, 'record')} that changed first; choose fewer with the filters, or ask the operator of the service for all of them in one file.`
          : describeReady(records, voided)}
      </p>
      <p class="maxw-tablet">
        The file contains patients’ data. Keep it where only those who need it can open it. The
        access log will show that you exported {records === 1 ? 'this record' : 'these records'}.
      </p>
      <Form action={action}>
        <RadioGroup
          name="format"
          label="Format"
          choices={listChoices(records, voided)}
          error={findError(errors, 'format')}
        />
        <RadioGroup
          name="per"
          label="Each FHIR Bundle holds"
          hint="Only for FHIR Bundles."
          choices={PER_CHOICES}
          value="course"
        />
        <FormButtons submit={`Export ${countInWords(records, 'record')}`} cancel={back} />
      </Form>
    </>
  );
};

const listChoices = (records: number, voided: number): readonly Choice[] => [
  {
    value: 'csv',
    text: `CSV, in the columns of the import${
      voided === 0 ? '' : ' (not the voided records: importing them would bring them back)'
    }`,
  },
  {
    value: 'json',
    text: `FHIR Bundle (JSON)${records === 1 ? '' : ', all records in one file'}`,
  },
  ...(records === 1
    ? [{ value: 'worksheet', text: 'Worksheet to print, with lines for what is missing' }]
    : [{ value: 'ndjson', text: 'FHIR Bundles (NDJSON), one on each line' }]),
  {
    value: 'ije',
    text: 'State file (IJE), one child on each line (not voided records, fetal deaths, or records of partners, which have no names)',
  },
];

const PER_CHOICES: readonly Choice[] = [
  { value: 'course', text: 'The whole record, with all children of the birth' },
  { value: 'child', text: 'One child, as states take births: twins are two documents' },
];
