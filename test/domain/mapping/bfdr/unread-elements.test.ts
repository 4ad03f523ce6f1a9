import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { asObjects, isObject, type JsonObject } from '../../../../domain/fhir/json.ts';
import { isReplaced } from '../../../../domain/fhir/replaced-patients.ts';
import { splitSubmission } from '../../../../domain/mapping/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/mapping/bfdr/course-mapper.ts';
import type { Lane } from '../../../../domain/mapping/bfdr/place-of-birth.ts';
import { readPatientRole } from '../../../../domain/mapping/bfdr/roles.ts';
import {
  ELEMENTS,
  EXTENSIONS,
  IGNORED,
  READ_TYPES,
} from '../../../../domain/mapping/bfdr/unread-elements.ts';
import { BIRTHS } from '../../../support/births-of-every-shape.ts';
import { birthBundle, twinsBundle } from '../../../support/bundles.ts';
import { buildCompleteBundle, removeNarratives } from '../../../support/complete-bundle.ts';
import { sentBundle } from '../../../support/exported-records.ts';
import { readAllPublished, testPublished } from '../../../support/published-bundles.ts';
import { IS_LONG, runs } from '../../../support/runs.ts';

type Json = Record<string, unknown>;

const courseOf = (bundle: JsonObject, lane: Lane = 'native') => {
  const submission = splitSubmission(bundle);
  assert.ok(submission.kind === 'courses');
  const [submitted] = submission.courses;
  assert.ok(submitted);
  const mapped = mapCourse(submitted, lane, []);
  assert.ok(mapped.kind === 'course', JSON.stringify(mapped));
  return mapped.course;
};

const unreadOf = (
  bundle: JsonObject,
  lane: Lane = 'native',
): readonly (readonly [string, number | null])[] =>
  courseOf(bundle, lane)
    .warnings.filter(({ id }) => id === 'element-not-read')
    .map(({ field, child }) => [field, child] as const);

/** A birth of which every resource can be changed. */
const changed = (change: (resource: Json, type: string) => void): JsonObject => {
  const bundle = structuredClone(birthBundle({ mother: { family: 'Marin' } }));
  for (const { resource } of asObjects(bundle['entry']))
    if (isObject(resource)) change(resource as Json, String(resource['resourceType']));
  return bundle;
};

const roleOf = (resource: Json): string => JSON.stringify(resource['meta'] ?? '').toLowerCase();

test('an ordinary birth leaves no such warning', () => {
  assert.equal(unreadOf(birthBundle({})), []);
});

test('an element that no resource of its type has is named by its path, of the mother and of a child', () => {
  const bundle = changed((resource, type) => {
    if (type === 'Patient') resource['animal'] = { species: 'cat' };
  });
  assert.equal(unreadOf(bundle), [
    ['Patient.animal', null],
    ['Patient.animal', 0],
  ]);
});

test('an extension that is not known is named, on the resource and on an element', () => {
  const extension = [{ url: 'http://example.org/StructureDefinition/shoe-size', valueInteger: 9 }];
  const bundle = changed((resource, type) => {
    if (type !== 'Patient' || roleOf(resource).includes('child')) return;
    resource['extension'] = [...asObjects(resource['extension']), ...extension];
    resource['_birthDate'] = { extension };
  });
  assert.ok(
    unreadOf(bundle).some(([field]) => field === 'Patient.extension(shoe-size)'),
    JSON.stringify(unreadOf(bundle)),
  );
  assert.ok(unreadOf(bundle).some(([field]) => field === 'Patient.birthDate.extension(shoe-size)'));
});

test('a known extension whose url is a name alone is named, because no reader finds it', () => {
  const bundle = changed((resource, type) => {
    if (type !== 'Patient') return;
    resource['_birthDate'] = { extension: [{ url: 'patient-birthTime', valueTime: '14:05:00' }] };
  });
  assert.equal(unreadOf(bundle), [
    ['Patient.birthDate.extension(patient-birthTime)', null],
    ['Patient.birthDate.extension(patient-birthTime)', 0],
  ]);
});

