import type { PracticeEvent } from '../domain/practice/events.ts';
import { type Handlers, patch, put, type ReadTable } from './projection.ts';

/** Row of `read.practice`. */
export interface PracticeRow {
  readonly practice_id: string;
  readonly name: string;
  readonly sandbox: boolean;
  readonly beta: boolean;
}

const practice: ReadTable = {
  name: 'practice',
  columns: {
    practice_id: 'text not null',
    name: 'text not null',
    sandbox: 'boolean not null',
    beta: 'boolean not null',
  },
  key: ['practice_id'],
  indexes: [],
};

/** The practices. */
export const practices = {
  name: 'practices',
  version: 2,
  tables: [practice],
  on: {
    PracticeCreated: (data) => [
      put('practice', {
        practice_id: data.practiceId,
        name: data.name,
        sandbox: data.sandbox,
        beta: data.beta,
      }),
    ],
    PracticeSandboxSet: ({ practiceId, sandbox }) => [
      patch('practice', { practice_id: practiceId }, { sandbox }),
    ],
    PracticeBetaSet: ({ practiceId, beta }) => [
      patch('practice', { practice_id: practiceId }, { beta }),
    ],
  } satisfies Handlers<PracticeEvent>,
};
