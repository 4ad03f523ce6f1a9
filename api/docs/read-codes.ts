import {
  ATTENDANT_TITLES,
  BIRTH_POSITIONS,
  DELIVERY_METHODS,
  EDUCATION_LEVELS,
  INDUCTION_INDICATIONS,
  LABOR_AGENTS,
  PRESENTATIONS,
} from '../../domain/course/codes.ts';
import { type FieldPath, findFieldAt } from '../../domain/course/fields.ts';
import { type CodeTable, LOINC } from '../../domain/fhir/coded-values.ts';
import { CENTIMETERS, DAYS, GRAMS, KILOGRAMS, type Units } from '../../domain/fhir/quantities.ts';
import type { Coded, KindForm, SubjectRule } from '../../domain/mapping/bfdr/observation-kinds.ts';
import type { DeliveryDiagnosis } from '../../domain/mapping/us-core/diagnosis-codes.ts';
import type { ObservationKind as ChartKind } from '../../domain/mapping/us-core/observation-kinds.ts';

export interface ReadCode {
  readonly code: string;
  /** Empty for any system. */
  readonly systems: readonly string[];
  readonly means: string;
  /** Named as in events, CSV, and JSON; `null` if none. */
  readonly field: string | null;
  /** `null` for any. */
  readonly subject: string | null;
  /** Format with units; `null` if the code itself is the value. */
  readonly value: string | null;
  /** Id of a code group; `null` if none. */
  readonly answers: string | null;
}

const ICD_10_CM = 'http://hl7.org/fhir/sid/icd-10-cm';

export const code = (
  text: string,
  means: string,
  rest: Partial<Omit<ReadCode, 'code' | 'means'>> = {},
): ReadCode => ({
  code: text,
  systems: [],
  means,
  field: null,
  subject: null,
  value: null,
  answers: null,
  ...rest,
});

export const buildCodes = (
  table: Iterable<readonly [string, string]>,
  field: string,
): readonly ReadCode[] => [...table].map(([text, means]) => code(text, means, { field }));

const ANSWER_GROUPS: ReadonlyMap<CodeTable, string> = new Map([
  [PRESENTATIONS, 'presentations'],
  [DELIVERY_METHODS, 'delivery-methods'],
  [EDUCATION_LEVELS, 'education-levels'],
  [BIRTH_POSITIONS, 'birth-positions'],
  [ATTENDANT_TITLES, 'attendant-titles'],
  [INDUCTION_INDICATIONS, 'induction-indications'],
  [LABOR_AGENTS, 'labor-agents'],
]);

export const findBaseUnit = (units: Units): string =>
  [...units].find(([, factor]) => factor === 1)?.[0] ?? '';

// One name per unit, beginning with the unit of the range.
const listUnitNames = (units: Units): readonly string[] => {
  const names = new Map<number, string>([[1, findBaseUnit(units)]]);
  for (const [name, factor] of units) if (!names.has(factor)) names.set(factor, name);
  return [...names.values()];
};

type CodeValue = Pick<ReadCode, 'value' | 'answers'>;

const describeValue = (form: KindForm): CodeValue => {
  switch (form.kind) {
    case 'measure': {
      const { units, unitless, range } = form;
      const names = listUnitNames(units).join(', ');
      const without = unitless === null ? 'a unit is required' : `no unit means ${unitless}`;
      const possible = `${range.from} to ${range.to} ${findBaseUnit(units)}`;
      return {
        value: `number in ${names}; ${without}; ${possible}`,
        answers: findUnitGroup(units),
      };
    }
    case 'whole number': {
      const { units, range } = form;
      const possible = `${range.from} to ${range.to}`;
      return { value: `whole number, ${possible}; no unit, or ${units.join(', ')}`, answers: null };
    }
    case 'date':
      return { value: 'full date, or date and time', answers: null };
    case 'partial date':
      return { value: 'date, month, or year, or date and time', answers: null };
    case 'code':
      return { value: 'code', answers: ANSWER_GROUPS.get(form.table) ?? null };
    case 'yes or no':
      return { value: 'yes or no', answers: 'yes-or-no' };
    case 'text':
      return { value: 'text', answers: null };
    case 'newborn condition':
      return { value: 'code', answers: 'newborn-conditions' };
    case 'planned place':
      return { value: 'code; the boolean true means Home', answers: 'places-of-birth' };
    case 'planned home':
      return { value: 'yes, no, UNK, or a place of birth', answers: 'yes-or-no' };
    case 'characteristics of labor':
      return { value: '260413007 for none of them; others are not read', answers: null };
    case 'race and ethnicity':
      return { value: 'an answer in each component', answers: 'race-answers' };
  }
};

