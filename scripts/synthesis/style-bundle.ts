import { REGISTRY_CODES } from '../../domain/course/codes.ts';
import type { CourseOfCare } from '../../domain/course/course.ts';
import { buildPlaceCoding } from '../../domain/export/bfdr/build-observations.ts';
import {
  buildCoding,
  buildConcept,
  TERMINOLOGY,
  toList,
} from '../../domain/export/bfdr/elements.ts';
import { readCodes, SNOMED, UCUM } from '../../domain/fhir/coded-values.ts';
import { RECORDED, readRecorded } from '../../domain/fhir/extensions.ts';
import { asObject, asObjects, isObject, type JsonObject } from '../../domain/fhir/json.ts';
import { LOCATION_ROLES } from '../../domain/mapping/bfdr/place-of-birth.ts';
import { PROVIDER_IDENTITIES } from '../../domain/mapping/bfdr/practitioners.ts';
import { RACE_OBSERVATION_CODE } from '../../domain/mapping/bfdr/race-observation.ts';
import type { Practice } from './practice.ts';
import type { Birth } from './sender-style.ts';

/** Server of the client, at an address reserved for examples (RFC 2606). */
export const SENDER = 'https://ehr.example.org/fhir';

interface Report extends Birth {
  readonly practice: Practice;
  readonly status: 'final' | 'amended' | 'entered-in-error';
  readonly sent: ReadonlySet<unknown>;
  readonly firstChild: unknown;
}

/** @param status status of its Composition */
export const styleBundle = (
  bundle: JsonObject,
  birth: Birth,
  practice: Practice,
  status: Report['status'],
): JsonObject => {
  const entries = asObjects(bundle['entry']).filter(
    ({ resource }) => birth.style.raceStyle === 'worksheet' || !isWorksheet(asObject(resource)),
  );
  const [composition] = entries;
  const { subject } = asObject(composition?.['resource']);
  const sent = new Set(entries.map(({ fullUrl }) => fullUrl));
  const report = { ...birth, practice, status, sent, firstChild: asObject(subject)['reference'] };
  const styled = entries.map((entry) => {
    const resource = asObject(entry['resource']);
    const style = STYLES[String(resource['resourceType'])];
    return style === undefined ? entry : { ...entry, resource: style(resource, report) };
  });
  return { ...bundle, entry: birth.style.addresses === 'urls' ? writeUrls(styled) : styled };
};

const isWorksheet = ({ code }: JsonObject): boolean =>
  readCodes(code).includes(RACE_OBSERVATION_CODE);

/** Replaces UUIDs with shorter ids on the client's server. */
const writeUrls = (entries: readonly JsonObject[]): readonly JsonObject[] => {
  const ids = entries.map(
    ({ resource }, at) => `${String(asObject(resource)['id']).slice(0, 8)}-${at + 1}`,
  );
  const paths = new Map(
    entries.map(({ fullUrl, resource }, at) => {
      const { resourceType } = asObject(resource);
      return [fullUrl, `${resourceType}/${ids[at]}`];
    }),
  );
  return entries.map(({ fullUrl, resource }, at) => ({
    fullUrl: `${SENDER}/${paths.get(fullUrl)}`,
    resource: { ...asObject(replaceReferences(resource, paths)), id: ids[at] },
  }));
};

