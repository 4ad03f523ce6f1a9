import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isUnlikelyMatch } from '../../../../domain/birth-record/duplicates/match-score.ts';
import {
  type CourseOfCare,
  emptyChild,
  emptyCourseOfCare,
  emptyMother,
} from '../../../../domain/course/course.ts';

const MOTHER = {
  ...emptyMother(),
  family_name: 'Garcia',
  given_names: ['Maria'],
  birth_date: '1994-06-02',
  phone: '+15550100001',
  height_cm: 165,
};
const CHILD = {
  ...emptyChild(),
  birth_date: '2026-03-12',
  sex: 'female' as const,
  birth_weight_grams: 3_200,
  gestational_age_weeks: 39,
};
const garcia: CourseOfCare = {
  ...emptyCourseOfCare(),
  mother: MOTHER,
  children: [CHILD],
  place_of_birth: 'Hospital',
};
const another: CourseOfCare = {
  ...garcia,
  mother: { ...MOTHER, birth_date: '1987-11-30', phone: '+15550100002', height_cm: 158 },
  children: [{ ...CHILD, sex: 'male', birth_weight_grams: 2_650, gestational_age_weeks: 36 }],
};

test('another mother of the same name and day is told from one birth entered twice', () => {
  const rows: readonly [string, CourseOfCare, boolean][] = [
    ['the same birth', garcia, false],
    [
      'one weight mistyped',
      { ...garcia, children: [{ ...CHILD, birth_weight_grams: 3_020 }] },
      false,
    ],
    ['everything but the place differs', another, true],
    [
      'too little to go by',
      { ...another, children: [], mother: { ...MOTHER, height_cm: 1 } },
      false,
    ],
  ];
  for (const [name, other, expected] of rows)
    assert.is(isUnlikelyMatch(garcia, other), expected, name);
});

test.run();