test('one path is named once for each person, however often it stands there', () => {
  const extension = Array.from({ length: 50 }, () => ({ url: 'urn:x:room', valueString: '4' }));
  const bundle = changed((resource, type) => {
    if (type === 'Patient') resource['extension'] = extension;
  });
  assert.equal(unreadOf(bundle), [
    ['Patient.extension(room)', null],
    ['Patient.extension(room)', 0],
  ]);
});

test('a name that FHIR cannot have is not repeated: it may be somebody’s', () => {
  const bundle = changed((resource, type) => {
    if (type === 'Patient') resource['Ana María Ruiz'] = true;
  });
  assert.equal(unreadOf(bundle), [
    ['Patient', null],
    ['Patient', 0],
  ]);
});

test('what the tables name leaves no warning', () => {
  const bundle = changed((resource, type) => {
    const known = READ_TYPES.find((one) => one === type);
    if (known === undefined) return;
    for (const name of ELEMENTS[known].ignored) resource[name] = 'anything';
    const extension = EXTENSIONS[known].ignored.map((url) => ({ url: `http://x/${url}` }));
    resource['extension'] = [...asObjects(resource['extension']), ...extension];
  });
  assert.equal(unreadOf(bundle), []);
});

test('a partner’s record keeps only the type of the resource, and whether it was an extension', () => {
  const bundle = changed((resource, type) => {
    if (type === 'Patient') Object.assign(resource, { animal: 'cat', Ana: 'Ruiz' });
    if (type === 'Patient') resource['_birthDate'] = { extension: [{ url: 'urn:x:Ana' }] };
  });
  assert.equal(
    maskForPartner(courseOf(bundle, 'partner')).warnings.map(({ field, child }) => [field, child]),
    [
      ['Patient', null],
      ['Patient.extension', null],
      ['Patient.extension', 0],
      ['Patient', 0],
    ],
  );
});

const observed = (code: string, more: JsonObject = {}): JsonObject => ({
  resourceType: 'Observation',
  code: { coding: [{ system: 'http://loinc.org', code }] },
  ...more,
});

for (const lane of ['native', 'partner'] as const)
  test(`${lane}: each code of an Observation that is in no table is named once`, () => {
    const more = ['8867-4', '8867-4', '8310-5', '87300-0', 'Ana Ruiz'].map((code) =>
      observed(code),
    );
    const { warnings } = courseOf(birthBundle({ more }), lane);
    assert.equal(
      warnings.map(({ field, raw, id }) => [field, raw, id]),
      ['8867-4', '8310-5', null].map((raw) => ['Observation.code', raw, 'element-not-read']),
    );
  });

test('a type of resource that FHIR does not have is named', () => {
  const more = ['Observationn', 'Procedure', 'observation '].map((resourceType) => ({
    resourceType,
  }));
  const { warnings } = courseOf(birthBundle({ more }));
  assert.equal(
    warnings.map(({ field, id }) => [field, id]),
    [['Bundle.entry.resource', 'other-type']],
  );
});

test('an element of another type says which child it is of', () => {
  const subject = { reference: 'Patient/child-1' };
  const more = [observed('8867-4', { subject, status: 7 }), observed('8867-4', { status: 7 })];
  const { warnings } = courseOf(birthBundle({ more }));
  assert.equal(
    warnings.filter(({ id }) => id === 'other-type').map(({ field, child }) => [field, child]),
    [
      ['Observation.status', 0],
      ['Observation.status', null],
    ],
  );
});

test('a Composition whose Encounter is not there leaves a warning', () => {
  const more = [{ resourceType: 'Composition', encounter: { reference: 'Encounter/none' } }];
  assert.equal(
    courseOf(birthBundle({ more })).warnings.map(({ field, id }) => [field, id]),
    [['place_of_birth', 'reference-missing']],
  );
});

