import type { HomePlan } from '../../course/codes.ts';
import type { CourseOfCare, Transfer } from '../../course/course.ts';
import { findHomePlan } from '../../course/home-plan.ts';
import { SNOMED } from '../../fhir/coded-values.ts';
import { asObject, type JsonObject } from '../../fhir/json.ts';
import { LOCAL_CODES, LOCATION_ROLES } from '../../mapping/bfdr/place-of-birth.ts';
import {
  isUnknownPlace,
  REPEATED_TRANSFERS,
  TRANSFER_CODES,
  TRANSFERRED_IN,
  TRANSFERRED_OUT,
} from '../../mapping/bfdr/transfers.ts';
import type { NamedProvider } from '../../provider/details.ts';
import { buildPlaceCoding } from './build-observations.ts';
import { MOTHER } from './build-patients.ts';
import { buildParticipants } from './build-practitioners.ts';
import { type BundleBuilder, buildChildKey, type ExportedContent } from './bundle-builder.ts';
import {
  BFDR,
  buildCoding,
  buildConcept,
  declareProfiles,
  markUnrecorded,
  NULL_FLAVOR,
  omitNull,
  TERMINOLOGY,
  toList,
  UNKNOWN_ELEMENT,
  VERBATIM_MARK,
} from './elements.ts';

export const MATERNITY = 'maternity';

/** The guide defines no stay for a stillborn child. */
export const buildBirthKey = (position: number): string => `birth-${position + 1}`;

export const selectBornAlive = ({ course, positions }: ExportedContent): readonly number[] =>
  positions.filter((position) => course.children[position]?.fetal_death !== true);

const PLACE = 'place';
const buildFacilityKey = (at: number): string => `facility-${at + 1}`;

/** Transfers come first, because readers rely on their order. */
export const buildEncounters = (
  content: ExportedContent,
  providers: readonly NamedProvider[],
  draft: BundleBuilder,
): readonly JsonObject[] => {
  const { course } = content;
  const stays = buildStays(content, providers, draft);
  const hosts = assignStays(course, stays);
  const moves = course.transfers.map((transfer, at) => {
    const host = hosts.get(at);
    const stay =
      host === undefined
        ? {
            ...buildBaseEncounter(findPersonMoved(transfer, course), course, draft),
            ...buildLocations(course, draft),
          }
        : asObject(stays.get(host));
    const { hospitalization, ...elements } = buildTransferElements(
      transfer,
      course,
      draft.to(buildFacilityKey(at)),
    );
    const whole = { ...asObject(stay['hospitalization']), ...asObject(hospitalization) };
    return draft.entry(host ?? `transfer-${at + 1}`, 'Encounter', {
      ...stay,
      ...elements,
      ...(Object.keys(whole).length === 0 ? {} : { hospitalization: whole }),
      ...buildRepeatNumber(course.transfers, at),
    });
  });
  return [
    ...moves,
    ...[...stays]
      .filter(([key]) => ![...hosts.values()].includes(key))
      .map(([key, stay]) => draft.entry(key, 'Encounter', stay)),
    ...(course.place_of_birth === null
      ? []
      : [draft.entry(PLACE, 'Location', buildPlaceLocation(course.place_of_birth))]),
    ...course.transfers.flatMap((transfer, at) =>
      transfer.facility === null
        ? []
        : [
            draft.entry(
              buildFacilityKey(at),
              'Location',
              buildFacility(transfer, transfer.facility),
            ),
          ],
    ),
  ];
};

const buildStays = (
  content: ExportedContent,
  providers: readonly NamedProvider[],
  draft: BundleBuilder,
): ReadonlyMap<string, JsonObject> => {
  const { course } = content;
  const shared = {
    ...buildLocations(course, draft),
    ...toList('participant', buildParticipants(course, providers, draft)),
  };
  const stays = new Map<string, JsonObject>();
  for (const position of selectBornAlive(content))
    stays.set(buildBirthKey(position), {
      ...declareProfiles(`${BFDR}/Encounter-birth`),
      ...toRole('CHILD'),
      type: [{ text: 'Birth' }],
      ...buildBaseEncounter(buildChildKey(position), course, draft),
      ...shared,
      ...buildChildAnswer(course.children[position]?.transfer_within_day ?? null),
      partOf: draft.to(MATERNITY),
    });
  stays.set(MATERNITY, {
    ...declareProfiles(`${BFDR}/Encounter-maternity`),
    ...toRole('MTH'),
    type: [{ text: 'Maternity care' }],
    ...buildBaseEncounter(MOTHER, course, draft),
    ...shared,
    ...buildMotherAnswer(course.mother_transfer),
  });
  return stays;
};

