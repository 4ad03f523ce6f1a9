import { BINDABLE_ITEMS } from '../../../domain/custom-field/bindable-items.ts';
import type { CustomFieldEvent } from '../../../domain/custom-field/events.ts';
import type { Decision } from '../../../domain/decision.ts';
import {
  bindCustomField,
  changeCustomField,
  type DefineCustomField,
  defineCertificateField,
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
const hundred = Array.from({ length: 100 }, (_, index) => defined(`f-${index}`, `Field ${index}`));

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
    name: 'a hundred-and-first live field is refused',
    given: [created, ...hundred],
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

const answering = (fieldId: string, choices: readonly string[]): PracticeEvent => ({
  type: 'CustomFieldDefined',
  data: { practiceId, fieldId, label: `Field ${fieldId}`, type: 'choice', choices, order: 1 },
});
const typed = (fieldId: string, type: 'text' | 'number' | 'date'): PracticeEvent => ({
  type: 'CustomFieldDefined',
  data: { practiceId, fieldId, label: `Field ${fieldId}`, type, choices: [], order: 1 },
});
const bound = (fieldId: string, item: string | null): PracticeEvent => ({
  type: 'CustomFieldBound',
  data: { practiceId, fieldId, item },
});
const married = answering('f-1', ['Yes', 'No', 'Unknown']);
const bind =
  (fieldId: string, item: string | null) =>
  (practice: Practice): unknown =>
    told(bindCustomField(fieldId, item, practice));

scenarios('adding a field of the birth certificate', fold, [
  {
    name: 'it has the type, the words, and the answers of its item',
    given: [created],
    when: (state) =>
      told(defineCertificateField({ fieldId: 'f-1', item: 'SSN_REQ', label: ' ' }, state)),
    expect: [
      {
        practiceId,
        fieldId: 'f-1',
        label: 'Social Security number requested for the child',
        type: 'choice',
        choices: ['Yes', 'No'],
        order: 1,
      },
      { practiceId, fieldId: 'f-1', item: 'SSN_REQ' },
    ],
  },
  {
    name: 'another label is used',
    given: [created],
    when: (state) =>
      told(defineCertificateField({ fieldId: 'f-1', item: 'HOSP', label: 'Hospital' }, state)),
    expect: [
      { practiceId, fieldId: 'f-1', label: 'Hospital', type: 'text', choices: [], order: 1 },
      { practiceId, fieldId: 'f-1', item: 'HOSP' },
    ],
  },
  {
    name: 'every item makes a field that fits it',
    given: [created],
    when: (state) =>
      BINDABLE_ITEMS.map(({ id }) => {
        const decided = defineCertificateField({ fieldId: 'f-1', item: id, label: '' }, state);
        const events = decided.kind === 'accepted' ? decided.events : [];
        const [definition] = events;
        const unbound = definition === undefined ? state : evolve(state, definition);
        return events.length === 2 ? bindCustomField('f-1', id, unbound).kind : decided;
      }),
    expect: BINDABLE_ITEMS.map(() => 'accepted'),
  },
  {
    name: 'the same field again changes nothing',
    given: [created, married, bound('f-1', 'MARN')],
    when: (state) =>
      told(defineCertificateField({ fieldId: 'f-1', item: 'MARN', label: '' }, state)),
    expect: [],
  },
  {
    name: 'an item of a live field is refused, that of a retired one is free',
    given: [
      created,
      married,
      bound('f-1', 'MARN'),
      typed('f-2', 'text'),
      bound('f-2', 'HOSP'),
      retired('f-2'),
    ],
    when: (state) =>
      ['MARN', 'HOSP'].map((item) => {
        const decided = defineCertificateField({ fieldId: 'f-3', item, label: 'New' }, state);
        return decided.kind === 'refused' ? decided.code : decided.events.length;
      }),
    expect: ['certificate-item-taken', 2],
  },
  {
    name: 'a label that is taken, an item that is not offered, and an unknown practice are refused',
    given: [created, typed('f-1', 'text')],
    when: (state) => [
      told(defineCertificateField({ fieldId: 'f-2', item: 'HOSP', label: 'Field f-1' }, state)),
      told(defineCertificateField({ fieldId: 'f-2', item: 'KIDFNAME', label: '' }, state)),
      told(defineCertificateField({ fieldId: 'f-2', item: 'HOSP', label: '' }, unknownPractice)),
    ],
    expect: ['label-taken', 'no-such-certificate-item', 'no-practice'],
  },
]);

scenarios('binding a field to an item of the birth certificate', fold, [
  {
    name: 'it is bound',
    given: [created, married],
    when: bind('f-1', 'MARN'),
    expect: [{ practiceId, fieldId: 'f-1', item: 'MARN' }],
  },
  {
    name: 'what holds already changes nothing',
    given: [created, married, bound('f-1', 'MARN'), typed('f-2', 'text')],
    when: (state) => [bind('f-1', 'MARN')(state), bind('f-2', null)(state)],
    expect: [[], []],
  },
  {
    name: 'it is bound to another item, or unbound',
    given: [created, married, bound('f-1', 'MARN')],
    when: (state) => [bind('f-1', 'LIMITS')(state), bind('f-1', null)(state)],
    expect: [
      [{ practiceId, fieldId: 'f-1', item: 'LIMITS' }],
      [{ practiceId, fieldId: 'f-1', item: null }],
    ],
  },
  {
    name: 'answers are codes or words of the item, each of another one; some may be missing',
    given: [
      created,
      answering('codes', ['y', 'N']),
      answering('more', ['Yes', 'No', 'Perhaps']),
      answering('twice', ['Yes', 'Y']),
    ],
    when: (state) => ['codes', 'more', 'twice'].map((id) => bind(id, 'MARN')(state)),
    expect: [
      [{ practiceId, fieldId: 'codes', item: 'MARN' }],
      'field-unlike-certificate-item',
      'field-unlike-certificate-item',
    ],
  },
  {
    name: 'the type is that of the item',
    given: [created, married, typed('text', 'text'), typed('date', 'date'), typed('age', 'number')],
    when: (state) =>
      (['HOSP', 'FDOB', 'FAGER', 'MARN'] as const).map((item) =>
        ['f-1', 'text', 'date', 'age'].filter((id) => Array.isArray(bind(id, item)(state))),
      ),
    expect: [['text'], ['date'], ['age'], ['f-1']],
  },
  {
    name: 'an item of another live field is refused',
    given: [created, married, bound('f-1', 'MARN'), answering('f-2', ['Yes', 'No'])],
    when: bind('f-2', 'MARN'),
    expect: 'certificate-item-taken',
  },
  {
    name: 'an item of a retired or unbound field is free',
    given: [
      created,
      married,
      bound('f-1', 'MARN'),
      retired('f-1'),
      answering('f-2', ['Yes', 'No']),
      bound('f-2', 'ACKN'),
      bound('f-2', null),
    ],
    when: (state) => [bind('f-2', 'MARN')(state), bind('f-2', 'ACKN')(state)],
    expect: [
      [{ practiceId, fieldId: 'f-2', item: 'MARN' }],
      [{ practiceId, fieldId: 'f-2', item: 'ACKN' }],
    ],
  },
  {
    name: 'a retired or unknown field, an item that is not offered, and an unknown practice are refused',
    given: [created, married, typed('f-2', 'text'), retired('f-2')],
    when: (state) => [
      bind('f-2', 'HOSP')(state),
      bind('f-3', 'HOSP')(state),
      bind('f-1', 'KIDFNAME')(state),
      told(bindCustomField('f-1', 'MARN', unknownPractice)),
    ],
    expect: ['field-is-retired', 'no-field', 'no-such-certificate-item', 'no-practice'],
  },
  {
    name: 'a bound field gets no answer that its item does not have',
    given: [created, answering('f-1', ['Yes', 'No']), bound('f-1', 'MARN')],
    when: (state) =>
      ['Unknown', 'Perhaps'].map((answer) => {
        const change = { fieldId: 'f-1', label: null, addedChoices: [answer], order: null };
        const decided = changeCustomField(change, state);
        return decided.kind === 'refused' ? decided.code : decided.kind;
      }),
    expect: ['accepted', 'field-unlike-certificate-item'],
  },
  {
    name: 'a retired field is not restored if another has its item',
    given: [
      created,
      married,
      bound('f-1', 'MARN'),
      retired('f-1'),
      answering('f-2', ['Yes', 'No']),
      bound('f-2', 'MARN'),
    ],
    when: (state) => told(restoreCustomField('f-1', state)),
    expect: 'certificate-item-taken',
  },
]);
