import type { CourseOfCare, Transfer } from '../../course/course.ts';
import { SNOMED } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';
import { LOCAL_CODES, LOCATION_ROLES } from '../../intake/bfdr/place-of-birth.ts';
import {
  isUnknownPlace,
  REPEATED_TRANSFERS,
  TRANSFER_CODES,
  TRANSFERRED_IN,
  TRANSFERRED_OUT,
} from '../../intake/bfdr/transfers.ts';
import type { NamedProvider } from '../../provider/details.ts';
import { buildPlaceCoding } from './build-observations.ts';
import { MOTHER } from './build-patients.ts';
import { buildParticipants } from './build-practitioners.ts';
import { type BundleBuilder, buildChildKey, type ExportedContent } from './bundle-builder.ts';
import {
  BFDR,
  buildCoding,
  buildConcept,
  NULL_FLAVOR,
  omitNull,
  TERMINOLOGY,
  toList,
  UNKNOWN_ELEMENT,
  VERBATIM_MARK,
  withProfile,
} from './elements.ts';

/** The key of the mother's stay. */
export const MATERNITY = 'maternity';

/** The key of a child's stay by its position; the guide has none of a child that was born dead. */
export const buildBirthKey = (position: number): string => `birth-${position + 1}`;

/** The positions of the children of a document that have a stay. */
export const selectBornAlive = ({ course, positions }: ExportedContent): readonly number[] =>
  positions.filter((position) => course.children[position]?.fetal_death !== true);

const PLACE = 'place';
const buildFacilityKey = (at: number): string => `facility-${at + 1}`;

/**
 * The stays of mother and children, the transfers, and the places. A transfer is told by the stay of
 * the person who was moved, where it is known who that was; the stays stand in the order of the
 * transfers, because that is how they are read.
 */
export const buildEncounters = (
  content: ExportedContent,
  providers: readonly NamedProvider[],
  draft: BundleBuilder,
): readonly JsonObject[] => {
  const { course } = content;
  const stays = buildStays(content, providers, draft);
  const hosts = new Set<string>();
  const moves = course.transfers.map((transfer, at) => {
    const host = encounterFor(transfer, course);
    const isFree = host !== null && stays.has(host) && !hosts.has(host);
    const key = isFree ? host : `transfer-${at + 1}`;
    if (isFree) hosts.add(host);
    const stay = isFree
      ? stays.get(host)
      : {
          ...baseEncounter(findPersonMoved(transfer, course), course, draft),
          ...buildLocations(course, draft),
        };
    return draft.entry(key, 'Encounter', {
      ...stay,
      ...buildTransferElements(transfer, course, draft.to(buildFacilityKey(at))),
      ...toRepeat(course.transfers, at),
    });
  });
  return [
    ...moves,
    ...[...stays]
      .filter(([key]) => !hosts.has(key))
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
      ...withProfile(`${BFDR}/Encounter-birth`),
      ...toRole('CHILD'),
      type: [{ text: 'Birth' }],
      ...baseEncounter(buildChildKey(position), course, draft),
      ...shared,
      partOf: draft.to(MATERNITY),
    });
  stays.set(MATERNITY, {
    ...withProfile(`${BFDR}/Encounter-maternity`),
    ...toRole('MTH'),
    type: [{ text: 'Maternity care' }],
    ...baseEncounter(MOTHER, course, draft),
    ...shared,
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

// FHIR asks each Encounter for a class: where the place does not say it, it is absent for a reason.
const baseEncounter = (
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
  omitNull(course.place_of_birth, (named) => ({
    location: [
      { location: draft.to(PLACE), physicalType: { coding: [toGuidePlace(named, course)] } },
    ],
  }));

const OTHER_PLACE = buildCoding(NULL_FLAVOR, 'OTH', 'Other');

/** The places of the guide's value set, as other readers take them. @see ValueSet-birth-delivery-occurred */
const GUIDE_PLACES: Readonly<Record<string, JsonObject>> = {
  Hospital: buildCoding(SNOMED, '22232009', 'Hospital'),
  'Birth center': buildCoding(SNOMED, '91154008', 'Free-standing birthing center'),
  Clinic: buildCoding(SNOMED, '67190003', 'Free-standing clinic'),
};

const toGuidePlace = (
  place: string,
  { planned_place_of_birth: planned }: CourseOfCare,
): JsonObject => {
  if (place !== 'Home') return GUIDE_PLACES[place] ?? OTHER_PLACE;
  if (planned === null)
    return buildCoding(LOCAL_CODES, 'unknownplannedhomebirth', 'Unknown if Planned Home Birth');
  return planned === 'Home'
    ? buildCoding(SNOMED, '408839006', 'Planned home birth')
    : buildCoding(SNOMED, '408838003', 'Unplanned home birth');
};

// The type is what this registry reads. A vehicle is one by its physical type.
const buildPlaceLocation = (place: string): JsonObject => {
  const concepts = { coding: [buildPlaceCoding(place)] };
  const role = buildConcept(LOCAL_CODES, LOCATION_ROLES.birth, 'Birth Location');
  return {
    ...withProfile(`${BFDR}/Location-bfdr`),
    status: 'active',
    _name: UNKNOWN_ELEMENT,
    ...(place === 'En route'
      ? { type: [role], physicalType: concepts }
      : { type: [concepts, role] }),
  };
};

// Where the direction is not known, no role of the guide says what the Location is for.
const buildFacility = ({ direction }: Transfer, name: string): JsonObject => ({
  ...(direction === null ? {} : withProfile(`${BFDR}/Location-bfdr`)),
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

/** The stay that tells of a transfer, unless it tells of another one; the guide's have a direction. */
const encounterFor = ({ type, direction }: Transfer, course: CourseOfCare): string | null => {
  if (direction === null) return null;
  if (type === 'mother') return MATERNITY;
  return type === 'infant' && course.children.length === 1 ? buildBirthKey(0) : null;
};

/** Who was moved; null where nobody knows, or which of several children. */
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
  if (findPersonMoved(transfer, course) === null || direction === null)
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

// Which of several children was moved is not kept, so no subject can say that it was a child.
const buildNamedTransfer = ({ type, direction }: Transfer, course: CourseOfCare): JsonObject => {
  if (type === 'infant' && course.children.length > 1)
    return { text: `Infant transfer${WAYS[direction ?? 'unknown']}` };
  if (direction === 'in') return ADMITTED_FROM_HOSPITAL;
  if (direction === 'out') return DISCHARGED_TO_FACILITY;
  return buildConcept(SNOMED, ANY_TRANSFER, 'Patient transfer');
};

const WAYS = { in: ' from another facility', out: ' to another facility', unknown: '' } as const;
const ANY_TRANSFER = [...TRANSFER_CODES].find(([, direction]) => direction === null)?.[0] ?? '';

const toRepeat = (transfers: readonly Transfer[], at: number): JsonObject => {
  const alike = JSON.stringify(transfers[at]);
  const before = transfers.slice(0, at).filter((one) => JSON.stringify(one) === alike).length;
  return before === 0
    ? {}
    : { identifier: [{ system: REPEATED_TRANSFERS, value: String(before + 1) }] };
};
