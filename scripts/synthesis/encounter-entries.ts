import type { PlaceOfBirth } from '../../domain/course/codes.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ChildFacts } from './birth-story.ts';
import { HOUR, zonedText } from './calendar.ts';
import type { ProviderIdentity } from './practice.ts';
import { providerKey } from './practitioner-entries.ts';
import { BFDR, childKey, concept, LOINC, type Report, SNOMED, TERMINOLOGY } from './report.ts';

const LOCAL_CODES = 'http://hl7.org/fhir/us/bfdr/CodeSystem/CodeSystem-local-bfdr-codes';
const PLACE = 'place';
const ORIGIN = 'origin';
const destinationKey = (order: number): string => `destination-${order}`;

/** Encounters of mother and children, with their locations. */
export const encounterEntries = (report: Report): readonly JsonObject[] => {
  const { labor, children, wording } = report.story;
  const isStated = wording.placeStyle !== 'unstated';
  return [
    report.entry('Encounter', 'maternity', maternity(report)),
    // The guide has no Encounter for a stillbirth.
    ...children
      .filter(({ stillborn }) => !stillborn)
      .map((child) => report.entry('Encounter', `birth-${child.order}`, birth(child, report))),
    ...(isStated ? [report.entry('Location', PLACE, placeLocation(report))] : []),
    ...(labor.movedFrom === null
      ? []
      : [report.entry('Location', ORIGIN, facility(labor.movedFrom, 'loc_transfer-from'))]),
    ...children.flatMap(({ order, movedTo }) =>
      movedTo === null
        ? []
        : [report.entry('Location', destinationKey(order), facility(movedTo, 'loc_transfer-to'))],
    ),
  ];
};

/** Parts of an Encounter that depend on its kind. */
const describeStay = (profile: string, role: string, type: string): JsonObject => ({
  meta: { profile: [`${BFDR}/${profile}`] },
  extension: [
    {
      url: `${BFDR}/Extension-role`,
      valueCodeableConcept: concept(`${TERMINOLOGY}/v3-RoleCode`, role),
    },
  ],
  type: [{ text: type }],
});
const MATERNITY = describeStay('Encounter-maternity', 'MTH', 'Maternity care');
const BIRTH = describeStay('Encounter-birth', 'CHILD', 'Birth');

const maternity = (report: Report): JsonObject => ({
  ...MATERNITY,
  ...stay('mother', report),
  ...participants(report),
  ...(report.story.labor.movedFrom === null
    ? {}
    : {
        hospitalization: {
          origin: report.to('Location', ORIGIN),
          admitSource: concept(
            `${TERMINOLOGY}/admit-source`,
            'hosp-trans',
            'Transferred from other hospital',
          ),
        },
      }),
});

const birth = (child: ChildFacts, report: Report): JsonObject => ({
  ...BIRTH,
  ...stay(childKey(child.order), report),
  ...participants(report),
  partOf: report.to('Encounter', 'maternity'),
  ...(child.movedTo === null
    ? {}
    : {
        hospitalization: {
          destination: report.to('Location', destinationKey(child.order)),
          dischargeDisposition: concept(
            `${TERMINOLOGY}/discharge-disposition`,
            'other-hcf',
            'Other healthcare facility',
          ),
        },
      }),
});

const stay = (patient: string, report: Report): JsonObject => {
  const { story, practice, to } = report;
  const { zone } = practice.region;
  const bornAt = story.children[0]?.bornAt ?? report.stamp;
  const inHospital = story.labor.place === 'Hospital';
  const end = bornAt + (inHospital ? 44 : 5) * HOUR;
  const isOver = end <= report.stamp;
  return {
    // Some reports precede the discharge of mother and child.
    status: isOver ? 'finished' : 'in-progress',
    class: {
      system: `${TERMINOLOGY}/v3-ActCode`,
      ...(inHospital
        ? { code: 'IMP', display: 'inpatient encounter' }
        : { code: 'FLD', display: 'field' }),
    },
    subject: to('Patient', patient),
    period: {
      start: zonedText(bornAt - (patient === 'mother' ? 9 * HOUR : 0), zone),
      ...(isOver ? { end: zonedText(end, zone) } : {}),
    },
    ...(story.wording.placeStyle === 'unstated'
      ? {}
      : { location: [{ location: to('Location', PLACE), ...physicalType(report) }] }),
  };
};

