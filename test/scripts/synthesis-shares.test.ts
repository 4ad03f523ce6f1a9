import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CESAREAN, VAGINAL_SPONTANEOUS } from '../../domain/course/codes.ts';
import type { Child, CourseOfCare } from '../../domain/course/course.ts';
import { toGestationDays } from '../../domain/course/gestational-age.ts';
import { formatLocalDate } from '../../scripts/synthesis/calendar.ts';
import {
  createPractice,
  generateSubmissions,
  type SynthesisPlan,
} from '../../scripts/synthesis/submissions.ts';
import { US_SHARES } from '../../scripts/synthesis/us-figures.ts';

const plan: SynthesisPlan = {
  courses: 20_000,
  seed: 'shares',
  lane: 'native',
  year: 2025,
  until: null,
  practicePrefix: 'SYN',
};

type Baby = { readonly course: CourseOfCare; readonly child: Child };

const courses = [...generateSubmissions(plan)].flatMap(({ kind, birth }) =>
  kind === 'birth' ? [birth.course] : [],
);
const babies: readonly Baby[] = courses.flatMap((course) =>
  course.children
    .filter(({ fetal_death }) => fetal_death === false)
    .map((child) => ({ course, child })),
);
const daysOf = (child: Child): number => toGestationDays(child) ?? 0;

const share = (of: readonly Baby[], is: (baby: Baby) => boolean): number =>
  of.filter(is).length / of.length;

// Tolerances are three to four standard deviations of a run of this size.
const ROWS: readonly (readonly [keyof typeof US_SHARES, number, (baby: Baby) => boolean])[] = [
  ['cesarean', 0.013, ({ course }) => course.delivery_method === CESAREAN],
  ['preterm', 0.009, ({ child }) => daysOf(child) < 37 * 7],
  ['lowBirthWeight', 0.009, ({ child }) => (child.birth_weight_grams ?? 0) < 2500],
  ['twins', 0.006, ({ course }) => course.children.length === 2],
  ['triplets', 0.0013, ({ course }) => course.children.length === 3],
  ['boys', 0.013, ({ child }) => child.sex === 'male'],
  ['hospital', 0.004, ({ course }) => course.place_of_birth === 'Hospital'],
  ['home', 0.0035, ({ course }) => course.place_of_birth === 'Home'],
  ['birthCenter', 0.002, ({ course }) => course.place_of_birth === 'Birth center'],
  ['induced', 0.013, ({ course }) => course.induction_agents.length > 0],
  [
    'assisted',
    0.005,
    ({ course }) => ![CESAREAN, VAGINAL_SPONTANEOUS].includes(course.delivery_method ?? ''),
  ],
  ['smoked', 0.005, ({ course }) => (course.cigarettes_first_trimester ?? 0) > 0],
  ['intensiveCare', 0.009, ({ child }) => child.nicu_admission === true],
  ['lowApgar', 0.004, ({ child }) => (child.apgar_five_minute ?? 10) < 7],
];

const shares = suite('shares of 20,000 synthetic courses of care');

for (const [name, tolerance, is] of ROWS)
  shares(`${name} comes within ${tolerance} of the published ${US_SHARES[name]}`, () => {
    const found = share(babies, is);
    assert.ok(Math.abs(found - US_SHARES[name]) <= tolerance, `${found.toFixed(4)}`);
  });

const mean = (of: readonly Baby[]): number =>
  of.reduce((sum, { child }) => sum + (child.birth_weight_grams ?? 0), 0) / of.length;

shares('weight depends on gestation, sex and plurality', () => {
  const single = babies.filter(({ course }) => course.children.length === 1);
  const inWeek = (of: readonly Baby[], week: number) =>
    of.filter(({ child }) => child.gestational_age_weeks === week);
  assert.ok(mean(inWeek(single, 40)) > mean(inWeek(single, 37)) + 400);
  const ofSex = (sex: string) => inWeek(single, 39).filter(({ child }) => child.sex === sex);
  assert.ok(mean(ofSex('male')) > mean(ofSex('female')) + 60);
  const twins = babies.filter(({ course }) => course.children.length === 2);
  assert.ok(mean(inWeek(twins, 36)) < mean(inWeek(single, 36)) - 100);
});

shares('babies who come early have low scores and intensive care more often', () => {
  const early = babies.filter(({ child }) => daysOf(child) < 32 * 7);
  const term = babies.filter(({ child }) => daysOf(child) >= 37 * 7);
  const low = ({ child }: Baby) => (child.apgar_five_minute ?? 10) < 7;
  assert.ok(share(early, low) > 5 * share(term, low));
  assert.ok(share(early, ({ child }) => child.nicu_admission === true) > 0.8);
  assert.ok(share(term, ({ child }) => child.nicu_admission === true) < 0.07);
});

shares('nobody has a cesarean outside of a hospital', () => {
  assert.ok(
    courses.every(
      (course) => course.delivery_method !== CESAREAN || course.place_of_birth === 'Hospital',
    ),
  );
});

shares('all are born in the year, and nearly in order', () => {
  const dates = courses.flatMap(({ children }) =>
    children.map(({ birth_date }) => birth_date ?? ''),
  );
  assert.ok(dates.every((date) => date.startsWith('2025-')));
  assert.is(new Set(dates.map((date) => date.slice(0, 7))).size, 12);
});

shares('nothing is born or sent on the date that --until names, or later', () => {
  const until = '2025-02-10';
  const { zone } = createPractice(plan).region;
  for (const { stamp, birth } of generateSubmissions({ ...plan, courses: 400, until })) {
    assert.ok(formatLocalDate(stamp, zone) < until);
    for (const { birth_date } of birth.course.children) assert.ok((birth_date ?? until) < until);
  }
});

shares('one seed tells the same births in both lanes', () => {
  const told = (lane: SynthesisPlan['lane']) =>
    [...generateSubmissions({ ...plan, courses: 60, lane })].map(({ kind, stamp, birth }) => {
      const { style: _, ...facts } = birth;
      return { kind, stamp, facts };
    });
  assert.equal(told('native'), told('partner'));
});

shares('names have marks and particles, telephone numbers are fictitious', () => {
  assert.ok(courses.some(({ mother }) => /\p{Lu}\p{Ll}*[áéíóúñ]/u.test(mother.family_name ?? '')));
  assert.ok(courses.some(({ mother }) => (mother.family_name ?? '').length > 20));
  assert.ok(courses.every(({ mother }) => /-555-01\d\d$/.test(mother.phone ?? '')));
});

shares.run();
