import type { Child } from '../../domain/course/course.ts';
import { nameOriginOf } from './mothers.ts';
import { childNames } from './newborns.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import { homeIn, phoneIn } from './region.ts';
import type { Birth } from './sender-style.ts';

type Change = (birth: Birth, practice: Practice, random: Random) => Birth;

const CORRECTED_GRAMS = 240;

/** Amends a birth: completes, corrects, or updates it. */
export const laterVersion: Change = (birth, practice, random) => {
  const changes: readonly Change[] = [
    completed,
    weighedAgain,
    movedHouse,
    ...(birth.course.children.some(isUnnamed) ? [named, named] : []),
  ];
  return random.pick(changes)(birth, practice, random);
};

const isUnnamed = ({ given_names, living }: Child): boolean =>
  given_names.length === 0 && living === true;

const completed: Change = (birth) => ({
  ...birth,
  style: { ...birth.style, missing: new Set(), slip: null },
});

const weighedAgain: Change = (birth, _practice, random) => {
  const change = random.whole(20, CORRECTED_GRAMS) * random.pick([-1, 1]);
  return withChildren(birth, ({ birth_weight_grams: grams, ...child }, at) => ({
    ...child,
    birth_weight_grams: at === 0 ? Math.max((grams ?? 0) + change, 200) : grams,
  }));
};

const movedHouse: Change = (birth, { region }, random) => {
  const { course } = birth;
  const moved = { address: homeIn(region, random), phone: phoneIn(region, random) };
  return { ...birth, course: { ...course, mother: { ...course.mother, ...moved } } };
};

const named: Change = (birth, _practice, random) => {
  const origin = nameOriginOf(birth.course.mother);
  return withChildren(birth, (child) =>
    isUnnamed(child) ? { ...child, given_names: childNames(origin, child.sex, random) } : child,
  );
};

const withChildren = (birth: Birth, change: (child: Child, at: number) => Child): Birth => ({
  ...birth,
  course: { ...birth.course, children: birth.course.children.map(change) },
});