test('an address that is a text beside no line leaves a warning with it', () => {
  const address = [{ text: '12 Elm Street, Eugene', city: 'Eugene' }];
  const bundle = changed((resource, type) => {
    if (type === 'Patient') resource['address'] = address;
  });
  assert.equal(
    courseOf(bundle).warnings.map(({ field, raw, id }) => [field, raw, id]),
    [['mother.address.line', '12 Elm Street, Eugene', 'not-understood']],
  );
});

test('an address that is one text alone leaves a warning with it', () => {
  const bundle = changed((resource, type) => {
    if (type === 'Patient') resource['address'] = [{ text: '12 Elm Street, Eugene, OR 97401' }];
  });
  const { mother, warnings } = courseOf(bundle);
  assert.is(mother.address.line, null);
  assert.equal(
    warnings.map(({ field, raw, id }) => [field, raw, id]),
    [['mother.address.line', '12 Elm Street, Eugene, OR 97401', 'not-understood']],
  );
});

/** The objects of a resource that are read, with their paths: none below an extension. */
const objectsIn = (value: unknown, path: string): readonly (readonly [Json, string])[] => {
  if (Array.isArray(value)) return value.flatMap((one) => objectsIn(one, path));
  if (!isObject(value)) return [];
  const inner = Object.entries(value)
    .filter(([name]) => name !== 'extension' && name !== 'meta' && !name.startsWith('_'))
    .flatMap(([name, part]) => objectsIn(part, `${path}.${name}`));
  return [[value as Json, path], ...inner];
};

const FULL = birthBundle({
  children: [{ weight: null }],
  encounter: { hospitalization: { admitSource: { coding: [{ code: 'hosp-trans' }] } } },
  more: [
    {
      resourceType: 'Observation',
      status: 'final',
      code: { coding: [{ system: 'http://loinc.org', code: '8339-4' }] },
      subject: { reference: 'Patient/child-1' },
      valueQuantity: { value: 7, unit: 'lb' },
      component: [
        { code: { coding: [{ code: '8339-4' }] }, valueQuantity: { value: 8, unit: 'oz' } },
      ],
    },
    { resourceType: 'Consent', status: 'active', provision: { type: 'permit' } },
    { resourceType: 'Composition', status: 'final', encounter: { reference: 'Encounter/birth' } },
    {
      resourceType: 'Practitioner',
      id: 'p',
      identifier: [{ system: 'urn:x', value: 'P-1' }],
      name: [{ family: 'Ruiz' }],
    },
    { resourceType: 'PractitionerRole', practitioner: { reference: 'Practitioner/p' } },
  ],
});
for (const { resource } of asObjects(FULL['entry']))
  if (isObject(resource) && roleOf(resource as Json).includes('mother'))
    Object.assign(resource, {
      telecom: [{ system: 'phone', value: '503-555-0142' }],
      address: [{ line: ['12 Elm Street'], city: 'Eugene', state: 'OR' }],
    });
const PLACES = asObjects(FULL['entry']).flatMap(({ resource }) =>
  isObject(resource) && READ_TYPES.some((type) => type === resource['resourceType'])
    ? objectsIn(resource, String(resource['resourceType']))
    : [],
);

test('law: whatever is added to a resource that is read, it is known or a warning names it', () => {
  const name = fc.stringMatching(/^[a-z][A-Za-z]{2,20}$/);
  fc.assert(
    fc.property(fc.constantFrom(...READ_TYPES), name, fc.jsonValue(), (type, element, value) => {
      const [resource] = PLACES.find(([, path]) => path === type) ?? [];
      assert.ok(resource);
      const isNew = !(element in resource) && !isKnown(type, element);
      if (isNew) resource[element] = value;
      const isNamed = unreadOf(FULL, 'partner').some(([field]) => field === `${type}.${element}`);
      if (isNew) delete resource[element];
      assert.is(isNamed, isNew);
    }),
    runs(2_000),
  );
});

const isKnown = (type: (typeof READ_TYPES)[number], element: string): boolean =>
  [...ELEMENTS[type].read, ...ELEMENTS[type].ignored, ...OF_ANY].includes(element);

const OF_ANY = ['id', 'meta', 'text', 'language', 'contained', 'extension', 'modifierExtension'];

