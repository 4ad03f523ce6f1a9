import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createOffsetAt } from '../../../../api/practice-time/practice-clock.ts';
import {
  buildFingerprintTexts,
  formatFingerprint,
  hasFingerprintData,
  isRuleV1,
  listFingerprints,
  parseKeyVersion,
} from '../../../../domain/birth-record/duplicates/fingerprint.ts';
import {
  type Child,
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  type Mother,
} from '../../../../domain/course/course.ts';
import type { OffsetAt } from '../../../../domain/course/local-times.ts';
import { birthBundle, courseOf } from '../../../support/bundles.ts';

const course = (mother: Partial<Mother>, ...children: readonly Partial<Child>[]): CourseOfCare => {
  const empty = emptyCourseOfCare();
  return {
    ...empty,
    mother: { ...empty.mother, ...mother },
    children: children.map((child) => ({ ...emptyChild(), ...child })),
  };
};

const rosa = { family_name: 'Marin', given_names: ['Rosa', 'Elena'] };
const born = { birth_date: '2026-03-12' };
const share = (
  one: CourseOfCare,
  other: CourseOfCare,
  offsetAt: OffsetAt | null = null,
): boolean => {
  const told = (course: CourseOfCare) =>
    buildFingerprintTexts(course, offsetAt).map(({ rule, text }) => `${rule} ${text}`);
  const texts = told(one);
  return told(other).some((text) => texts.includes(text));
};

for (const [name, one, other, expected] of [
  [
    'name comparison is case-insensitive',
    course(rosa, born),
    course({ ...rosa, family_name: 'MARIN' }, born),
    true,
  ],
  [
    'name comparison is whitespace-insensitive',
    course(rosa, born),
    course({ family_name: ' Ma rin ', given_names: ['Rosa\tElena'] }, born),
    true,
  ],
  [
    'compatibility forms are one',
    course({ family_name: 'Ｍａｒｉｎ' }, born),
    course({ family_name: 'Marin' }, born),
    true,
  ],
  [
    'composed and decomposed accents are one',
    course({ family_name: 'Mar\u00edn' }, born),
    course({ family_name: 'Mari\u0301n' }, born),
    true,
  ],
  ['ß is ss', course({ family_name: 'Groß' }, born), course({ family_name: 'GROSS' }, born), true],
  [
    'a final sigma is a sigma',
    course({ family_name: 'Παπας' }, born),
    course({ family_name: 'ΠΑΠΑΣ' }, born),
    true,
  ],
  [
    'another mother is another',
    course(rosa, born),
    course({ ...rosa, family_name: 'Marina' }, born),
    false,
  ],
  [
    'an accent makes another name',
    course(rosa, born),
    course({ ...rosa, family_name: 'Marín' }, born),
    false,
  ],
  [
    'family and given name do not run together',
    course({ family_name: 'Ab', given_names: ['c'] }, born),
    course({ family_name: 'A', given_names: ['bc'] }, born),
    false,
  ],
  [
    'another date is another birth',
    course(rosa, born),
    course(rosa, { birth_date: '2026-03-13' }),
    false,
  ],
  [
    'birth times compare in UTC',
    course(rosa, { birth_time: '2026-03-12T04:31:00-05:00' }),
    course(rosa, { birth_time: '2026-03-12T09:31:00Z' }),
    true,
  ],
  [
    'birth times compare to the minute',
    course(rosa, { birth_time: '2026-03-12T09:31:42.7Z' }),
    course(rosa, { birth_time: '2026-03-12T09:31:00Z' }),
    true,
  ],
  [
    'a local time is not the same as one in UTC',
    course(rosa, { birth_time: '2026-03-12T09:31:00' }),
    course(rosa, { birth_time: '2026-03-12T09:31:00Z' }),
    false,
  ],
  [
    'local times compare as they are',
    course(rosa, { birth_time: '2026-03-12T09:31:00' }),
    course(rosa, { birth_time: '2026-03-12T09:31' }),
    true,
  ],
  [
    'twins with different times do not share one',
    course(rosa, { ...born, birth_time: '2026-03-12T09:31:00Z' }),
    course(rosa, { ...born, birth_time: '2026-03-12T09:44:00Z' }),
    false,
  ],
  [
    'records share one when one child of several is the same',
    course(rosa, born, { birth_date: '2026-03-13' }),
    course(rosa, { birth_date: '2026-03-13' }),
    true,
  ],
] as const) {
  test(name, () => {
    assert.is(share(one, other), expected);
  });
}

