import type { CustomFieldEvent } from '../../../domain/custom-field/events.ts';
import type { Decision } from '../../../domain/decision.ts';
import {
  changeCustomField,
  type DefineCustomField,
  defineCustomField,
  restoreCustomField,
  retireCustomField,
} from '../../../domain/practice/custom-fields.ts';
import type { PracticeEvent } from '../../../domain/practice/events.ts';
import { evolve, type Practice, unknownPractice } from '../../../domain/practice/state.ts';
import { scenarios } from '../../support/scenarios.ts';

const practiceId = 'practice';
const fold = (events: readonly PracticeEvent[]): Practice =>
  events.reduce<Practice>(evolve, unknownPractice);

const created: PracticeEvent = {
  type: 'PracticeCreated',
  data: { practiceId, name: 'Cedar Birth Center', sandbox: false, beta: true },
};
const defined = (fieldId: string, label: string, order = 1): PracticeEvent => ({
  type: 'CustomFieldDefined',
  data: { practiceId, fieldId, label, type: 'choice', choices: ['Tub', 'Bed'], order },
});
const retired = (fieldId: string): PracticeEvent => ({
  type: 'CustomFieldRetired',
  data: { practiceId, fieldId },
});
const restored = (fieldId: string): PracticeEvent => ({
  type: 'CustomFieldRestored',
  data: { practiceId, fieldId },
});

const define =
  (changes: Partial<DefineCustomField> = {}) =>
  (practice: Practice): Decision<CustomFieldEvent> =>
    defineCustomField(
      {
        fieldId: 'f-1',
        type: 'choice',
        label: ' Where  exactly ',
        choices: ['Tub', ' Bed '],
        order: null,
        ...changes,
      },
      practice,
    );
const told = (decision: Decision<CustomFieldEvent>) =>
  decision.kind === 'refused' ? decision.code : decision.events.map(({ data }) => data);
const fifty = Array.from({ length: 50 }, (_, index) => defined(`f-${index}`, `Field ${index}`));

scenarios("defining a practice's own field", fold, [
  {
    name: 'it is known by its tidied label, behind the last one',
    given: [created, defined('f-0', 'Water temperature', 4)],
    when: (state) => told(define()(state)),
    expect: [
      {
        practiceId,
        fieldId: 'f-1',
        label: 'Where exactly',
        type: 'choice',
        choices: ['Tub', 'Bed'],
        order: 5,
      },
    ],
  },
  {
    name: 'the same field again changes nothing',
    given: [created, defined('f-1', 'Where exactly')],
    when: (state) => told(define()(state)),
    expect: [],
  },
  {
    name: 'a label that a live field has is refused, whatever its case',
    given: [created, defined('f-0', 'where exactly')],
    when: (state) => told(define()(state)),
    expect: 'label-taken',
  },
  {
    name: 'a label of a retired field is free',
    given: [created, defined('f-0', 'Where exactly'), retired('f-0')],
    when: (state) => define()(state).kind,
    expect: 'accepted',
  },
  {
    name: 'a fifty-first live field is refused',
    given: [created, ...fifty],
    when: (state) => define({ fieldId: 'new' })(state).kind,
    expect: 'refused',
  },
  {
    name: 'a choice of one answer, of the same answer twice, or of 51 is refused',
    given: [created],
    when: (state) =>
      [['Tub'], ['Tub', 'tub'], Array.from({ length: 51 }, (_, index) => `Answer ${index}`)].map(
        (choices) => define({ choices })(state).kind,
      ),
    expect: ['refused', 'refused', 'refused'],
  },
  {
    name: 'answers of a field that is no choice are refused',
    given: [created],
    when: (state) => told(define({ type: 'number' })(state)),
    expect: 'answers-without-choice',
  },
  {
    name: 'no label, or one of more than 100 characters, is refused',
    given: [created],
    when: (state) => [' ', 'x'.repeat(101)].map((label) => define({ label })(state).kind),
    expect: ['refused', 'refused'],
  },
  {
    name: 'an unknown practice is refused',
    given: [],
    when: (state) => told(define()(state)),
    expect: 'no-practice',
  },
]);

scenarios("changing a practice's own field", fold, [
  {
    name: 'it gets another label, another answer and another place; the answers there are stay',
    given: [created, defined('f-1', 'Where')],
    when: (state) =>
      told(
        changeCustomField(
          { fieldId: 'f-1', label: 'Where exactly', addedChoices: ['Floor'], order: 0 },
          state,
        ),
      ),
    expect: [
      {
        practiceId,
        fieldId: 'f-1',
        label: 'Where exactly',
        choices: ['Tub', 'Bed', 'Floor'],
        order: 0,
      },
    ],
  },
  {
    name: 'what holds already changes nothing',
    given: [created, defined('f-1', 'Where')],
    when: (state) =>
      told(
        changeCustomField(
          { fieldId: 'f-1', label: 'Where ', addedChoices: null, order: null },
          state,
        ),
      ),
    expect: [],
  },
  {
    name: 'an answer that is there already is refused',
    given: [created, defined('f-1', 'Where')],
    when: (state) =>
      changeCustomField({ fieldId: 'f-1', label: null, addedChoices: ['tub'], order: null }, state)
        .kind,
    expect: 'refused',
  },
  {
    name: 'a retired field is refused',
    given: [created, defined('f-1', 'Where'), retired('f-1')],
    when: (state) =>
      changeCustomField({ fieldId: 'f-1', label: 'So', addedChoices: null, order: null }, state)
        .kind,
    expect: 'refused',
  },
]);

scenarios("retiring and restoring a practice's own field", fold, [
  {
    name: 'it is retired',
    given: [created, defined('f-1', 'Where')],
    when: (state) => retireCustomField('f-1', state),
    expect: { kind: 'accepted', events: [retired('f-1')] },
  },
  {
    name: 'retiring it again changes nothing',
    given: [created, defined('f-1', 'Where'), retired('f-1')],
    when: (state) => told(retireCustomField('f-1', state)),
    expect: [],
  },
  {
    name: 'an unknown field is refused',
    given: [created],
    when: (state) => told(retireCustomField('f-1', state)),
    expect: 'no-field',
  },
  {
    name: 'it is asked for again',
    given: [created, defined('f-1', 'Where'), retired('f-1')],
    when: (state) => restoreCustomField('f-1', state),
    expect: { kind: 'accepted', events: [restored('f-1')] },
  },
  {
    name: 'restoring it again changes nothing',
    given: [created, defined('f-1', 'Where'), retired('f-1'), restored('f-1')],
    when: (state) => told(restoreCustomField('f-1', state)),
    expect: [],
  },
  {
    name: 'a live field that has its label keeps it out',
    given: [created, defined('f-1', 'Where'), retired('f-1'), defined('f-2', 'where')],
    when: (state) => restoreCustomField('f-1', state).kind,
    expect: 'refused',
  },
]);