test('law: whatever is added to what is read, however deep, a warning names it', () => {
  for (const type of READ_TYPES)
    assert.ok(
      PLACES.some(([, path]) => path === type),
      type,
    );
  for (const path of ['Observation.component.code.coding', 'Patient.address', 'Encounter.location'])
    assert.ok(
      PLACES.some(([, one]) => one === path),
      path,
    );
  const name = fc.stringMatching(/^z[A-Za-z]{2,20}$/);
  fc.assert(
    fc.property(
      fc.constantFrom(...PLACES),
      name,
      fc.jsonValue(),
      ([object, path], added, value) => {
        object[added] = value;
        try {
          assert.ok(
            unreadOf(FULL, 'partner').some(([field]) => field === `${path}.${added}`),
            path,
          );
        } finally {
          delete object[added];
        }
      },
    ),
    runs(1_000),
  );
});

test('law: wherever an extension that is not known is added, a warning names it', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PLACES), ([object, path]) => {
      const before = object['extension'];
      object['extension'] = [{ url: 'http://example.org/shoe-size', valueInteger: 9 }];
      try {
        assert.ok(
          unreadOf(FULL, 'partner').some(([field]) => field === `${path}.extension(shoe-size)`),
          path,
        );
      } finally {
        if (before === undefined) delete object['extension'];
        else object['extension'] = before;
      }
    }),
    runs(200),
  );
});

/** Place of an element in a Bundle: of a value, of an object, or of a list. */
interface Place {
  readonly holder: Json;
  readonly key: string;
  /** From the resource, extensions by their names. */
  readonly path: string;
}

const nameExtension = (path: string, value: unknown): string => {
  const url = isObject(value) ? value['url'] : undefined;
  return typeof url === 'string' && path.endsWith('xtension')
    ? `${path}(${url.split(/[/:]/).at(-1)})`
    : path;
};

// Nothing is read of another person, nor of one that another Patient has replaced, which is told.
const nameResource = (resource: JsonObject): unknown => {
  const { resourceType: type } = resource;
  const isPerson =
    type !== 'Patient' || (readPatientRole(resource) !== null && !isReplaced(resource));
  return isPerson ? type : 'Another Patient';
};

const placesIn = (holder: Json, path: string): readonly Place[] =>
  Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const type = isObject(value) ? nameResource(value) : undefined;
    const below = Array.isArray(holder) ? path : `${path}.${key.replace(/^_/, '')}`;
    const at = typeof type === 'string' ? type : nameExtension(below, value);
    const here = { holder, key, path: at };
    if (typeof value !== 'object' || value === null) return [here];
    return key === 'div' || key === 'contained' ? [] : [here, ...placesIn(value as Json, at)];
  });

/**
 * Whether the list says that a value at a path may be left out.
 * @param isSaidOnce nothing is said twice, so nothing counts before something else
 */
const isOnList = (path: string, isSaidOnce: boolean): boolean => {
  const [resource = '', ...rest] = path.split('.');
  const within = rest.join('.');
  if (!LISTED.has(resource)) return true;
  return IGNORED.filter((one) => one.resource === resource || one.resource === 'any').some(
    ({ resource: of, elements, extensions, parts }) =>
      elements.some((name) => within === name || within.startsWith(`${name}.`)) ||
      extensions.some((name) => within.includes(`extension(${name})`)) ||
      parts.some(({ path: part, when }) =>
        isSaidOnce && when?.includes('where') === true
          ? false
          : of === 'any'
            ? rest.includes(part)
            : `${within}.`.startsWith(
                `${part.replace('[x]', '')}${part.endsWith('[x]') ? '' : '.'}`,
              ),
      ),
  );
};

/** Others are ignored as a whole, RelatedPerson with all its elements. */
const LISTED: ReadonlySet<string> = new Set(
  IGNORED.map(({ resource }) => resource).filter((resource) => resource !== 'RelatedPerson'),
);

