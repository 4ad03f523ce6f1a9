import fc from 'fast-check';
import { isAbroad, readAddressPart } from '../../domain/course/addresses.ts';
import { isPossibleAgeAtDelivery, LIKELY_AGES } from '../../domain/course/age-at-delivery.ts';
import { findFirstBirthDate } from '../../domain/course/birth-times.ts';
import { HISPANIC_ORIGINS } from '../../domain/course/codes.ts';
import {
  type Child,
  type CourseOfCare,
  emptyCourseOfCare,
  type Mother,
} from '../../domain/course/course.ts';
import { findValue, toValuePath } from '../../domain/course/course-paths.ts';
import { EDIT_FLAGS, type EditFlag, sortFlags } from '../../domain/course/edit-flags.ts';
import { FIELDS, type Field, type FieldParent } from '../../domain/course/fields.ts';
import { toWeeksAndDays } from '../../domain/course/gestational-age.ts';
import { MAX_GIVEN_NAMES, MAX_NAME, MAX_TEXT } from '../../domain/course/limits.ts';
import { maskForPartner } from '../../domain/course/mask.ts';
import { completeOrigins } from '../../domain/course/origins.ts';
import { GESTATION_DAYS } from '../../domain/course/possible-ranges.ts';
import { statesUnknown } from '../../domain/fhir/coded-values.ts';
import { countWholeYears, isDate } from '../../domain/fhir/dates.ts';
import { removeNoise } from '../../domain/fhir/quantities.ts';
import type { NamedProvider } from '../../domain/provider/details.ts';
import { removeStrayInvisible } from '../../domain/text-input.ts';
import { buildTransfer } from './transfers.ts';

// Each of them means something to a reader of Bundles: a word for unknown, a list, a code.
const TELLING_TEXTS = [
  ...['Unknown', 'UNK', 'unk', 'Und', 'masked', 'Error', 'N/A', 'Na', 'none', 'true', 'Y'],
  'Stone, Jr.',
  ...['12 Elm, Apt 4', ', second line', 'a,  b', '22232009', 'transferred to the NICU', 'DELETE'],
  ...[
    'O’Brien-Núñez',
    '李 小龙',
    'Zoë 🤱🏽',
    'ﬁligree',
    'ß',
    'اسم',
    'Ἀθηνᾶ',
    '<b>"&\'\\',
    '__proto__',
  ],
];

/** Any text that a record can hold: printable, without what shows nothing, or white space around it. */
const anyText = (longest: number): fc.Arbitrary<string> =>
  fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(...TELLING_TEXTS) },
      { weight: 5, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 24 }) },
      { weight: 1, arbitrary: fc.constant('x'.repeat(longest)) },
    )
    .map((text) => removeStrayInvisible(text.replace(/[\p{Cc}\p{Cs}]/gu, '')).trim())
    .filter((text) => text !== '' && text.length <= longest);

const twoDigits = (most: number) =>
  fc.integer({ min: 0, max: most }).map((one) => String(one).padStart(2, '0'));

const anyDate = fc
  .integer({ min: Date.UTC(1940, 0, 1) / 864e5, max: Date.UTC(2030, 11, 31) / 864e5 })
  .map((day) => new Date(day * 864e5).toISOString().slice(0, 10));

const OFFSETS = ['', '', 'Z', '+00:00', '-05:00', '-09:30', '+14:00'];

/** With seconds and a fraction or without, with an offset or local. */
const anyTime = fc
  .tuple(
    anyDate,
    twoDigits(23),
    twoDigits(59),
    fc.oneof(
      fc.constant(''),
      twoDigits(60).map((second) => `:${second}`),
      fc.constant(':07.250'),
    ),
    fc.constantFrom(...OFFSETS),
  )
  .map(([date, hour, minute, second, offset]) => `${date}T${hour}:${minute}${second}${offset}`);

/** A code of the table, another code, or a text. */
const anyCode = ({ codes }: Field, longest: number): fc.Arbitrary<string> => {
  const known = [...(codes ?? new Map<string, string>()).keys()];
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.constantFrom(...known).map((one) => one.toUpperCase()) },
      { weight: 1, arbitrary: fc.constantFrom('1234567', '1006-6', 'water cesarean') },
      { weight: 1, arbitrary: anyText(longest) },
    )
    .filter((code) => !statesUnknown(code));
};