const toRole = (code: 'CHILD' | 'MTH'): JsonObject => ({
  extension: [
    {
      url: `${BFDR}/Extension-role`,
      valueCodeableConcept: buildConcept(`${TERMINOLOGY}/v3-RoleCode`, code),
    },
  ],
});

const CLASSES: Readonly<Record<string, string>> = {
  Hospital: 'IMP',
  'Birth center': 'AMB',
  Clinic: 'AMB',
  Home: 'HH',
  'En route': 'FLD',
};

// FHIR requires a class, so one that the place does not determine needs a data-absent reason.
const buildBaseEncounter = (
  person: string | null,
  course: CourseOfCare,
  draft: BundleBuilder,
): JsonObject => {
  const code = CLASSES[course.place_of_birth ?? ''];
  return {
    status: 'finished',
    class: code === undefined ? UNKNOWN_ELEMENT : { system: `${TERMINOLOGY}/v3-ActCode`, code },
    ...omitNull(person, (key) => ({ subject: draft.to(key) })),
  };
};

const buildLocations = (course: CourseOfCare, draft: BundleBuilder): JsonObject =>
  omitNull(course.place_of_birth, (place) => ({
    location: [{ location: draft.to(PLACE), physicalType: buildGuidePlace(place, course) }],
  }));

const OTHER_PLACE = buildCoding(NULL_FLAVOR, 'OTH', 'Other');

/** The guide's codes, for other systems. @see ValueSet-birth-delivery-occurred */
const GUIDE_PLACES: Readonly<Record<string, JsonObject>> = {
  Hospital: buildCoding(SNOMED, '22232009', 'Hospital'),
  'Birth center': buildCoding(SNOMED, '91154008', 'Free-standing birthing center'),
  Clinic: buildCoding(SNOMED, '67190003', 'Free-standing clinic'),
};

const GUIDE_HOMES: Readonly<Record<HomePlan, JsonObject>> = {
  yes: buildCoding(SNOMED, '408839006', 'Planned home birth'),
  no: buildCoding(SNOMED, '408838003', 'Unplanned home birth'),
  unknown: buildCoding(LOCAL_CODES, 'unknownplannedhomebirth', 'Unknown if Planned Home Birth'),
};

const buildGuidePlace = (place: string, course: CourseOfCare): JsonObject => {
  if (place !== 'Home') return { coding: [GUIDE_PLACES[place] ?? OTHER_PLACE] };
  const isRecorded = course.planned_home_birth !== null;
  return {
    ...(isRecorded ? {} : { extension: [markUnrecorded('planned_home_birth')] }),
    coding: [GUIDE_HOMES[findHomePlan(course)]],
  };
};

// This registry reads the type, but a vehicle is recognized by its physical type.
const buildPlaceLocation = (place: string): JsonObject => {
  const concepts = { coding: [buildPlaceCoding(place)] };
  const role = buildConcept(LOCAL_CODES, LOCATION_ROLES.birth, 'Birth Location');
  return {
    ...declareProfiles(`${BFDR}/Location-bfdr`),
    status: 'active',
    _name: UNKNOWN_ELEMENT,
    ...(place === 'En route'
      ? { type: [role], physicalType: concepts }
      : { type: [concepts, role] }),
  };
};

// The guide has no role for a facility if the direction of the transfer is unknown.
const buildFacility = ({ direction }: Transfer, name: string): JsonObject => ({
  ...(direction === null ? {} : declareProfiles(`${BFDR}/Location-bfdr`)),
  status: 'active',
  name,
  ...(isUnknownPlace(name) ? { _name: { extension: [VERBATIM_MARK] } } : {}),
  ...omitNull(direction, (way) => ({
    type: [
      way === 'in'
        ? buildConcept(LOCAL_CODES, LOCATION_ROLES.transferFrom, 'Transfer-from Location')
        : buildConcept(LOCAL_CODES, LOCATION_ROLES.transferTo, 'Transfer-to Location'),
    ],
  })),
});

const findHostStay = ({ type, direction }: Transfer, course: CourseOfCare): string | null => {
  if (direction === null || !statesAnswer({ type, direction }, course)) return null;
  if (type === 'mother') return MATERNITY;
  return type === 'infant' && course.children.length === 1 ? buildBirthKey(0) : null;
};

/**
 * True if the guide's code for the transfer agrees with the answer of the certificate: it means that the mother came
 * from a facility, and that the child went to one within a day.
 */
const statesAnswer = (
  { type, direction }: Pick<Transfer, 'type' | 'direction'>,
  { mother_transfer, children }: CourseOfCare,
): boolean => {
  if (type === 'mother') return direction !== 'in' || mother_transfer !== false;
  return direction !== 'out' || children[0]?.transfer_within_day === true;
};

