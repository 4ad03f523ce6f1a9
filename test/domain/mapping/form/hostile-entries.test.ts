import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EDITABLE_FIELDS } from '../../../../domain/mapping/form/form-fields.ts';
import { formatEntries } from '../../../../domain/mapping/form/format-course.ts';
import { CUSTOM_FIELDS, enter, errorsOf, held, ines } from '../../../support/birth-records.ts';
import { runs } from '../../../support/runs.ts';
import { hostileTexts, lengthsComposed } from '../../../support/slow-texts.ts';

const hostile = suite('hostile texts in a course of care');

const LENGTH = 100_000;
const KEYS = [
  ...EDITABLE_FIELDS.map(({ path }) => path.replace(/^(children|transfers)\./, '$1.0.')),
  ...CUSTOM_FIELDS.map(({ fieldId }) => `custom.${fieldId}`),
];

for (const [name, text] of Object.entries(hostileTexts(LENGTH)))
  hostile(`a value of ${LENGTH} characters is refused before it is composed: ${name}`, () => {
    for (const key of KEYS) {
      const values = { ...ines, [key]: text };
      const composed = lengthsComposed(() => {
        assert.ok(errorsOf(values)[key] !== undefined, key);
        enter(values, { existing: held });
      });
      assert.ok(Math.max(0, ...composed) < LENGTH / 10, `${key}: ${Math.max(...composed)}`);
    }
  });

hostile('a long text is told to be too long wherever no free text is read', () => {
  const free = new Set(['text', 'texts']);
  for (const field of EDITABLE_FIELDS.filter(({ type }) => !free.has(type))) {
    const key = field.path.replace(/^(children|transfers)\./, '$1.0.');
    const longest = field.type === 'codes' ? 2_000 : 200;
    assert.match(
      errorsOf({ ...ines, [key]: 'x'.repeat(longest + 1) })[key] ?? '',
      /is too long\. Shorten it\.$/,
    );
    assert.not.match(errorsOf({ ...ines, [key]: 'x'.repeat(longest) })[key] ?? '', /too long/);
  }
});

hostile('any texts under any keys give an answer', () => {
  const keys = fc.constantFrom(
    ...EDITABLE_FIELDS.map(({ path }) =>
      path.replace(/^(children|transfers)\./, (_, list) => `${list}.0.`),
    ),
    'children.21.sex',
    'custom.tub',
    'custom.',
    '__proto__',
    'constructor',
    'children',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('5/12/2026', '39', 'yes', '3400 g', '2:05 pm', 'Home'),
  );
  fc.assert(
    fc.property(fc.dictionary(keys, texts), (values) => {
      const entered = enter(values);
      assert.ok(entered.kind === 'course' || entered.errors.length > 0);
      if (entered.kind === 'refused') return;
      const again = enter(formatEntries(entered.course), { existing: entered.course });
      assert.ok(again.kind === 'course');
      if (again.kind === 'course') assert.equal(again.course, entered.course);
    }),
    runs(500),
  );
});

hostile.run();