/** Any value of a field; what depends on other fields is put right for the whole course. */
const anyValue = (field: Field): fc.Arbitrary<unknown> => {
  const { range, measure, values = [], maxLength = MAX_NAME } = field;
  const orNull = (value: fc.Arbitrary<unknown>) => fc.option(value, { freq: 3 });
  switch (field.type) {
    case 'text':
      return orNull(anyText(maxLength));
    case 'texts':
      return fc.array(anyText(MAX_NAME), { maxLength: field.maxTexts ?? MAX_GIVEN_NAMES });
    case 'date':
      return orNull(anyDate);
    case 'partial_date':
      return orNull(fc.oneof(anyDate, fc.constantFrom('2019', '2019-11')));
    case 'time':
      return orNull(anyTime);
    case 'date_time':
      return orNull(fc.oneof(anyDate, anyTime, fc.constantFrom('2026', '2026-02')));
    case 'integer':
      // No record holds the number that stands for an unknown one.
      return orNull(
        fc
          .integer({ min: range?.from ?? 0, max: range?.to ?? 9 })
          .filter((count) => count !== field.unknownValue),
      );
    case 'number':
      return orNull(
        fc
          .oneof(
            fc.integer({ min: measure?.range.from ?? 0, max: measure?.range.to ?? 9 }),
            fc.double({ min: measure?.range.from ?? 0, max: measure?.range.to ?? 9, noNaN: true }),
          )
          .map(removeNoise),
      );
    case 'boolean':
      return field.empty === null ? orNull(fc.boolean()) : fc.boolean();
    case 'choice':
      return orNull(fc.constantFrom(...values));
    case 'code':
      return orNull(anyCode(field, MAX_TEXT));
    case 'codes':
      return fc.uniqueArray(anyCode(field, MAX_TEXT), { maxLength: 8 });
    case 'instant':
    case 'marks':
      return fc.constant(field.empty);
  }
};

const fieldsUnder = (parent: FieldParent): fc.Arbitrary<Record<string, unknown>> =>
  fc.record(
    Object.fromEntries(
      FIELDS.filter((field) => field.parent === parent).map((field) => [
        field.name,
        anyValue(field),
      ]),
    ),
    { noNullPrototype: true },
  );

const CONSENTS = [
  { granted: true, status: 'active' },
  ...[null, 'active', 'draft', 'proposed', 'rejected', 'inactive', 'entered-in-error'].map(
    (status) => ({ granted: false, status }),
  ),
];

const anyGestation = fc
  .option(fc.integer({ min: GESTATION_DAYS.from, max: GESTATION_DAYS.to }))
  .map((inDays): Pick<Child, 'gestational_age_weeks' | 'gestational_age_days'> => {
    if (inDays === null) return { gestational_age_weeks: null, gestational_age_days: null };
    const { weeks, days } = toWeeksAndDays(inDays);
    return { gestational_age_weeks: weeks, gestational_age_days: days };
  });

const anyChild = fc.tuple(fieldsUnder('children'), anyGestation).map(([child, gestation]) => ({
  ...(child as Child),
  ...gestation,
}));

const anyFlag = fc.tuple(fc.constantFrom(...EDIT_FLAGS), fc.nat(), fc.nat());

const anyIgVersion = fc.constantFrom(null, '2.0.0', '1.1.0', '2.0.0-ballot');

/**
 * Any course of care that a record can hold after a native key or a person: every field known or
 * not, one to three children, live and dead, with all that a text or a code may be.
 */
export const anyCourse: fc.Arbitrary<CourseOfCare> = fc
  .record({
    own: fieldsUnder(''),
    mother: fieldsUnder('mother'),
    address: fieldsUnder('mother.address'),
    children: fc.array(anyChild, { minLength: 1, maxLength: 3 }),
    transfers: fc.array(
      fc.oneof(
        fieldsUnder('transfers'),
        fc.constant(buildTransfer({ type: 'infant', direction: 'out', facility: 'East Hospital' })),
      ),
      { maxLength: 4 },
    ),
    consent: fc.tuple(fc.constantFrom(...CONSENTS), fieldsUnder('consent')),
    ig: anyIgVersion,
    reportedAge: fc.option(fc.integer({ min: LIKELY_AGES.from, max: LIKELY_AGES.to })),
    place: fc.constantFrom('Hospital', 'Birth center', 'Home', 'Clinic', 'Other', 'En route'),
    flags: fc.array(anyFlag, { maxLength: 4 }),
    // What a person corrects may have come from a partner, with the year of birth alone.
    isDeidentified: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
  })
  .map(({ own, mother, address, children, transfers, consent: [decision, consent], ...more }) => {
    const { ig, reportedAge, place, flags, isDeidentified } = more;
    const course = {
      ...emptyCourseOfCare(),
      ...own,
      place_of_birth: place,
      ig_version: ig,
      attendant: null,
      certifier: null,
      mother: { ...mother, address: asStored(address) } as unknown as CourseOfCare['mother'],
      children: children.map((child) =>
        isDeidentified ? { ...child, birth_date: child.birth_date?.slice(0, 4) ?? null } : child,
      ),
      transfers: transfers as unknown as CourseOfCare['transfers'],
      consent: { ...consent, ...decision } as CourseOfCare['consent'],
    } as CourseOfCare;
    return {
      ...course,
      mother: {
        ...completeOrigins(withKnownOrigins(course.mother)),
        age_at_delivery: ageIn(course, reportedAge),
      },
      edit_flags: flagsOf(course, flags),
    };
  });