const SUBJECTS: Readonly<Record<SubjectRule, string | null>> = {
  any: null,
  'a child': 'only a child',
  'the mother or no person': 'only the mother, or no person is named',
};

const OWNERS: Readonly<Record<Coded['kind']['scope'], string>> = {
  child: 'the child, as subject or in focus; or the mother, if there is one child',
  mother: 'the mother',
  course: 'anyone',
  race: 'the mother',
  delivery: 'anyone; live births and fetal deaths are the plurality together',
  agents: 'anyone',
};

export const createBundleObservation =
  (systems: readonly string[]) =>
  ([text, { kind, subject, isGeneral, time }]: readonly [string, Coded]): ReadCode => {
    const { value, answers } = describeValue(kind.form);
    return code(text, findLabel(kind.field), {
      systems,
      field: kind.field,
      subject: [
        SUBJECTS[subject] ?? OWNERS[kind.scope],
        ...(time === undefined ? [] : [time]),
        ...(isGeneral === true ? ['where no narrower code of the field has a value'] : []),
      ].join('; '),
      value: kind.scope === 'agents' ? `${value}; one Observation for each` : value,
      answers,
    });
  };

const findLabel = (field: string): string => findFieldAt(field as FieldPath).label;

const CHART_SUBJECTS: Readonly<Record<ChartKind['group'], string>> = {
  birth: 'the child: in its own chart, in focus, or the only one of the mother',
  gestation: 'the child or its mother',
  'first-weight': 'the child, in its own chart, within a day of the birth',
  outcome: 'the child or its mother',
  'live-births': 'the child or its mother',
  'fetal-deaths': 'the child or its mother',
  pregnancy: 'the mother, in this pregnancy',
  body: 'the mother',
  'due-date': 'the mother; gestational age is worked out from it',
  parity: 'the mother; shown only',
  smoking: 'the mother; shown only',
};

const getChartField = (kind: ChartKind): string | null => {
  switch (kind.group) {
    case 'birth':
      return `children.${kind.path}`;
    case 'first-weight':
      return 'children.birth_weight_grams';
    case 'gestation':
    case 'due-date':
      return 'children.gestational_age_weeks';
    case 'live-births':
    case 'fetal-deaths':
      return 'plurality';
    case 'pregnancy':
    case 'body':
    case 'outcome':
      return kind.path;
    case 'parity':
    case 'smoking':
      return null;
  }
};

export const buildChartObservation = ([text, kind]: readonly [string, ChartKind]): ReadCode =>
  code(text, kind.what, {
    systems: [LOINC],
    field: getChartField(kind),
    subject: CHART_SUBJECTS[kind.group],
    ...describeValue(kind.form),
  });

export const describeDiagnosis = ({
  plurality,
  deliveryMethod,
  isInHospital,
}: DeliveryDiagnosis): string =>
  [
    plurality === null ? null : `children of this pregnancy: ${plurality}`,
    deliveryMethod === null ? null : `delivery method: ${DELIVERY_METHODS.get(deliveryMethod)}`,
    isInHospital ? 'born in a hospital (a hint)' : null,
  ]
    .filter((part) => part !== null)
    .join('; ') || 'nothing more than that it was a birth';

const formatIcdCode = (prefix: string): string =>
  prefix.length > 3 ? `${prefix.slice(0, 3)}.${prefix.slice(3)}` : prefix;

export const buildIcdCode = (prefix: string, means: string, field: string | null): ReadCode =>
  code(formatIcdCode(prefix), means, { systems: [ICD_10_CM], field });

export const UNIT_GROUPS: readonly {
  readonly id: string;
  readonly title: string;
  readonly units: Units;
}[] = [
  { id: 'units-of-mass', title: 'Units of mass', units: GRAMS },
  { id: 'units-of-length', title: 'Units of length', units: CENTIMETERS },
  { id: 'units-of-time', title: 'Units of gestational age', units: DAYS },
];

const findUnitGroup = (units: Units): string | null => {
  const table = units === KILOGRAMS ? GRAMS : units;
  return UNIT_GROUPS.find((group) => group.units === table)?.id ?? null;
};
