import type { HomePlan } from '../../course/codes.ts';
import type { CourseOfCare, Transfer } from '../../course/course.ts';
import { findHomePlan } from '../../course/home-plan.ts';
import {
  findChildMoved,
  listChildOutInDay,
  listMotherIn,
  wasMotherMoved,
  wasMovedWithinDay,
} from '../../course/transfers.ts';
import { SNOMED } from '../../fhir/coded-values.ts';
import { asObject, asObjects, type JsonObject } from '../../fhir/json.ts';
import { LOCAL_CODES, LOCATION_ROLES } from '../../mapping/bfdr/place-of-birth.ts';
import {
  DETAIL_FIELDS,
  findValueElement,
  TRANSFER_DETAILS,
} from '../../mapping/bfdr/transfer-details.ts';
import {
  CHILD_ANSWER,
  isUnknownPlace,
  MOTHER_ANSWER,
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
  addExtension,
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

/** Transfers come first, because readers rely on their order. A document of one child has none of its siblings. */
export const buildEncounters = (
  content: ExportedContent,
  providers: readonly NamedProvider[],
  draft: BundleBuilder,
): readonly JsonObject[] => {
  const { course } = content;
  const stays = buildStays(content, providers, draft);
  const hosts = assignStays(content, stays);
  const transfers = [...course.transfers.entries()].filter(
    ([, transfer]) => !isOfSibling(transfer, content),
  );
  const moves = transfers.map(([at, transfer]) => {
    const host = hosts.get(at);
    const stay =
      host === undefined
        ? {
            ...buildBaseEncounter(findPersonMoved(transfer, content), course, draft),
            ...buildLocations(course, draft),
          }
        : asObject(stays.get(host));
    const { hospitalization, ...elements } = buildTransferElements(
      transfer,
      content,
      draft.to(buildFacilityKey(at)),
    );
    const whole = { ...asObject(stay['hospitalization']), ...asObject(hospitalization) };
    return draft.entry(host ?? `transfer-${at + 1}`, 'Encounter', {
      ...stay,
      ...elements,
      ...toList('extension', [...asObjects(stay['extension']), ...buildDetails(transfer, content)]),
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
    ...transfers.flatMap(([at, transfer]) =>
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
      ...buildChildAnswer(course, position),
      partOf: draft.to(MATERNITY),
    });
  stays.set(MATERNITY, {
    ...declareProfiles(`${BFDR}/Encounter-maternity`),
    ...toRole('MTH'),
    type: [{ text: 'Maternity care' }],
    ...buildBaseEncounter(MOTHER, course, draft),
    ...shared,
    ...buildMotherAnswer(course),
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

const findHostStay = (transfer: Transfer, content: ExportedContent): string | null => {
  if (transfer.direction === null || !statesAnswer(transfer, content.course)) return null;
  if (transfer.type === 'mother') return MATERNITY;
  const moved = findChildMoved(transfer, content.course.children);
  return moved === null ? null : buildBirthKey(moved);
};

/**
 * True if the guide's code for the transfer agrees with the answer of the certificate: it means that the mother came
 * from a facility, and that the child went to one within a day.
 */
const statesAnswer = (transfer: Transfer, course: CourseOfCare): boolean => {
  const { type, direction, place } = transfer;
  if (place === HOME) return false;
  if (type === 'mother')
    return (
      direction !== 'in' ||
      (wasMotherMoved(course) === true && listMotherIn(course).includes(transfer))
    );
  if (direction !== 'out') return true;
  const child = course.children[findChildMoved(transfer, course.children) ?? -1];
  return (
    child !== undefined &&
    wasMovedWithinDay(course, child) === true &&
    listChildOutInDay(course, child).includes(transfer)
  );
};

const isOfSibling = (transfer: Transfer, { course, positions }: ExportedContent): boolean => {
  const moved = findChildMoved(transfer, course.children);
  return moved !== null && !positions.includes(moved);
};

const buildDetails = (transfer: Transfer, content: ExportedContent): readonly JsonObject[] => {
  const details = DETAIL_FIELDS.flatMap((field) => {
    const name = field.name as keyof Transfer;
    const value = transfer[name];
    return value === null || isStatedElsewhere(name, transfer, content)
      ? []
      : [{ url: name, [findValueElement(field)]: value }];
  });
  return details.length === 0 ? [] : [addExtension(TRANSFER_DETAILS, details)];
};

/** True if the subject of the Encounter states which child it was, or its type that it was from or to home. */
const isStatedElsewhere = (
  name: keyof Transfer,
  transfer: Transfer,
  { course: { children }, positions }: ExportedContent,
): boolean => {
  if (name === 'place') return isNamedHome(transfer);
  if (name !== 'child_birth_order' || children.length === 1) return false;
  return positions.length === children.length && findChildMoved(transfer, children) !== null;
};

const isNamedHome = ({ place, direction }: Transfer): boolean =>
  place === HOME && direction !== null;

/** The code of an answer, marked with what need not be recorded beside it. */
const markAnswer = (concept: JsonObject, unrecorded: readonly string[]): JsonObject => ({
  ...concept,
  ...toList('extension', unrecorded.map(markUnrecorded)),
});

const buildMotherAnswer = (course: CourseOfCare): JsonObject => {
  const { mother_transfer: answer } = course;
  // Of an answer that a transfer gives, only "no" has no code of its own there.
  if (answer === null)
    return wasMotherMoved(course) === false
      ? { hospitalization: { admitSource: markAnswer(ADMITTED_FROM_ELSEWHERE, [MOTHER_ANSWER]) } }
      : {};
  const admitSource = answer
    ? markAnswer(ADMITTED_FROM_HOSPITAL, ['transfers'])
    : ADMITTED_FROM_ELSEWHERE;
  return { hospitalization: { admitSource } };
};

const buildChildAnswer = (course: CourseOfCare, position: number): JsonObject =>
  omitNull(course.children[position]?.transfer_within_day ?? null, (isMoved) => ({
    hospitalization: {
      dischargeDisposition: isMoved
        ? markAnswer(DISCHARGED_TO_FACILITY, ['transfers'])
        : DISCHARGED_ELSEWHERE,
    },
  }));

/** Stay of each transfer that is part of one: the transfer that certificates ask about comes first. */
const assignStays = (
  content: ExportedContent,
  stays: ReadonlyMap<string, JsonObject>,
): ReadonlyMap<number, string> => {
  const hosts = new Map<number, string>();
  const ranked = [...content.course.transfers.entries()].sort(
    ([, one], [, other]) => rankTransfer(one) - rankTransfer(other),
  );
  const taken = new Set<string>();
  for (const [at, transfer] of ranked) {
    const host = findHostStay(transfer, content);
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

/** `null` also for one of several children, unless it is known which. */
const findPersonMoved = (transfer: Transfer, { course }: ExportedContent): string | null => {
  if (transfer.type === 'mother') return MOTHER;
  const moved = findChildMoved(transfer, course.children);
  return moved === null ? null : buildChildKey(moved);
};

const buildTransferElements = (
  transfer: Transfer,
  content: ExportedContent,
  facilityReference: JsonObject,
): JsonObject => {
  const { direction } = transfer;
  const { course } = content;
  const other = transfer.facility === null ? {} : facilityReference;
  const hasOther = transfer.facility !== null;
  const way = {
    ...(hasOther ? { [direction === 'in' ? 'origin' : 'destination']: other } : {}),
  };
  if (
    findPersonMoved(transfer, content) === null ||
    direction === null ||
    !statesAnswer(transfer, course)
  )
    return {
      type: [buildNamedTransfer(transfer, content)],
      ...(hasOther ? { hospitalization: way } : {}),
    };
  return {
    hospitalization:
      direction === 'in'
        ? { ...way, admitSource: ADMITTED_FROM_HOSPITAL }
        : { ...way, dischargeDisposition: buildDischarge(transfer, course) },
  };
};

/** Marked if the hours of a transfer are all that answers whether the child was moved within a day. */
const buildDischarge = (transfer: Transfer, { children }: CourseOfCare): JsonObject => {
  const child = children[findChildMoved(transfer, children) ?? -1];
  const isAnswered = child === undefined || child.transfer_within_day !== null;
  return isAnswered ? DISCHARGED_TO_FACILITY : markAnswer(DISCHARGED_TO_FACILITY, [CHILD_ANSWER]);
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

// A text instead of a subject if it is not known which of several children it was, and for a home, which has no code.
const buildNamedTransfer = (transfer: Transfer, content: ExportedContent): JsonObject => {
  const { type, direction } = transfer;
  if (isNamedHome(transfer))
    return { text: `${WHO[type ?? 'unknown']} ${direction === 'in' ? 'from' : 'to'} home` };
  if (type === 'infant' && findPersonMoved(transfer, content) === null)
    return { text: `${WHO.infant}${WAYS[direction ?? 'unknown']}` };
  if (direction === 'in') return ADMITTED_FROM_HOSPITAL;
  if (direction === 'out') return DISCHARGED_TO_FACILITY;
  return buildConcept(SNOMED, ANY_TRANSFER, 'Patient transfer');
};

const HOME = 'home';
const WHO = {
  mother: 'Maternal transfer',
  infant: 'Infant transfer',
  unknown: 'Transfer',
} as const;
const WAYS = { in: ' from another facility', out: ' to another facility', unknown: '' } as const;
const ANY_TRANSFER = [...TRANSFER_CODES].find(([, direction]) => direction === null)?.[0] ?? '';

const buildRepeatNumber = (transfers: readonly Transfer[], at: number): JsonObject => {
  const transfer = JSON.stringify(transfers[at]);
  const before = transfers.slice(0, at).filter((one) => JSON.stringify(one) === transfer).length;
  return before === 0
    ? {}
    : { identifier: [{ system: REPEATED_TRANSFERS, value: String(before + 1) }] };
};