/** Every way in turns any other origin into a text. */
const withKnownOrigins = (mother: Mother): Mother => ({
  ...mother,
  hispanic_origins: mother.hispanic_origins.filter((code) => HISPANIC_ORIGINS.has(code)),
});

/** Of known values, once each, as a sender states them. */
const flagsOf = (
  course: CourseOfCare,
  flags: readonly (readonly [EditFlag, number, number])[],
): CourseOfCare['edit_flags'] => {
  const marks = flags.flatMap(([{ field, codes }, of, code]) => {
    const child = field.startsWith('children.') ? of % course.children.length : null;
    const isKnown = (findValue(course, toValuePath(field, child)) ?? null) !== null;
    return isKnown ? [{ field, child, flag: codes[code % codes.length]?.digit ?? '' }] : [];
  });
  return sortFlags(marks);
};

/** A text that happens to be a state or a country is held by its code. */
const asStored = ({ state, country, ...address }: Record<string, unknown>) => {
  const held = (name: 'state' | 'country', value: unknown, abroad: boolean) =>
    typeof value === 'string' ? readAddressPart(name, value, abroad) : null;
  const code = held('country', country, false);
  return { ...address, country: code, state: held('state', state, isAbroad(code)) };
};

/** Counted where two dates stand, for whoever stored them has counted too. */
const ageIn = ({ mother, children }: CourseOfCare, reported: number | null): number | null => {
  const born = findFirstBirthDate(children);
  if (mother.birth_date === null || born === null || !isDate(born)) return reported;
  const age = countWholeYears(mother.birth_date, born);
  return isPossibleAgeAtDelivery(age) ? age : null;
};

/** What a partner's record holds: the spine, and the providers that its last Bundle named. */
export interface PartnerContent {
  readonly course: CourseOfCare;
  readonly providers: readonly NamedProvider[];
}

/** The id that a provider of a partner has in a record. */
export const providerIdOf = (identity: string): string => `id of ${identity}`;

const ROLES = ['midwife', 'physician', 'doula', 'nurse', 'assistant', 'other'] as const;

const anyProvider = fc
  .record({
    identity: anyText(255),
    npi: fc.option(fc.constantFrom('1234567893', '1679576722')),
    name: fc.option(anyText(MAX_NAME)),
    credentials: fc.option(fc.oneof(fc.constantFrom('CNM, MD', 'M.D.', 'RN', '—'), anyText(300))),
    role: fc.constantFrom(...ROLES),
  })
  .map((provider): NamedProvider => ({ providerId: providerIdOf(provider.identity), ...provider }));

/** Any record of a partner: masked, with attendant and certifier among the providers it names. */
export const anyPartnerContent: fc.Arbitrary<PartnerContent> = fc
  .tuple(
    anyCourse,
    fc.uniqueArray(anyProvider, { maxLength: 4, selector: ({ identity }) => identity }),
    fc.nat(),
    fc.nat(),
  )
  .map(([course, providers, attending, certifying]) => {
    // One more than there are: nobody.
    const attendant = providers[attending % (providers.length + 1)] ?? null;
    const certifier = providers[certifying % (providers.length + 1)] ?? null;
    const inPart = providers.filter((one) => one === attendant || one === certifier);
    return {
      course: {
        ...maskForPartner(course),
        attendant: attendant?.providerId ?? null,
        certifier: certifier?.providerId ?? null,
        // spec "Provider identity": a doula who takes part was there
        ...(attendant?.role === 'doula' ? { doula_present: true } : {}),
      },
      providers: [...inPart, ...providers.filter((one) => !inPart.includes(one))],
    };
  });
