import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { BirthStory, ChildFacts } from '../../scripts/synthesis/birth-story.ts';
import { localDate } from '../../scripts/synthesis/calendar.ts';
import {
  practiceOf,
  type SynthesisPlan,
  submissionsOf,
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

type Baby = { readonly story: BirthStory; readonly child: ChildFacts };

const stories = [...submissionsOf(plan)].flatMap(({ kind, story }) =>
  kind === 'birth' ? [story] : [],
);
const babies: readonly Baby[] = stories.flatMap((story) =>
  story.children.filter(({ stillborn }) => !stillborn).map((child) => ({ story, child })),
);

const share = (of: readonly Baby[], is: (baby: Baby) => boolean): number =>
  of.filter(is).length / of.length;

// Tolerances are three to four standard deviations of a run of this size.
const ROWS: readonly (readonly [keyof typeof US_SHARES, number, (baby: Baby) => boolean])[] = [
  ['cesarean', 0.013, ({ story }) => story.labor.method === 'cesarean'],
  ['preterm', 0.009, ({ story }) => story.pregnancy.days < 37 * 7],
  ['lowBirthWeight', 0.009, ({ child }) => child.grams < 2500],
  ['twins', 0.006, ({ story }) => story.children.length === 2],
  ['triplets', 0.0013, ({ story }) => story.children.length === 3],
  ['boys', 0.013, ({ child }) => child.sex === 'male'],
  ['hospital', 0.004, ({ story }) => story.labor.place === 'Hospital'],
  ['home', 0.0035, ({ story }) => story.labor.place === 'Home'],
  ['birthCenter', 0.002, ({ story }) => story.labor.place === 'Birth center'],
  ['induced', 0.013, ({ story }) => story.labor.inductionAgents.length > 0],
  ['assisted', 0.005, ({ story }) => ['forceps', 'vacuum'].includes(story.labor.method)],
  ['smoked', 0.005, ({ story }) => story.pregnancy.cigarettes[1] > 0],
  ['intensiveCare', 0.009, ({ child }) => child.intensiveCare],
  ['lowApgar', 0.004, ({ child }) => (child.apgarFive ?? 10) < 7],
];

const shares = suite('shares of 20,000 synthetic courses of care');

for (const [name, tolerance, is] of ROWS)
  shares(`${name} comes within ${tolerance} of the published ${US_SHARES[name]}`, () => {
    const found = share(babies, is);
    assert.ok(Math.abs(found - US_SHARES[name]) <= tolerance, `${found.toFixed(4)}`);
  });

const mean = (of: readonly Baby[]): number =>
  of.reduce((sum, { child }) => sum + child.grams, 0) / of.length;

shares('weight depends on gestation, sex and plurality', () => {
  const single = babies.filter(({ story }) => story.children.length === 1);
  const inWeek = (of: readonly Baby[], week: number) =>
    of.filter(({ story }) => Math.floor(story.pregnancy.days / 7) === week);
  assert.ok(mean(inWeek(single, 40)) > mean(inWeek(single, 37)) + 400);
  const ofSex = (sex: string) => inWeek(single, 39).filter(({ child }) => child.sex === sex);
  assert.ok(mean(ofSex('male')) > mean(ofSex('female')) + 60);
  const twins = babies.filter(({ story }) => story.children.length === 2);
  assert.ok(mean(inWeek(twins, 36)) < mean(inWeek(single, 36)) - 100);
});

shares('babies who come early have low scores and intensive care more often', () => {
  const early = babies.filter(({ story }) => story.pregnancy.days < 32 * 7);
  const term = babies.filter(({ story }) => story.pregnancy.days >= 37 * 7);
  const low = ({ child }: Baby) => (child.apgarFive ?? 10) < 7;
  assert.ok(share(early, low) > 5 * share(term, low));
  assert.ok(share(early, ({ child }) => child.intensiveCare) > 0.8);
  assert.ok(share(term, ({ child }) => child.intensiveCare) < 0.07);
});

shares('nobody has a cesarean outside of a hospital', () => {
  assert.ok(
    stories.every(({ labor }) => labor.method !== 'cesarean' || labor.place === 'Hospital'),
  );
});

shares('all are born in the year, and nearly in order', () => {
  const { zone } = practiceOf(plan).region;
  const dates = stories.flatMap(({ children }) =>
    children.map(({ bornAt }) => localDate(bornAt, zone)),
  );
  assert.ok(dates.every((date) => date.startsWith('2025-')));
  assert.is(new Set(dates.map((date) => date.slice(0, 7))).size, 12);
});

shares('nothing is born or sent on the date that --until names, or later', () => {
  const until = '2025-02-10';
  const { zone } = practiceOf(plan).region;
  for (const { stamp, story } of submissionsOf({ ...plan, courses: 400, until })) {
    assert.ok(localDate(stamp, zone) < until);
    for (const { bornAt } of story.children) assert.ok(localDate(bornAt, zone) < until);
  }
});

shares('one seed tells the same births in both lanes', () => {
  const told = (lane: SynthesisPlan['lane']) =>
    [...submissionsOf({ ...plan, courses: 60, lane })].map(({ kind, stamp, story }) => {
      const { wording: _, ...facts } = story;
      return { kind, stamp, facts };
    });
  assert.equal(told('native'), told('partner'));
});

shares('names have marks and particles, telephone numbers are fictitious', () => {
  assert.ok(stories.some(({ mother }) => /\p{Lu}\p{Ll}*[áéíóúñ]/u.test(mother.family)));
  assert.ok(stories.some(({ mother }) => mother.family.length > 20));
  assert.ok(stories.every(({ mother }) => /-555-01\d\d$/.test(mother.phone)));
});

shares.run();