for (const [name, one] of [
  ['without a name there is no duplicate check', course({}, born)],
  ['UNK is no name', course({ family_name: 'UNK', given_names: ['unk'] }, born)],
  ['a blank name is no name', course({ family_name: '  ', given_names: [' '] }, born)],
  ['without a newborn date/time there is none', course(rosa, {})],
  ['a partial date is none', course(rosa, { birth_date: '2026-03' })],
  ['without children there is none', course(rosa)],
] as const) {
  test(name, () => {
    assert.equal(buildFingerprintTexts(one, null), []);
  });
}

test('a family name or a given name alone suffices, by either rule', () => {
  assert.is(buildFingerprintTexts(course({ family_name: 'Marin' }, born), null).length, 2);
  assert.is(buildFingerprintTexts(course({ given_names: ['Rosa'] }, born), null).length, 2);
});

test('the children of one Bundle give one text for each distinct date/time and rule', () => {
  assert.is(
    buildFingerprintTexts(course(rosa, born, born, { birth_date: '2026-03-13' }), null).length,
    4,
  );
});

test('the mother’s official name counts, and the child’s birthDate where there is no time', () => {
  const bundle = birthBundle({ children: [{ birthTime: null }] });
  const text = 'marin\u001frosaelena\u001e2026-03-12';
  assert.equal(buildFingerprintTexts(courseOf(bundle), null), [
    { rule: 1, text },
    { rule: 2, text },
  ]);
});

test('a name that is only a text compares as its text', () => {
  const named = (text: string) =>
    courseOf(
      birthBundle({
        mother: null,
        more: [
          {
            resourceType: 'Patient',
            id: 'mother',
            meta: { profile: ['http://x.org/mother'] },
            name: [{ text }],
          },
        ],
      }),
    );
  assert.is(share(named('Rosa Marin'), named('rosa  MARIN')), true);
});

const oNeill = (apostrophe: string) => ({
  family_name: `O${apostrophe}Neill`,
  given_names: ['Ann-Marie'],
});

const byRule = (one: CourseOfCare, rule: number, isOtherSpelling: boolean) =>
  buildFingerprintTexts(one, null)
    .filter((text) => text.rule === rule && (text.isOtherSpelling === true) === isOtherSpelling)
    .map(({ text }) => text);

for (const apostrophe of ['’', '‘', '‛', 'ʼ', 'ʻ', '`', '´', '′', 'ꞌ', '՚'])
  test(`by the third rule O${apostrophe}Neill is O'Neill`, () => {
    const [plain, other] = [course(oNeill("'"), born), course(oNeill(apostrophe), born)];
    assert.equal(byRule(other, 3, false), byRule(plain, 3, false));
    assert.not.equal(byRule(other, 2, false), byRule(plain, 2, false));
  });

for (const hyphen of ['‐', '‑', '–', '—', '−', '－', '﹣', '־'])
  test(`by the third rule Ann${hyphen}Marie is Ann-Marie`, () => {
    const named = (given: string) => course({ family_name: 'Marin', given_names: [given] }, born);
    assert.is(share(named(`Ann${hyphen}Marie`), named('Ann-Marie')), true);
  });

for (const invisible of ['\u200c', '\u200d', '\u200b', '\u00ad', '\ufeff', '\u202e', '\u034f'])
  test(`by the third rule U+${invisible.codePointAt(0)?.toString(16)} in a name counts for nothing`, () => {
    const named = (family_name: string) => course({ family_name, given_names: ['ن'] }, born);
    assert.is(share(named(`می${invisible}نا`), named('مینا')), true);
  });

test('an apostrophe is no letter to leave out, and no hyphen', () => {
  assert.is(share(course(oNeill("'"), born), course(oNeill(''), born)), false);
  assert.is(share(course(oNeill("'"), born), course(oNeill('-'), born)), false);
});

test('a name in plain letters has no text of the third rule', () => {
  assert.equal(
    buildFingerprintTexts(course(rosa, born), null).map(({ rule }) => rule),
    [1, 2],
  );
});