/** Whether the list has all that stands at a place. */
const isAllOnList = ({ holder, key, path }: Place, isSaidOnce: boolean): boolean => {
  const value = holder[key];
  if (isOnList(path, isSaidOnce)) return true;
  if (typeof value !== 'object' || value === null) return path.endsWith('.url');
  const inner = placesIn(value as Json, path);
  return inner.every(
    (one) => typeof one.holder[one.key] === 'object' || isAllOnList(one, isSaidOnce),
  );
};

const shiftDay = (text: string): string => {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + 1);
  return `${day.toISOString().slice(0, 10)}${text.slice(10)}`;
};

const otherThan = (value: unknown): unknown => {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'string')
    return /^\d{4}-\d{2}-\d{2}/.test(value) ? shiftDay(value) : `${value}X`;
  return isObject(value) ? { ...value, ...otherParts(value) } : value;
};

const otherParts = (object: JsonObject): JsonObject => {
  const names = Object.keys(object).filter((name) => name !== 'resourceType' && name !== 'url');
  return Object.fromEntries(
    names.map((name) => {
      const value = object[name];
      return [name, Array.isArray(value) ? value.map(otherThan) : otherThan(value)];
    }),
  );
};

const swapCase = (text: string): string =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

interface Way {
  readonly name: string;
  /** Undefined removes the element; an element of a list may become several. */
  readonly change: (value: unknown) => unknown;
  /** Whether the value may be read as the same: blanks around it, another case, or in a list of one. */
  readonly isSame?: true;
}

const ofText = (change: (text: string) => unknown) => (value: unknown) =>
  typeof value === 'string' && value !== '' ? change(value) : value;

const WAYS: readonly Way[] = [
  { name: 'dropped', change: () => undefined },
  { name: 'doubled', change: (value) => [value, otherThan(value)] },
  { name: 'a list', change: (value) => (Array.isArray(value) ? 7 : [value]), isSame: true },
  { name: 'a boolean', change: (value) => (typeof value === 'boolean' ? { value } : true) },
  { name: 'a number', change: (value) => (typeof value === 'number' ? value : 7) },
  { name: 'a text', change: (value) => (typeof value === 'string' ? { value } : 'words') },
  {
    name: 'its text',
    change: (value) => (typeof value === 'object' ? value : String(value)),
    isSame: true,
  },
  { name: 'another value', change: (value) => (isObject(value) ? value : otherThan(value)) },
  { name: 'another word', change: ofText(() => 'Somethingelse') },
  {
    name: 'a letter',
    change: ofText((text) => `${text.slice(0, -1)}${text.endsWith('q') ? 'z' : 'q'}`),
  },
  { name: 'blanks', change: ofText((text) => ` ${text} `), isSame: true },
  { name: 'another case', change: ofText(swapCase), isSame: true },
];

/** Changes a place while `read` reads; null if that way does not change it. */
const readChanged = <T>({ holder, key }: Place, way: Way, read: () => T): T | null => {
  const sent = holder[key];
  const changed = way.change(sent);
  if (changed === sent) return null;
  const list = Array.isArray(holder) ? holder : null;
  const isOfList = list !== null && (way.name === 'dropped' || way.name === 'doubled');
  const before = [...(list ?? [])];
  if (isOfList)
    list.splice(Number(key), 1, ...(changed === undefined ? [] : (changed as unknown[])));
  else if (changed === undefined) delete holder[key];
  else holder[key] = changed;
  try {
    return read();
  } finally {
    if (isOfList) list.splice(0, list.length, ...before);
    else holder[key] = sent;
  }
};

/** What a push of a Bundle brings about, and what somebody is told of it. */
interface Outcome {
  /** Refusal, rejections, or retraction; else the kinds of the courses. */
  readonly answer: string;
  readonly content: string;
  /** Paths of the values that the courses hold. */
  readonly held: ReadonlySet<string>;
  /** Before the mask, which may make two of them equal. */
  readonly warnings: ReadonlySet<string>;
}

const LANES = ['native', 'partner'] as const;

