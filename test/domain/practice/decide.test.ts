import { createPractice, type PracticeDecision } from '../../../domain/practice/decide.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const fold = (events: readonly PracticeEvent[]): Practice =>
  events.reduce<Practice>(evolve, unknownPractice);

const create = (name: string): PracticeDecision =>
  createPractice({ practiceId: 'practice', name, sandbox: true, beta: false });

scenarios('creating a practice', fold, [
  {
    name: 'it is known by its trimmed name and its flags',
    given: [],
    when: () => create('  Cedar Birth Center '),
    expect: {
      kind: 'accepted',
      events: [
        {
          type: 'PracticeCreated',
          data: {
            ...{ practiceId: 'practice', name: 'Cedar Birth Center' },
            ...{ sandbox: true, beta: false },
          },
        },
      ],
    },
  },
  { name: 'a blank name is refused', given: [], when: () => create('  ').kind, expect: 'refused' },
  {
    name: 'a name of more than 200 characters is refused',
    given: [],
    when: () => create('x'.repeat(201)).kind,
    expect: 'refused',
  },
]);
