import type { BirthStory, ChildFacts } from './birth-story.ts';
import { nameOriginOf } from './mothers.ts';
import { childNames } from './names.ts';
import type { Practice } from './practice.ts';
import type { Random } from './random.ts';
import { homeIn, phoneIn } from './region.ts';

type Change = (story: BirthStory, practice: Practice, random: Random) => BirthStory;

const CORRECTED_GRAMS = 240;

/** Amends a birth: completes, corrects, or updates it. */
export const laterVersion: Change = (story, practice, random) => {
  const isUnnamed = story.children.some(({ given, living }) => given.length === 0 && living);
  const changes: readonly Change[] = [
    completed,
    weighedAgain,
    movedHouse,
    ...(isUnnamed ? [named, named] : []),
  ];
  return random.pick(changes)(story, practice, random);
};

const completed: Change = (story) => ({
  ...story,
  wording: { ...story.wording, missing: new Set(), slip: null },
});

const weighedAgain: Change = (story, _practice, random) => {
  const change = random.whole(20, CORRECTED_GRAMS) * random.pick([-1, 1]);
  return withChildren(story, (child) =>
    child.order === 1 ? { ...child, grams: Math.max(child.grams + change, 200) } : child,
  );
};

const movedHouse: Change = (story, { region }, random) => ({
  ...story,
  mother: { ...story.mother, home: homeIn(region, random), phone: phoneIn(region, random) },
});

const named: Change = (story, _practice, random) =>
  withChildren(story, (child) =>
    child.given.length === 0 && child.living
      ? { ...child, given: childNames(nameOriginOf(story.mother), child.sex, random) }
      : child,
  );

const withChildren = (
  story: BirthStory,
  change: (child: ChildFacts) => ChildFacts,
): BirthStory => ({ ...story, children: story.children.map(change) });
