import { suite } from 'uvu';
import { normalizeEmail } from '../../domain/account/credentials.ts';
import { readHeader } from '../../domain/mapping/csv/header.ts';
import { EDITABLE_FIELDS } from '../../domain/mapping/form/form-fields.ts';
import { CUSTOM_FIELDS, enter, held, ines } from '../support/birth-records.ts';
import { birthBundle, mapBundle } from '../support/bundles.ts';
import { assertLinear, hostileTexts, READINGS, REPETITIONS } from '../support/slow-texts.ts';

/** What comes from outside is read in a time that grows with its length alone. */
const pace = suite('the time that hostile input takes');

const LENGTH = 24_000;

pace('texts in every field of a course of care', () => {
  const keys = [
    ...EDITABLE_FIELDS.map(({ path }) => path.replace(/^(children|transfers)\./, '$1.0.')),
    ...CUSTOM_FIELDS.map(({ fieldId }) => `custom.${fieldId}`),
  ];
  for (const name of Object.keys(hostileTexts(8)))
    for (const key of keys) {
      const valuesOf = (length: number) => ({ ...ines, [key]: hostileTexts(length)[name] ?? '' });
      assertLinear(`${key}: ${name}`, LENGTH, valuesOf, (values) => enter(values));
      assertLinear(`${key}: ${name}`, LENGTH, valuesOf, (values) =>
        enter(values, { existing: held }),
      );
    }
});

pace('every pattern that reads a typed value', () => {
  for (const [what, readOne] of Object.entries(READINGS))
    for (const { name, textOf } of REPETITIONS)
      assertLinear(`${what}: ${name}`, LENGTH, textOf, readOne);
});

pace('an email of accents', () => {
  const marks = (length: number) => `a${'\u0300\u0323'.repeat(length)}`;
  assertLinear('email', LENGTH, marks, normalizeEmail);
});

pace('long headers of a file, compared with the names of columns', () => {
  for (const name of ['letters', 'digits', 'a letter under marks', 'slashes']) {
    const headersOf = (length: number) => [
      'chart_number',
      ...Array.from({ length: 400 }, () => hostileTexts(length)[name] ?? ''),
    ];
    assertLinear(name, LENGTH, headersOf, (headers) => readHeader(headers, []));
  }
});

pace('more credentials than anybody has', () => {
  const bundleOf = (length: number) => {
    const suffix = Array.from({ length }, (_, n) => `X${n}`);
    const name = [{ family: 'Jones', suffix }];
    return birthBundle({ more: [{ resourceType: 'Practitioner', id: 'a', name }] });
  };
  assertLinear('credentials', 5_000, bundleOf, (bundle) => mapBundle(bundle, 'partner'));
});

pace('references that all lead to one large resource', () => {
  const coding = Array.from({ length: 2_000 }, () => ({ system: 'urn:x', code: 'nowhere' }));
  const bundleOf = (length: number) => {
    const location = Array.from({ length }, () => ({ location: { reference: 'Location/place' } }));
    return birthBundle({ location: { type: [{ coding }] }, encounter: { location } });
  };
  assertLinear('references', 10_000, bundleOf, (bundle) => mapBundle(bundle));
});

pace.run();
