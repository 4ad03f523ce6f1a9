import type { Lane } from '../../domain/intake/bfdr/place-of-birth.ts';
import type { BirthStory } from './birth-story.ts';
import { DAY, HOUR, localDate, type Moment, startOfDate } from './calendar.ts';
import { laterVersion } from './later-version.ts';
import { type Practice, practiceFrom } from './practice.ts';
import { type Random, randomFrom } from './random.ts';
import { type BirthWindow, tellBirth } from './tell-birth.ts';
import type { Weights } from './weights.ts';

/** Why something is sent. A registry that has seen all before it answers each in its own way. */
export const SUBMISSION_KINDS = [
  'birth',
  'amendment',
  'retraction by status',
  'retraction by DELETE',
  'revival',
  'suspected duplicate',
  'stale update',
] as const;

/** One of the reasons for sending. */
export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

/** One report that is sent: why, what it tells, and its stamp (`meta.lastUpdated`). */
export interface Submission {
  readonly kind: SubmissionKind;
  readonly story: BirthStory;
  readonly stamp: Moment;
}

/** What is made up. */
export interface SynthesisPlan {
  /** Courses of care that are begun; amendments and the like come on top. */
  readonly courses: number;
  readonly seed: string;
  readonly lane: Lane;
  readonly year: number;
  /** The births begin on this earlier date instead, `YYYY-MM-DD`; left out: with the year. */
  readonly since?: string;
  /** Nothing is born or sent from this date on, `YYYY-MM-DD`; null for the whole year. */
  readonly until: string | null;
  readonly practicePrefix: string;
}

/** The practice that a plan is about. */
export const practiceOf = ({ seed, practicePrefix }: SynthesisPlan): Practice =>
  practiceFrom(practicePrefix, randomFrom(`${seed}/${practicePrefix}/practice`));

/**
 * Everything that a practice sends, in the order of sending: births through the year, and between
 * later ones what follows on the earlier. One after the other: a million births need no more memory
 * than a hundred. Each course of care has a source of randomness of its own.
 */
export function* submissionsOf(plan: SynthesisPlan): Generator<Submission, void> {
  const practice = practiceOf(plan);
  const span = spanOf(plan, practice);
  const waiting = new Map<number, Submission[]>();
  for (let course = 0; course < plan.courses; course += 1) {
    const random = randomFrom(`${plan.seed}/${plan.practicePrefix}/course/${course}`);
    const [first, ...later] = courseOfEvents(course, plan, practice, span, random);
    yield first;
    let due = course;
    for (const submission of later) {
      due += random.whole(1, FARTHEST);
      waiting.set(due, [...(waiting.get(due) ?? []), submission]);
    }
    yield* waiting.get(course) ?? [];
    waiting.delete(course);
  }
  for (const due of [...waiting.keys()].sort((a, b) => a - b)) yield* waiting.get(due) ?? [];
}

/** The most courses that are begun before something follows on one. */
const FARTHEST = 60;

type Span = Pick<BirthWindow, 'from' | 'to'> & { readonly lastStamp: Moment };

// The youngest twin is born, and reported, within the span.
const ROOM_FOR_TWINS = HOUR;

const spanOf = ({ year, since, until }: SynthesisPlan, { region }: Practice): Span => {
  const from = startOfDate(since ?? `${year}-01-01`, region.zone);
  const yearEnd = startOfDate(`${year + 1}-01-01`, region.zone);
  if (until === null) return { from, to: yearEnd - ROOM_FOR_TWINS, lastStamp: yearEnd + 60 * DAY };
  const end = startOfDate(until, region.zone);
  return { from, to: Math.min(yearEnd, end) - ROOM_FOR_TWINS, lastStamp: end - 1 };
};

type Episode = 'plain' | Exclude<SubmissionKind, 'birth'> | 'amended twice' | 'duplicate voided';

// Shares of our choice: so that a hundred courses show most of them.
const EPISODES: Weights<Episode> = [
  ['plain', 85],
  ['amendment', 7],
  ['amended twice', 1.5],
  ['suspected duplicate', 1.5],
  ['duplicate voided', 0.8],
  ['stale update', 1.2],
  ['retraction by status', 1],
  ['retraction by DELETE', 1],
  ['revival', 1],
];

const courseOfEvents = (
  course: number,
  plan: SynthesisPlan,
  practice: Practice,
  span: Span,
  random: Random,
): readonly [Submission, ...Submission[]] => {
  // In the order of birth, with some disorder.
  const about =
    span.from +
    Math.floor(((course + random.fraction()) / plan.courses) * ((span.to - span.from) / 60)) * 60;
  const chartNumber = chartNumberOf(course, plan, localDate(about, practice.region.zone));
  const story = tellBirth(chartNumber, { about, ...span }, practice, plan.lane, random);
  const bornAt = story.children.at(-1)?.bornAt ?? about;
  // After one thing the next: within so long, and before the end of the span.
  const after = (moment: Moment, longest: number): Moment =>
    moment +
    Math.floor(random.fraction() * Math.max(0, Math.min(longest, span.lastStamp - moment)));
  const firstStamp = after(bornAt, 6 * DAY);
  const first: Submission = { kind: 'birth', story, stamp: firstStamp };
  return [first, ...followUps(first, random.weighted(EPISODES), practice, after, random)];
};

type After = (moment: Moment, longest: number) => Moment;

const followUps = (
  first: Submission,
  episode: Episode,
  practice: Practice,
  after: After,
  random: Random,
): readonly Submission[] => {
  const { story } = first;
  const stamp = after(first.stamp, 20 * DAY);
  const next = after(stamp, 20 * DAY);
  const amended = (): Submission => ({
    kind: 'amendment',
    stamp,
    story: laterVersion(story, practice, random),
  });
  const voided = (of: BirthStory, at: Moment): Submission => ({
    kind: random.pick(['retraction by status', 'retraction by DELETE']),
    story: of,
    stamp: at,
  });
  switch (episode) {
    case 'plain':
      return [];
    case 'amendment':
      return [amended()];
    case 'amended twice': {
      const second = amended();
      const third = laterVersion(second.story, practice, random);
      return [second, { kind: 'amendment', story: third, stamp: next }];
    }
    case 'suspected duplicate':
      return [{ kind: 'suspected duplicate', story: enteredAgain(story), stamp }];
    case 'duplicate voided': {
      const again = enteredAgain(story);
      return [{ kind: 'suspected duplicate', story: again, stamp }, voided(again, next)];
    }
    case 'stale update':
      // A queue of the sender's gives out what it held back.
      return [{ ...first, kind: 'stale update', stamp: first.stamp - random.whole(60, 6 * HOUR) }];
    case 'retraction by status':
    case 'retraction by DELETE':
      return [{ kind: episode, story, stamp }];
    case 'revival':
      return [voided(story, stamp), { kind: 'revival', story, stamp: next }];
  }
};

// The guide takes no more than twelve characters: with a short prefix there is room for 99,999 courses.
const chartNumberOf = (
  course: number,
  { practicePrefix }: SynthesisPlan,
  bornAbout: string,
): string => `${practicePrefix}-${bornAbout.slice(2, 4)}-${course + 1}`;

// The same birth under another chart number: registered once more at another desk.
const enteredAgain = (story: BirthStory): BirthStory => ({
  ...story,
  chartNumber: `${story.chartNumber}B`,
});