// Attendant and doula; only partners name them.
const participants = ({ story, lane, to }: Report): JsonObject => {
  if (lane === 'native') return {};
  const role = (type: readonly JsonObject[], who: ProviderIdentity): JsonObject => ({
    type,
    individual: to('Practitioner', providerKey(who)),
  });
  const participation = `${TERMINOLOGY}/v3-ParticipationType`;
  const attends = {
    coding: [
      { system: participation, code: 'ATND', display: 'attender' },
      { system: LOINC, code: '87286-1', display: 'Birth attendant' },
    ],
  };
  return {
    participant: [
      role([attends], story.attendant),
      ...(story.doula === null
        ? []
        : [role([concept(participation, 'PART', 'Participation')], story.doula)]),
    ],
  };
};

const PLACE_CODINGS: Readonly<Record<Exclude<PlaceOfBirth, 'En route'>, JsonObject>> = {
  Hospital: { system: SNOMED, code: '22232009', display: 'Hospital' },
  'Birth center': { system: SNOMED, code: '91154008', display: 'Free-standing birthing center' },
  Home: { system: SNOMED, code: '408839006', display: 'Planned home birth' },
  Clinic: { system: SNOMED, code: '39350007', display: 'Private physicians group office' },
  Other: { system: `${TERMINOLOGY}/v3-NullFlavor`, code: 'OTH', display: 'Other' },
};
const UNPLANNED_HOME: JsonObject = { system: SNOMED, code: '67190003' };

const codingOf = ({ story }: Report): JsonObject | null => {
  const { place, plannedPlace } = story.labor;
  if (place === 'En route') return null;
  return place === 'Home' && plannedPlace !== 'Home' ? UNPLANNED_HOME : PLACE_CODINGS[place];
};

// The guide states the place in the Encounter, the registry's specification in the Location.
const physicalType = (report: Report): JsonObject => {
  const coding = codingOf(report);
  return report.story.wording.placeStyle === 'guide' && coding !== null
    ? { physicalType: { coding: [coding] } }
    : {};
};

const placeLocation = (report: Report): JsonObject => {
  const { place } = report.story.labor;
  const coding = codingOf(report);
  const head = { ...LOCATION, name: nameOf(place, report) };
  if (coding === null)
    return {
      ...head,
      type: [OF_BIRTH],
      physicalType: concept(`${TERMINOLOGY}/location-physical-type`, 've', 'Vehicle'),
    };
  if (report.story.wording.placeStyle === 'type')
    return { ...head, type: [{ coding: [coding] }, OF_BIRTH] };
  return { ...head, type: [...(place === 'Hospital' ? [HOSPITAL] : []), OF_BIRTH] };
};

const LOCATION = { meta: { profile: [`${BFDR}/Location-bfdr`] }, status: 'active' };
const HOSPITAL = concept(`${TERMINOLOGY}/v3-RoleCode`, 'HOSP', 'Hospital');
const OF_BIRTH = concept(LOCAL_CODES, 'loc_birth', 'Birth Location');

// The guide requires a name for every place, so unnamed ones have the name of their type.
const nameOf = (place: PlaceOfBirth, { practice }: Report): string => {
  if (place === 'Hospital') return practice.hospital;
  if (place === 'Birth center') return practice.birthCenter;
  return place === 'Clinic' ? practice.clinic : place;
};

const facility = (name: string, purpose: string): JsonObject => ({
  ...LOCATION,
  name,
  type: [HOSPITAL, concept(LOCAL_CODES, purpose)],
});
