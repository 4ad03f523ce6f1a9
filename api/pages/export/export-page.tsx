import { countInWords } from '../../../domain/format-measures.ts';
import { Form } from '../layout/form.tsx';
import { FormButtons } from '../layout/form-buttons.tsx';
import { RadioGroup } from '../layout/radio-group.tsx';
import type { Choice } from '../layout/select-field.tsx';
import { TO_DO } from '../paths.ts';

export const FORMATS = ['csv', 'json', 'ndjson', 'ije', 'worksheet'] as const;

export interface ExportPageProps {
  readonly records: number;
  readonly voided: number;
  /** Records with unusual values that are still open. */
  readonly questioned: number;
  /** True if there are more than fit in one file. */
  readonly isMore: boolean;
  readonly action: string;
  readonly back: string;
}

export const describeReady = (records: number, voided: number): string =>
  `${countInWords(records, 'record is', 'records are')} ready to export${voided === 0 ? '' : `, ${voided} of them voided`}.`;

export const ExportPage = (props: ExportPageProps) => {
  const { records, voided, questioned, isMore, action, back } = props;
  return (
    <>
      <p class="maxw-tablet">
        {isMore
          ? `More than ${countInWords(records, 'record')} were found. The file will have the ${countInWords(records, 'record')} that changed first. Use the filters to choose fewer, or ask the service operator for one file with all of them.`
          : describeReady(records, voided)}
      </p>
      {questioned > 0 && (
        <p class="maxw-tablet">
          {countInWords(questioned, 'record has', 'records have')} unusual values to confirm or
          correct. <a href={`${TO_DO}?kind=question`}>Review unusual values</a>
        </p>
      )}
      <p class="maxw-tablet">
        The file contains patients’ data. Store it where only people who need it can open it. The
        access log will show that you exported {records === 1 ? 'this record' : 'these records'}.
      </p>
      <Form action={action}>
        <RadioGroup name="format" label="Format" choices={listChoices(records, voided)} />
        <RadioGroup
          name="per"
          label="Each FHIR Bundle contains"
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
    text: `CSV, with the same columns as the import${
      voided === 0 ? '' : ' (without voided records, because importing them would restore them)'
    }`,
  },
  {
    value: 'json',
    text: `FHIR Bundle (JSON)${records === 1 ? '' : ', all records in one file'}`,
  },
  ...(records === 1
    ? [{ value: 'worksheet', text: 'Worksheet to print, with blank lines for missing values' }]
    : [{ value: 'ndjson', text: 'FHIR Bundles (NDJSON), one per line' }]),
  {
    value: 'ije',
    text: 'State file (IJE), one child per line (without voided records, fetal deaths, and partner records, which have no names)',
  },
];

const PER_CHOICES: readonly Choice[] = [
  { value: 'course', text: 'The whole record, with all children of the birth' },
  { value: 'child', text: 'One child, as states accept births: twins are two documents' },
];