const replaceReferences = (value: unknown, paths: ReadonlyMap<unknown, string>): unknown => {
  if (Array.isArray(value)) return value.map((one) => replaceReferences(one, paths));
  if (!isObject(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const name in value)
    copy[name] =
      name === 'reference' ? paths.get(value[name]) : replaceReferences(value[name], paths);
  return copy;
};

const styleComposition = (
  composition: JsonObject,
  { practice, status, sent }: Report,
): JsonObject => ({
  ...composition,
  status,
  author: asObjects(composition['author']).map((one) =>
    one['display'] === undefined ? one : { display: practice.hospital },
  ),
  section: asObjects(composition['section']).map((one) => ({
    ...one,
    entry: asObjects(one['entry']).filter(({ reference }) => sent.has(reference)),
  })),
});

const stylePatient = (patient: JsonObject, { style }: Report): JsonObject => {
  const { gender, identifier, extension } = patient;
  return {
    ...patient,
    ...(extension === undefined || style.raceStyle === 'worksheet'
      ? {}
      : { extension: asObjects(extension).map(removeMarks) }),
    identifier: asObjects(identifier).map((one) => ({ ...one, system: `${SENDER}/sid/mrn` })),
    // Only the mother's is unknown.
    gender: gender === 'unknown' ? 'female' : gender,
  };
};

const removeMarks = (extension: JsonObject): JsonObject => {
  const { extension: parts } = extension;
  return parts === undefined
    ? extension
    : { ...extension, extension: asObjects(parts).filter(({ url }) => url !== RECORDED) };
};

const styleObservation = (observation: JsonObject, report: Report): JsonObject => {
  const codes = readCodes(observation['code']);
  if (codes.includes('8339-4')) return weigh(observation, report);
  return codes.includes('57712-2') ? styleEducation(observation) : observation;
};

const GRAMS_OF_STONE = 6350.29318;
const GRAMS_OF_OUNCE = 28.349523125;
const OUNCES_OF_POUND = 16;

const buildQuantity = (value: number, code: string, unit = code): JsonObject => ({
  valueQuantity: { value, unit, system: UCUM, code },
});

const weigh = (observation: JsonObject, { style, firstChild }: Report): JsonObject => {
  const { meta: _, valueQuantity, ...weight } = observation;
  const grams = Number(asObject(valueQuantity)['value']);
  const isFirst = asObject(weight['subject'])['reference'] === firstChild;
  if (style.slip === 'weight in stones' && isFirst) {
    const stones = Math.round((grams / GRAMS_OF_STONE) * 100) / 100;
    return { ...weight, ...buildQuantity(stones, '[stone_av]', 'st') };
  }
  if (style.weightUnit === 'grams') return observation;
  if (style.weightUnit === 'kilograms') return { ...weight, ...buildQuantity(grams / 1000, 'kg') };
  const ounces = Math.round(grams / GRAMS_OF_OUNCE);
  const parts = [
    buildQuantity(Math.floor(ounces / OUNCES_OF_POUND), '[lb_av]', 'lb'),
    buildQuantity(ounces % OUNCES_OF_POUND, '[oz_av]', 'oz'),
  ];
  return { ...weight, component: parts.map((part) => ({ code: weight['code'], ...part })) };
};

// Many clients still send degrees from the previous value set, which the profile rejects.
const styleEducation = (observation: JsonObject): JsonObject => {
  const { meta: _, ...education } = observation;
  const [degree] = readRecorded(education['valueCodeableConcept']);
  if (degree === undefined) return observation;
  const level = buildConcept(`${TERMINOLOGY}/v3-EducationLevel`, degree);
  return { ...education, valueCodeableConcept: level };
};

// The guide states the place in the Encounter, the registry's specification in the Location.
const styleEncounter = (encounter: JsonObject, { style, course }: Report): JsonObject => {
  const { location } = encounter;
  if (location === undefined) return encounter;
  const isByGuide = style.placeStyle === 'guide' && findPlaceCoding(course) !== null;
  return {
    ...encounter,
    location: asObjects(location).map(({ location: reference, physicalType }) => ({
      location: reference,
      ...(isByGuide ? { physicalType } : {}),
    })),
  };
};

/** A vehicle has none. */
const findPlaceCoding = ({
  place_of_birth: place,
  planned_place_of_birth: planned,
}: CourseOfCare): JsonObject | null => {
  if (place === null || place === 'En route') return null;
  return place === 'Home' && planned !== 'Home'
    ? { system: SNOMED, code: '67190003' }
    : buildPlaceCoding(place);
};

const HOSPITAL = buildConcept(`${TERMINOLOGY}/v3-RoleCode`, 'HOSP', 'Hospital');

const styleLocation = (location: JsonObject, { style, course, practice }: Report): JsonObject => {
  const { _name, ...place } = location;
  const role = asObjects(place['type']).at(-1);
  if (!readCodes(role).includes(LOCATION_ROLES.birth)) return location;
  const isHospital = course.place_of_birth === 'Hospital';
  const coding = findPlaceCoding(course);
  const named = { ...place, name: namePlace(course.place_of_birth, practice) };
  if (coding === null) return named;
  const kinds = style.placeStyle === 'type' ? [{ coding: [coding] }] : isHospital ? [HOSPITAL] : [];
  return { ...named, type: [...kinds, role] };
};

// The guide requires a name for every place, so unnamed ones have the name of their type.
const namePlace = (place: string | null, practice: Practice): string | null => {
  if (place === 'Hospital') return practice.hospital;
  if (place === 'Birth center') return practice.birthCenter;
  return place === 'Clinic' ? practice.clinic : place;
};

/** A provider with a name in parts, letters after it, and the qualification as text. */
const stylePractitioner = (practitioner: JsonObject, { providers }: Report): JsonObject => {
  const identifiers = asObjects(practitioner['identifier']);
  const who = providers.find(({ identity }) => identifiers.some(({ value }) => value === identity));
  const [given = '', ...family] = (who?.name ?? '').split(' ');
  const letters = /^[A-Z.]{2,}/.exec(who?.credentials ?? '')?.[0];
  return {
    ...practitioner,
    identifier: identifiers.map((one) =>
      one['system'] === PROVIDER_IDENTITIES ? { ...one, system: `${SENDER}/sid/provider` } : one,
    ),
    name: [
      {
        family: family.join(' '),
        given: [given],
        ...toList('suffix', letters === undefined ? [] : [letters]),
      },
    ],
    qualification: asObjects(practitioner['qualification']).map(({ code }) => ({
      code: {
        coding: asObjects(asObject(code)['coding']).filter(
          ({ system }) => system !== REGISTRY_CODES,
        ),
        text: who?.credentials,
      },
    })),
  };
};

/** Consent that is denied only in part. */
const styleConsent = (consent: JsonObject): JsonObject =>
  asObject(consent['provision'])['type'] !== 'deny'
    ? consent
    : {
        ...consent,
        policyRule: buildConcept(`${TERMINOLOGY}/v3-ActCode`, 'OPTIN', 'opt-in'),
        provision: {
          type: 'permit',
          provision: [
            {
              type: 'deny',
              purpose: [buildCoding(`${TERMINOLOGY}/v3-ActReason`, 'HRESCH')],
            },
          ],
        },
      };

const STYLES: Readonly<Record<string, (resource: JsonObject, report: Report) => JsonObject>> = {
  Composition: styleComposition,
  Patient: stylePatient,
  Observation: styleObservation,
  Encounter: styleEncounter,
  Location: styleLocation,
  Organization: (organization, { practice }) => ({ ...organization, name: practice.hospital }),
  Practitioner: stylePractitioner,
  Consent: styleConsent,
};
