import type { Child } from '../../domain/course/course.ts';
import { findNameOrigin } from './mothers.ts';
import { inventChildNames } from './newborns.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import { inventHome, inventPhone } from './region.ts';
import type { Birth } from './sender-style.ts';

type Change = (birth: Birth, practice: Practice, random: Random) => Birth;

const CORRECTED_GRAMS = 240;

export const amendBirth: Change = (birth, practice, random) => {
  const changes: readonly Change[] = [
    complete,
    correctWeight,
    moveHouse,
    ...(birth.course.children.some(isUnnamed) ? [nameChildren, nameChildren] : []),
  ];
  return random.pick(changes)(birth, practice, random);
};

const isUnnamed = ({ given_names, living }: Child): boolean =>
  given_names.length === 0 && living === true;

const complete: Change = (birth) => ({
  ...birth,
  style: { ...birth.style, missing: new Set(), slip: null },
});

const correctWeight: Change = (birth, _practice, random) => {
  const change = random.whole(20, CORRECTED_GRAMS) * random.pick([-1, 1]);
  return changeChildren(birth, ({ birth_weight_grams: grams, ...child }, at) => ({
    ...child,
    birth_weight_grams: at === 0 ? Math.max((grams ?? 0) + change, 200) : grams,
  }));
};

const moveHouse: Change = (birth, { region }, random) => {
  const { course } = birth;
  const moved = { address: inventHome(region, random), phone: inventPhone(region, random) };
  return { ...birth, course: { ...course, mother: { ...course.mother, ...moved } } };
};

const nameChildren: Change = (birth, _practice, random) => {
  const origin = findNameOrigin(birth.course.mother);
  return changeChildren(birth, (child) =>
    isUnnamed(child)
      ? { ...child, given_names: inventChildNames(origin, child.sex, random) }
      : child,
  );
};

const changeChildren = (birth: Birth, change: (child: Child, at: number) => Child): Birth => ({
  ...birth,
  course: { ...birth.course, children: birth.course.children.map(change) },
});
