import type { Rejection, RejectionId } from '../../../domain/course/rejections.ts';

export interface RejectionText {
  readonly reason: string;
  readonly remedy: string;
}

const ENTER_OR_RESEND =
  'Enter the birth by hand, or ask your EHR’s support team to correct it and send it again.';

const UNKNOWN_PLACE: RejectionText = {
  reason: 'The EHR sent a place of birth that the registry does not know.',
  remedy:
    'Choose another place of birth in your EHR and send the record again, or enter the birth by hand.',
};

const KNOWN: ReadonlyMap<string, RejectionText> = new Map<RejectionId, RejectionText>([
  [
    'no-mother',
    { reason: 'The EHR did not say which patient is the mother.', remedy: ENTER_OR_RESEND },
  ],
  [
    'several-mothers',
    {
      reason: 'The EHR sent more than one mother in one record.',
      remedy: 'Ask your EHR’s support team to send each birth as its own record.',
    },
  ],
  [
    'no-child',
    { reason: 'The EHR did not say which patient is the child.', remedy: ENTER_OR_RESEND },
  ],
  [
    'place-of-birth-required',
    {
      reason: 'The place of birth is missing.',
      remedy:
        'Add the place of birth in your EHR and send the record again, or enter the birth by hand.',
    },
  ],
  [
    'chart-number-unusable',
    {
      reason: 'The chart number is too long, or has characters that cannot be stored.',
      remedy: 'Correct the chart number in your EHR and send the record again.',
    },
  ],
  [
    'several-chart-numbers',
    {
      reason: 'The EHR sent more than one chart number for one birth.',
      remedy: 'Ask your EHR’s support team to send one chart number with each birth.',
    },
  ],
  [
    'name-twice',
    {
      reason: 'The EHR sent one piece of information twice in the same place.',
      remedy: 'Ask your EHR’s support team to send each piece of information once.',
    },
  ],
  [
    'course-too-long',
    {
      reason: 'The record is too large, often because of attached documents or images.',
      remedy: 'Ask your EHR’s support team to send it without attachments.',
    },
  ],
  [
    'too-many-children',
    {
      reason: 'The record has too many children. Several births were probably sent as one record.',
      remedy: 'Ask your EHR’s support team to send each birth as its own record.',
    },
  ],
  [
    'list-too-long',
    {
      reason: 'The record repeats one kind of information far too often.',
      remedy: 'Ask your EHR’s support team to send only what belongs to this birth.',
    },
  ],
  [
    'too-costly-to-read',
    {
      reason: 'The record repeats the same information far too often.',
      remedy: 'Ask your EHR’s support team to send everything once.',
    },
  ],
  ['bundle-without-entries', { reason: 'The EHR sent an empty record.', remedy: ENTER_OR_RESEND }],
  [
    'too-many-courses',
    {
      reason: 'The EHR sent more than 1,000 records at once, so none of them were recorded.',
      remedy: 'Ask your EHR’s support team to send them in smaller batches.',
    },
  ],
  [
    'stale-update',
    {
      reason: 'It is older than the record in the registry, which was kept.',
      remedy: 'Check the record. If nothing in it is out of date, dismiss this.',
    },
  ],
  [
    'duplicate-amendment',
    {
      reason:
        'The change would make the record the same birth as another record: same mother, same time of birth.',
      remedy: 'Check the chart number in your EHR, or void one of the two records.',
    },
  ],
  [
    'no-record-to-retract',
    {
      reason: 'The EHR asked to void a record that is not in the registry.',
      remedy: 'Check the chart number. If the birth was never entered here, dismiss this.',
    },
  ],
  ['place-of-birth-code', UNKNOWN_PLACE],
  ['place-of-birth-code-unnamed', UNKNOWN_PLACE],
]);

/** Explains a refusal in plain words, or with its diagnostics if none are known. */
export const formatRejection = ({ id, diagnostics }: Rejection): RejectionText =>
  KNOWN.get(id) ?? { reason: diagnostics, remedy: ENTER_OR_RESEND };