test('what was told by the second rule is looked for in the usual spellings, to the minute', () => {
  const bornAt = (second: string) => ({ birth_time: `2026-03-12T04:31:${second}-05:00` });
  for (const [old, now] of [
    [oNeill('’'), oNeill("'")],
    [oNeill("'"), oNeill('’')],
    [oNeill('ʼ'), oNeill('’')],
    [oNeill('`'), oNeill("'")],
    [oNeill('´'), oNeill("'")],
    [
      { ...rosa, given_names: ['Ann‐Marie'] },
      { ...rosa, given_names: ['Ann-Marie'] },
    ],
  ] as const)
    assert.ok(
      byRule(course(now, bornAt('27')), 2, true).includes(
        byRule(course(old, bornAt('00')), 2, false)[0] ?? '',
      ),
      JSON.stringify([old, now]),
    );
});

/** A zone that is five hours behind in winter and four in summer. */
const eastern: OffsetAt = (local) => (local < '2026-03-08T02' ? '-05:00' : '-04:00');

for (const [name, one, other, expected] of [
  ['in UTC', '2026-03-12T04:31', '2026-03-12T08:31:27Z', true],
  ['with its offset', '2026-03-12T04:31', '2026-03-12T04:31:27-04:00', true],
  ['of another minute', '2026-03-12T04:31:59', '2026-03-12T08:32:00Z', false],
  ['of another season', '2026-03-12T04:31', '2026-03-12T09:31:00Z', false],
] as const)
  test(`a time without offset is read in the practice's time zone: ${name}`, () => {
    const [local, stated] = [{ birth_time: one }, { birth_time: other }];
    assert.is(share(course(rosa, local), course(rosa, stated), eastern), expected);
  });

for (const [which, stated] of [
  ['first', '2026-11-01T05:30:00Z'],
  ['second', '2026-11-01T06:30:00Z'],
] as const)
  test(`a local time that the clocks show twice looks like the ${which} of the two`, () => {
    const [local, known] = [{ birth_time: '2026-11-01T01:30' }, { birth_time: stated }];
    const offsetAt = createOffsetAt('America/New_York');
    assert.is(share(course(rosa, local), course(rosa, known), offsetAt), true);
    const [text] = buildFingerprintTexts(course(rosa, local), offsetAt).filter(
      ({ rule }) => rule === 2,
    );
    assert.match(text?.text ?? '', '2026-11-01T05:30:00Z');
  });

test('a local time that the zone does not tell the offset of stays as it is', () => {
  const [local, same] = [{ birth_time: '2026-03-12T04:31' }, { birth_time: '2026-03-12T04:31:20' }];
  assert.is(
    share(course(rosa, local), course(rosa, same), () => null),
    true,
  );
});

test('after a change of the time zone the same text of the time is the same birth still', () => {
  const local = course(rosa, { birth_time: '2026-03-12T04:31' });
  const texts = [eastern, () => '-07:00', null].map((offsetAt) =>
    buildFingerprintTexts(local, offsetAt),
  );
  assert.is(new Set(texts.map(([first]) => first?.text)).size, 1);
  assert.is(new Set(texts.map(([, second]) => second?.text)).size, 3);
});

for (const [rule, keyVersion, stored] of [
  [1, 1, 'hash'],
  [2, 1, '2:hash'],
  [1, 2, '1.k2:hash'],
  [2, 2, '2.k2:hash'],
  [2, 31, '2.k31:hash'],
  [3, 1, '3:hash'],
  [3, 2, '3.k2:hash'],
] as const)
  test(`by rule ${rule} under version ${keyVersion} of the key a hash is stored as ${stored}`, () => {
    assert.is(formatFingerprint(rule, keyVersion, 'hash'), stored);
    assert.is(isRuleV1(stored), rule === 1);
    assert.is(parseKeyVersion(stored), keyVersion);
  });

test('a course is compared by its fingerprints under all keys', () => {
  assert.equal(listFingerprints({ fingerprints: ['a'] }), ['a']);
  assert.equal(listFingerprints({ fingerprints: ['a'], olderFingerprints: ['b'] }), ['a', 'b']);
});

test('a course of care is identified by a name and a full date or time', () => {
  assert.is(hasFingerprintData(course(rosa, born)), true);
  assert.is(hasFingerprintData(course(rosa, { birth_time: '2026-03-12T04:31' })), true);
  assert.is(hasFingerprintData(course(rosa, {}, born)), true, 'that of one child is enough');
  assert.is(hasFingerprintData(course(rosa, { birth_date: '2026' })), false);
  assert.is(hasFingerprintData(course({}, born)), false);
});

test.run();