const pathsIn = (value: unknown, path: string): readonly string[] => {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [path];
  return Object.entries(value).flatMap(([name, part]) => pathsIn(part, `${path}.${name}`));
};

const outcomeOf = (bundle: JsonObject, lane: Lane): Outcome => {
  const submission = splitSubmission(bundle);
  const mapped: readonly MappedCourse[] =
    submission.kind === 'refused'
      ? []
      : submission.courses.map((course) => mapCourse(course, lane, []));
  const courses = mapped.flatMap((one) => (one.kind === 'course' ? [one] : []));
  const others = mapped.map((one) => (one.kind === 'course' ? one.kind : one));
  const warnings = courses.flatMap(({ course }) => course.warnings);
  // Nobody is told what the mask drops.
  const told = warnings.filter(
    (one) =>
      lane === 'native' ||
      maskForPartner({ ...courses[0]?.course, warnings: [one] } as never).warnings.length > 0,
  );
  const contents = courses.map((one) => ({ ...one, course: { ...one.course, warnings: [] } }));
  return {
    answer: JSON.stringify([submission.kind === 'refused' ? submission : null, others]),
    content: JSON.stringify(contents),
    held: new Set(pathsIn(contents, '')),
    warnings: new Set(told.map((one) => JSON.stringify(one))),
  };
};

/** Why a change is silent; null if it is not. */
const findSilence = (was: Outcome, is: Outcome, way: Way): string | null => {
  if (is.answer !== was.answer || [...is.warnings].some((one) => !was.warnings.has(one)))
    return null;
  if (is.content === was.content) return way.isSame ? null : 'nothing changes';
  if (way.name === 'dropped') return null;
  // A text in the place of a list is its only part.
  const isHeld = (one: string) =>
    is.held.has(one) || (way.name === 'a text' && is.held.has(one.replace(/\d+$/, '0')));
  const lost = [...was.held].filter((one) => !isHeld(one));
  return lost.length === 0 ? null : `${lost} is lost`;
};

const assertNothingIsSilent = (bundles: readonly JsonObject[], total: number): void => {
  const all = bundles.map((bundle) => ({
    bundle,
    places: placesIn(bundle as Json, 'Bundle').filter(
      (place) => !isAllOnList(place, bundle === FULL),
    ),
    was: { native: outcomeOf(bundle, 'native'), partner: outcomeOf(bundle, 'partner') },
  }));
  // Whatever is not read is told already.
  const read = all.filter(({ was }) => was.native.held.size > 0);
  const silent = new Set<string>();
  const lanes = fc.constantFrom(...LANES);
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.constantFrom(...WAYS), lanes, (which, where, way, lane) => {
      const { bundle, places, was } = read[which % read.length] as (typeof read)[number];
      const place = places[where % places.length];
      // Nothing is said once that is doubled.
      if (place === undefined || (way.name === 'doubled' && isAllOnList(place, false))) return;
      // Scores need no unit, and other units may stand in words beside the code.
      if (way.name === 'dropped' && place.path.endsWith('valueQuantity.code')) return;
      const is = readChanged(place, way, () => outcomeOf(bundle, lane));
      const silence = is === null ? null : findSilence(was[lane], is, way);
      if (silence !== null) silent.add(`${place.path}: ${silence} | ${way.name} ${lane}`);
    }),
    runs(IS_LONG ? 4 * total : total),
  );
  assert.equal([...silent].sort(), []);
};

test('law: whatever is dropped, doubled, retyped, or respelled changes the outcome, leaves a warning, or is on the list', () => {
  const own = BIRTHS.map(({ record }) => sentBundle(record));
  const twins = twinsBundle(2_400, '2026-03-14T10:00:00Z');
  const bundles = [FULL, twins, removeNarratives(buildCompleteBundle()), ...own];
  assertNothingIsSilent(bundles, 6_000);
});

for (const folder of ['fixtures/bfdr', 'fixtures/published', 'cases'] as const)
  testPublished(test, folder, `law: the same holds for the Bundles of ${folder}`, () =>
    assertNothingIsSilent(readAllPublished(folder), 4_000),
  );

test.run();
