import type { Lane } from '../../domain/mapping/bfdr/place-of-birth.ts';
import type { Practice } from '../synthesis/practice.ts';
import {
  createPractice,
  generateSubmissions,
  type Submission,
  type SynthesisPlan,
} from '../synthesis/submissions.ts';

/** Source of a birth: one of two systems, or a person at the practice. */
export type Sender = Lane | 'person';

export interface DemoBirths {
  readonly practice: Practice;
  readonly by: Readonly<Record<Sender, readonly Submission[]>>;
}

export interface BirthOrder {
  readonly chartPrefix: string;
  readonly coursesPerYear: number;
  /** Senders of the courses of care, in rotation. */
  readonly turns: readonly Sender[];
}

const DAYS_IN_YEAR = 365;
const DAY_MS = 86_400_000;

/** From the start of last year, so that one year is complete. @param today `YYYY-MM-DD` */
export const makeDemoBirths = (order: BirthOrder, today: string): DemoBirths => {
  const plan = buildPlan(order, today);
  const submissions = [...generateSubmissions(plan)];
  const of = (sender: Sender) =>
    submissions.filter(
      ({ birth }) => chooseSender(birth.course.chart_number ?? '', order.turns) === sender,
    );
  return {
    practice: createPractice(plan),
    by: {
      native: of('native'),
      partner: of('partner'),
      // A person enters a birth only once, from paper.
      person: of('person').filter(({ kind }) => kind === 'birth'),
    },
  };
};

const buildPlan = ({ chartPrefix, coursesPerYear }: BirthOrder, today: string): SynthesisPlan => {
  const year = Number(today.slice(0, 4));
  const since = `${year - 1}-01-01`;
  const years = (Date.parse(today) - Date.parse(since)) / DAY_MS / DAYS_IN_YEAR;
  return {
    courses: Math.floor(coursesPerYear * years),
    seed: 'demo',
    lane: 'native',
    year,
    since,
    until: today,
    practicePrefix: chartPrefix,
  };
};

// By chart number, so that amendments have the sender of their birth.
const chooseSender = (chartNumber: string, turns: readonly Sender[]): Sender => {
  const course = Number(/-(\d+)(?:-B)?$/.exec(chartNumber)?.[1]);
  return turns[course % turns.length] ?? 'native';
};