/** The code of an answer beside which no transfer need be recorded. */
const markAnswer = (concept: JsonObject): JsonObject => ({
  ...concept,
  extension: [markUnrecorded('transfers')],
});

const buildMotherAnswer = (answer: boolean | null): JsonObject =>
  omitNull(answer, (isMoved) => ({
    hospitalization: {
      admitSource: isMoved ? markAnswer(ADMITTED_FROM_HOSPITAL) : ADMITTED_FROM_ELSEWHERE,
    },
  }));

const buildChildAnswer = (answer: boolean | null): JsonObject =>
  omitNull(answer, (isMoved) => ({
    hospitalization: {
      dischargeDisposition: isMoved ? markAnswer(DISCHARGED_TO_FACILITY) : DISCHARGED_ELSEWHERE,
    },
  }));

/** Stay of each transfer that is part of one: the transfer that certificates ask about comes first. */
const assignStays = (
  course: CourseOfCare,
  stays: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<number, string> => {
  const hosts = new Map<number, string>();
  const ranked = [...course.transfers.entries()].sort(
    ([, one], [, other]) => rankTransfer(one) - rankTransfer(other),
  );
  const taken = new Set<string>();
  for (const [at, transfer] of ranked) {
    const host = findHostStay(transfer, course);
    if (host === null || !stays.has(host) || taken.has(host)) continue;
    taken.add(host);
    hosts.set(at, host);
  }
  return hosts;
};

const rankTransfer = ({ type, direction, facility }: Transfer): number => {
  if (direction !== (type === 'mother' ? 'in' : 'out')) return 2;
  return facility === null ? 1 : 0;
};

/** `null` also for one of several children. */
const findPersonMoved = ({ type }: Transfer, { children }: CourseOfCare): string | null => {
  if (type === 'mother') return MOTHER;
  return type === 'infant' && children.length === 1 ? buildChildKey(0) : null;
};

const buildTransferElements = (
  transfer: Transfer,
  course: CourseOfCare,
  facilityReference: JsonObject,
): JsonObject => {
  const { direction } = transfer;
  const other = transfer.facility === null ? {} : facilityReference;
  const hasOther = transfer.facility !== null;
  const way = {
    ...(hasOther ? { [direction === 'in' ? 'origin' : 'destination']: other } : {}),
  };
  if (
    findPersonMoved(transfer, course) === null ||
    direction === null ||
    !statesAnswer(transfer, course)
  )
    return {
      type: [buildNamedTransfer(transfer, course)],
      ...(hasOther ? { hospitalization: way } : {}),
    };
  return {
    hospitalization:
      direction === 'in'
        ? { ...way, admitSource: ADMITTED_FROM_HOSPITAL }
        : { ...way, dischargeDisposition: DISCHARGED_TO_FACILITY },
  };
};

const ADMITTED_FROM_HOSPITAL = buildConcept(
  `${TERMINOLOGY}/admit-source`,
  TRANSFERRED_IN,
  'Transferred from other hospital',
);
const DISCHARGED_TO_FACILITY = buildConcept(
  `${TERMINOLOGY}/discharge-disposition`,
  TRANSFERRED_OUT,
  'Other healthcare facility',
);

const ADMITTED_FROM_ELSEWHERE = buildConcept(`${TERMINOLOGY}/admit-source`, 'other', 'Other');
const DISCHARGED_ELSEWHERE = buildConcept(`${TERMINOLOGY}/discharge-disposition`, 'oth', 'Other');

// The record does not identify the child of a multiple birth, so the transfer has a text instead of
// a subject.
const buildNamedTransfer = ({ type, direction }: Transfer, course: CourseOfCare): JsonObject => {
  if (type === 'infant' && course.children.length > 1)
    return { text: `Infant transfer${WAYS[direction ?? 'unknown']}` };
  if (direction === 'in') return ADMITTED_FROM_HOSPITAL;
  if (direction === 'out') return DISCHARGED_TO_FACILITY;
  return buildConcept(SNOMED, ANY_TRANSFER, 'Patient transfer');
};

const WAYS = { in: ' from another facility', out: ' to another facility', unknown: '' } as const;
const ANY_TRANSFER = [...TRANSFER_CODES].find(([, direction]) => direction === null)?.[0] ?? '';

const buildRepeatNumber = (transfers: readonly Transfer[], at: number): JsonObject => {
  const transfer = JSON.stringify(transfers[at]);
  const before = transfers.slice(0, at).filter((one) => JSON.stringify(one) === transfer).length;
  return before === 0
    ? {}
    : { identifier: [{ system: REPEATED_TRANSFERS, value: String(before + 1) }] };
};
