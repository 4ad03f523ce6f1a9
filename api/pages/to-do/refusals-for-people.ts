import {
  BUNDLE_WITHOUT_ENTRIES,
  CHART_NUMBER_UNUSABLE,
  COURSE_TOO_LONG,
  DUPLICATE_AMENDMENT,
  NO_CHILD,
  NO_MOTHER,
  NO_RECORD_TO_RETRACT,
  PLACE_OF_BIRTH_REQUIRED,
  type Rejection,
  SEVERAL_MOTHERS,
  STALE_UPDATE,
  TOO_MANY_CHILDREN,
  TOO_MANY_COURSES,
} from '../../../domain/rejections.ts';

/** Why a record was refused and what to do about it, for people who know births and not FHIR. */
export interface RefusalForPeople {
  readonly reason: string;
  readonly remedy: string;
}

const MEND =
  'Enter the birth by hand, or ask the support of your EHR to correct it and send it again.';

const KNOWN: readonly (readonly [Rejection, RefusalForPeople])[] = [
  [NO_MOTHER, { reason: 'The EHR did not say which patient is the mother.', remedy: MEND }],
  [
    SEVERAL_MOTHERS,
    {
      reason: 'The EHR sent more than one mother in one record.',
      remedy: 'Ask the support of your EHR to send each birth as its own record.',
    },
  ],
  [NO_CHILD, { reason: 'The EHR did not say which patient is the child.', remedy: MEND }],
  [
    PLACE_OF_BIRTH_REQUIRED,
    {
      reason: 'The place of birth is missing.',
      remedy:
        'Add the place of birth in your EHR and send the record again, or enter the birth by hand.',
    },
  ],
  [
    CHART_NUMBER_UNUSABLE,
    {
      reason: 'The chart number is too long, or has characters that cannot be kept.',
      remedy: 'Correct the chart number in your EHR and send the record again.',
    },
  ],
  [
    COURSE_TOO_LONG,
    {
      reason: 'The record is too large, often because of attached documents or images.',
      remedy: 'Ask the support of your EHR to send it without attachments.',
    },
  ],
  [
    TOO_MANY_CHILDREN,
    {
      reason: 'The record has too many children. Several births were probably sent as one.',
      remedy: 'Ask the support of your EHR to send each birth as its own record.',
    },
  ],
  [BUNDLE_WITHOUT_ENTRIES, { reason: 'The EHR sent an empty record.', remedy: MEND }],
  [
    TOO_MANY_COURSES,
    {
      reason: 'The EHR sent more than 1,000 records at once, so none of them was taken.',
      remedy: 'Ask the support of your EHR to send them in smaller batches.',
    },
  ],
  [
    STALE_UPDATE,
    {
      reason: 'It is older than the record that the registry holds, which was kept.',
      remedy: 'Check the record. If nothing in it is out of date, dismiss this.',
    },
  ],
  [
    DUPLICATE_AMENDMENT,
    {
      reason:
        'The change would make the record the same birth as another record: same mother, same time of birth.',
      remedy: 'Check the chart number in your EHR, or void one of the two records.',
    },
  ],
  [
    NO_RECORD_TO_RETRACT,
    {
      reason: 'The EHR asked to void a record that the registry does not hold.',
      remedy: 'Check the chart number. If the birth was never entered here, dismiss this.',
    },
  ],
];

const PLACE_CODE = 'Unrecognised Location.type code';

/** In plain words; what has none is told as in the receipt. */
export const refusalForPeople = ({ diagnostics }: Rejection): RefusalForPeople => {
  const known = KNOWN.find(([rejection]) => rejection.diagnostics === diagnostics);
  if (known !== undefined) return known[1];
  if (diagnostics.startsWith(PLACE_CODE))
    return {
      reason: 'The EHR sent a place of birth that the registry does not know.',
      remedy: `Choose another place of birth in your EHR and send the record again, or enter the birth by hand.`,
    };
  return { reason: diagnostics, remedy: MEND };
};
