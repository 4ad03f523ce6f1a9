import { parseCorrectionReason } from '../../../domain/birth-record/correction-reason.ts';
import { scenarios } from '../../support/scenarios.ts';

const said = (choice: string, text = '') => parseCorrectionReason({ choice, text });

scenarios('why a record is corrected', () => null, [
  {
    name: 'one of the offered reasons is enough, and a text may follow it',
    given: [],
    when: () => [
      said('Typing error'),
      said('Information came later', ' The  worksheet came\n in '),
    ],
    expect: [
      { kind: 'reason', reason: 'Typing error' },
      { kind: 'reason', reason: 'Information came later: The worksheet came in' },
    ],
  },
  {
    name: 'for any other reason the text is what is kept',
    given: [],
    when: () => said('Other', 'Asked for by the county'),
    expect: { kind: 'reason', reason: 'Asked for by the county' },
  },
  {
    name: 'nothing chosen, or something that was not offered, is refused',
    given: [],
    when: () => [said('', 'A text'), said('Because')],
    expect: [0, 1].map(() => ({
      kind: 'refused',
      why: { kind: 'refused', code: 'correction-without-reason' },
      about: 'choice',
    })),
  },
  {
    name: 'Other without a text is refused, and so is a text that is too long or cannot be kept',
    given: [],
    when: () => [
      said('Other'),
      said('Typing error', 'x'.repeat(501)),
      said('Typing error', 'a\u0007bc'),
    ],
    expect: [
      { kind: 'refused', why: { kind: 'refused', code: 'reason-too-short' }, about: 'text' },
      {
        kind: 'refused',
        why: { kind: 'refused', code: 'reason-too-long', most: 500 },
        about: 'text',
      },
      { kind: 'refused', why: { kind: 'refused', code: 'reason-not-kept' }, about: 'text' },
    ],
  },
]);
