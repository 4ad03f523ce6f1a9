import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ENTERED_FIELDS } from '../../../../domain/course-of-care/entering/entered-fields.ts';
import { typedValues } from '../../../../domain/course-of-care/entering/typed-course.ts';
import { CUSTOM_FIELDS, enter, errorsOf, held, ines } from '../../../support/entered-births.ts';
import { runs } from '../../../support/runs.ts';

const hostile = suite('hostile texts in a course of care');

const ROUNDS = 3;
const MOST_MS = 50;

/** The shortest of a few runs: other work of the machine does not count. */
const fastestMs = (run: () => void): number =>
  Math.min(
    ...Array.from({ length: ROUNDS }, () => {
      const before = performance.now();
      run();
      return performance.now() - before;
    }),
  );

const LENGTH = 100_000;
const HOSTILE: Readonly<Record<string, string>> = {
  'a letter, spaces, a letter': `a${' '.repeat(LENGTH)}b`,
  'a number, commas, a number': `1${','.repeat(LENGTH)}1`,
  'numbers and commas': '1,'.repeat(LENGTH / 2),
  digits: '1'.repeat(LENGTH),
  slashes: '/'.repeat(LENGTH),
  letters: 'a'.repeat(LENGTH),
  quotes: "'".repeat(LENGTH),
  'line breaks': `1${'\n'.repeat(LENGTH)}1`,
  'a date, then clocks': `5/12/2026 ${'at 1:00 '.repeat(LENGTH / 8)}x`,
  'a number, then words': `1 ${'and '.repeat(LENGTH / 4)}x`,
  separators: 'a;'.repeat(LENGTH / 2),
  // Normalising sorts the marks above and below a letter.
  'a letter under marks': `a${'\u0301\u0316'.repeat(LENGTH / 2)}`,
};

for (const [name, text] of Object.entries(HOSTILE))
  hostile(`a value of ${LENGTH} characters is answered at once: ${name}`, () => {
    const keys = [
      ...ENTERED_FIELDS.map(({ path }) => path.replace(/^(children|transfers)\./, '$1.0.')),
      ...CUSTOM_FIELDS.map(({ fieldId }) => `custom.${fieldId}`),
    ];
    for (const key of keys) {
      const values = { ...ines, [key]: text };
      assert.ok(errorsOf(values)[key] !== undefined, key);
      assert.ok(fastestMs(() => enter(values)) < MOST_MS, key);
      assert.ok(fastestMs(() => enter(values, { held })) < MOST_MS, key);
    }
  });

hostile('a long text is told to be too long wherever no free text is read', () => {
  const free = new Set(['text', 'texts']);
  for (const field of ENTERED_FIELDS.filter(({ type }) => !free.has(type))) {
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
    ...ENTERED_FIELDS.map(({ path }) =>
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
      const again = enter(typedValues(entered.course), { held: entered.course });
      assert.ok(again.kind === 'course');
      if (again.kind === 'course') assert.equal(again.course, entered.course);
    }),
    runs(500),
  );
});

hostile.run();
