import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import { DAY, findStartOfDate, formatLocalDate, HOUR, type Moment } from './calendar.ts';
import { completeBirth } from './complete-birth.ts';
import { type BirthWindow, inventBirth } from './invent-birth.ts';
import { amendBirth } from './later-version.ts';
import { inventPractice, type Practice } from './practice.ts';
import { createRandom, type Random } from './random.ts';
import type { Birth, SenderStyle } from './sender-style.ts';
import type { Weights } from './weights.ts';

/** Reasons to send a report. A registry with all earlier reports responds to each differently. */
export const SUBMISSION_KINDS = [
  'birth',
  'amendment',
  'retraction by status',
  'retraction by DELETE',
  'revival',
  'suspected duplicate',
  'stale update',
] as const;

export type SubmissionKind = (typeof SUBMISSION_KINDS)[number];

export interface Submission {
  readonly kind: SubmissionKind;
  readonly birth: Birth;
  readonly stamp: Moment;
}

export interface SynthesisPlan {
  /** Number of new courses of care; amendments and the like are additional. */
  readonly courses: number;
  readonly seed: string;
  readonly lane: Lane;
  readonly year: number;
  /** Earlier date of the first births, `YYYY-MM-DD`; defaults to the start of the year. */
  readonly since?: string;
  /** Exclusive end of births and submissions, `YYYY-MM-DD`; `null` for the whole year. */
  readonly until: string | null;
  readonly practicePrefix: string;
  /** Defaults to `usual`. */
  readonly elements?: SenderStyle['elements'];
}

export const createPractice = ({ seed, practicePrefix }: SynthesisPlan): Practice =>
  inventPractice(createRandom(`${seed}/${practicePrefix}/practice`));

/**
 * Lazy, so that memory does not grow with the number of births. Each course of care has its own
 * source of randomness.
 */
export function* generateSubmissions(plan: SynthesisPlan): Generator<Submission, void> {
  const practice = createPractice(plan);
  const span = findSpan(plan, practice);
  const waiting = new Map<number, Submission[]>();
  for (let course = 0; course < plan.courses; course += 1) {
    const random = createRandom(`${plan.seed}/${plan.practicePrefix}/course/${course}`);
    const [first, ...later] = inventSubmissions(course, plan, practice, span, random);
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

/** Maximum number of courses before each follow-up. */
const FARTHEST = 60;

type Span = Pick<BirthWindow, 'from' | 'to'> & { readonly lastStamp: Moment };

// The last twin must also be born and reported within the span.
const ROOM_FOR_TWINS = HOUR;

const findSpan = ({ year, since, until }: SynthesisPlan, { region }: Practice): Span => {
  const from = findStartOfDate(since ?? `${year}-01-01`, region.zone);
  const yearEnd = findStartOfDate(`${year + 1}-01-01`, region.zone);
  if (until === null) return { from, to: yearEnd - ROOM_FOR_TWINS, lastStamp: yearEnd + 60 * DAY };
  const end = findStartOfDate(until, region.zone);
  return { from, to: Math.min(yearEnd, end) - ROOM_FOR_TWINS, lastStamp: end - 1 };
};

type Episode = 'plain' | Exclude<SubmissionKind, 'birth'> | 'amended twice' | 'duplicate voided';

// Our choice of shares, so that a hundred courses include most of them.
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

const inventSubmissions = (
  course: number,
  plan: SynthesisPlan,
  practice: Practice,
  span: Span,
  random: Random,
): readonly [Submission, ...Submission[]] => {
  // Approximately in order of birth.
  const about =
    span.from +
    Math.floor(((course + random.fraction()) / plan.courses) * ((span.to - span.from) / 60)) * 60;
  const chartNumber = buildChartNumber(course, plan, formatLocalDate(about, practice.region.zone));
  const { birth: invented, lastBornAt } = inventBirth(
    chartNumber,
    { about, ...span },
    practice,
    plan.lane,
    random,
  );
  const birth = plan.elements === 'all' ? completeBirth(invented, practice) : invented;
  // Random time within a limit, and before the end of the span.
  const after = (moment: Moment, longest: number): Moment =>
    moment +
    Math.floor(random.fraction() * Math.max(0, Math.min(longest, span.lastStamp - moment)));
  const firstStamp = after(lastBornAt, 6 * DAY);
  const first: Submission = { kind: 'birth', birth, stamp: firstStamp };
  return [first, ...inventFollowUps(first, random.weighted(EPISODES), practice, after, random)];
};

type After = (moment: Moment, longest: number) => Moment;

const inventFollowUps = (
  first: Submission,
  episode: Episode,
  practice: Practice,
  after: After,
  random: Random,
): readonly Submission[] => {
  const { birth } = first;
  const stamp = after(first.stamp, 20 * DAY);
  const next = after(stamp, 20 * DAY);
  const amended = (): Submission => ({
    kind: 'amendment',
    stamp,
    birth: amendBirth(birth, practice, random),
  });
  const voided = (of: Birth, at: Moment): Submission => ({
    kind: random.pick(['retraction by status', 'retraction by DELETE']),
    birth: of,
    stamp: at,
  });
  switch (episode) {
    case 'plain':
      return [];
    case 'amendment':
      return [amended()];
    case 'amended twice': {
      const second = amended();
      const third = amendBirth(second.birth, practice, random);
      return [second, { kind: 'amendment', birth: third, stamp: next }];
    }
    case 'suspected duplicate':
      return [{ kind: 'suspected duplicate', birth: enterAgain(birth), stamp }];
    case 'duplicate voided': {
      const again = enterAgain(birth);
      return [{ kind: 'suspected duplicate', birth: again, stamp }, voided(again, next)];
    }
    case 'stale update':
      // The client's queue delivers an old update late.
      return [{ ...first, kind: 'stale update', stamp: first.stamp - random.whole(60, 6 * HOUR) }];
    case 'retraction by status':
    case 'retraction by DELETE':
      return [{ kind: episode, birth, stamp }];
    case 'revival':
      return [voided(birth, stamp), { kind: 'revival', birth, stamp: next }];
  }
};

// The guide allows twelve characters, enough for 99,999 courses with a short prefix.
const buildChartNumber = (
  course: number,
  { practicePrefix }: SynthesisPlan,
  bornAbout: string,
): string => `${practicePrefix}-${bornAbout.slice(2, 4)}-${course + 1}`;

// Same birth under another chart number, as if registered twice.
const enterAgain = (birth: Birth): Birth => ({
  ...birth,
  course: { ...birth.course, chart_number: `${birth.course.chart_number}B` },
});
