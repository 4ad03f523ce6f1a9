import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskForPartner } from '../../../../domain/course/mask.ts';
import { asObjects, isObject, type JsonObject } from '../../../../domain/fhir/json.ts';
import { splitSubmission } from '../../../../domain/intake/bfdr/bundle-splitter.ts';
import { type MappedCourse, mapCourse } from '../../../../domain/intake/bfdr/course-mapper.ts';
import { findObservationKind } from '../../../../domain/intake/bfdr/observation-kinds.ts';
import type { Lane } from '../../../../domain/intake/bfdr/place-of-birth.ts';
import {
  ELEMENTS,
  EXTENSIONS,
  IGNORED,
  READ_TYPES,
} from '../../../../domain/intake/bfdr/unread-elements.ts';
import { birthBundle, twinsBundle } from '../../../support/bundles.ts';
import { buildCompleteBundle, removeNarratives } from '../../../support/complete-bundle.ts';
import { readAllPublished, testPublished } from '../../../support/published-bundles.ts';
import { runs } from '../../../support/runs.ts';

type Json = Record<string, unknown>;

const courseOf = (bundle: JsonObject) => {
  const submission = splitSubmission(bundle);
  assert.ok(submission.kind === 'courses');
  const [submitted] = submission.courses;
  assert.ok(submitted);
  const mapped = mapCourse(submitted, 'native', []);
  assert.ok(mapped.kind === 'course', JSON.stringify(mapped));
  return mapped.course;
};

/** What all courses of a Bundle become in both lanes: rejections, too. */
const mappedIn = (bundle: JsonObject): unknown => {
  const submission = splitSubmission(bundle);
  if (submission.kind === 'refused') return submission;
  return submission.courses.map((course) =>
    (['native', 'partner'] as const).map((lane) => mapCourse(course, lane, [])),
  );
};

const unreadOf = (bundle: JsonObject): readonly (readonly [string, number | null])[] =>
  courseOf(bundle)
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

test('a partner’s record keeps none of these paths', () => {
  const bundle = changed((resource, type) => {
    if (type === 'Patient') resource['animal'] = 'cat';
  });
  assert.equal(maskForPartner(courseOf(bundle)).warnings, []);
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
      const isNamed = unreadOf(FULL).some(([field]) => field === `${type}.${element}`);
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
            unreadOf(FULL).some(([field]) => field === `${path}.${added}`),
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
          unreadOf(FULL).some(([field]) => field === `${path}.extension(shoe-size)`),
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

/** The values of a resource with their paths, extensions by their names. */
const valuesIn = (
  holder: Json,
  path: string,
): readonly { readonly holder: Json; readonly key: string; readonly path: string }[] =>
  Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const at = Array.isArray(holder) ? path : `${path}.${key}`;
    if (typeof value !== 'object' || value === null) return [{ holder, key, path: at }];
    const url = isObject(value) ? value['url'] : undefined;
    return valuesIn(
      value as Json,
      typeof url === 'string' ? `${at}(${url.split(/[/:]/).at(-1)})` : at,
    );
  });

/**
 * Whether the list says that a value at a path may be left out.
 * @param isSaidOnce nothing is said twice, so nothing counts before something else
 */
const isOnList = (path: string, isSaidOnce: boolean): boolean => {
  const [resource = '', ...rest] = path.split('.');
  const within = rest.join('.');
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

const resourcesIn = (value: unknown): readonly JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(resourcesIn);
  if (!isObject(value)) return [];
  const isOne = READ_TYPES.some((type) => type === value['resourceType']);
  return isOne ? [value] : Object.values(value).flatMap(resourcesIn);
};

const isReadResource = (resource: JsonObject): boolean =>
  resource['resourceType'] !== 'Observation' ||
  [resource, ...asObjects(resource['component'])].some(
    (one) => findObservationKind(one, []) !== null,
  );

const otherThan = (value: unknown): readonly unknown[] => {
  if (typeof value === 'number') return [value + 1, undefined];
  return typeof value === 'boolean' ? [!value, undefined] : [`${value}X`, undefined];
};

const assertEachIsTold = (bundle: JsonObject): void => {
  const read = (): string => JSON.stringify(mappedIn(bundle));
  const before = read();
  for (const resource of resourcesIn(bundle).filter(isReadResource))
    for (const { holder, key, path } of valuesIn(
      resource as Json,
      String(resource['resourceType']),
    )) {
      if (isOnList(path, bundle === FULL)) continue;
      const value = holder[key];
      const isTold = otherThan(value).some((other) => {
        if (other === undefined) delete holder[key];
        else holder[key] = other;
        return read() !== before;
      });
      holder[key] = value;
      assert.ok(isTold, path);
    }
};

test('law: each value of a birth is in the record, in a warning, or on the list', () => {
  for (const bundle of [FULL, removeNarratives(buildCompleteBundle())]) assertEachIsTold(bundle);
});

testPublished(
  test,
  'fixtures/bfdr',
  'law: each value of the published Bundles is in the record, in a warning, or on the list',
  () => readAllPublished('fixtures/bfdr').forEach(assertEachIsTold),
);

/** All Bundles that the folder beside the project has, and our own, which are there without it. */
const ALL: readonly JsonObject[] = [
  FULL,
  twinsBundle(2_400, '2026-03-14T10:00:00Z'),
  ...(['fixtures/bfdr', 'fixtures/published', 'cases'] as const).flatMap((folder) =>
    readAllPublished(folder),
  ),
];

/** Places of elements in a Bundle: of values, of objects, and of lists. */
const placesIn = (holder: Json, path: string): readonly Place[] =>
  Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const type = isObject(value) ? value['resourceType'] : undefined;
    const below = Array.isArray(holder) ? path : `${path}.${key}`;
    const at = typeof type === 'string' ? type : below;
    const here = { holder, key, path: at };
    if (typeof value !== 'object' || value === null) return [here];
    return key === 'div' || key === 'contained' ? [] : [here, ...placesIn(value as Json, at)];
  });

interface Place {
  readonly holder: Json;
  readonly key: string;
  readonly path: string;
}

/** The same value twice with a difference, and the value as other types of JSON. */
const DISTORTIONS: readonly ((value: unknown) => unknown)[] = [
  (value) => [value, typeof value === 'string' ? `${value}X` : value],
  (value) => [value],
  (value) => (typeof value === 'boolean' ? { value } : true),
  (value) => (typeof value === 'number' ? String(value) : 7),
  (value) => {
    if (isObject(value)) return 'words';
    return Array.isArray(value) ? 7 : { value };
  },
];

/** Paths of the values that courses hold, without their warnings. */
const heldIn = (mapped: readonly MappedCourse[]): ReadonlySet<string> => {
  const held = new Set<string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) {
      if (value !== null) held.add(path);
      return;
    }
    for (const [name, part] of Object.entries(value)) visit(part, `${path}.${name}`);
  };
  for (const [index, one] of mapped.entries())
    if (one.kind === 'course') visit({ ...one.course, warnings: [] }, String(index));
  return held;
};

const listWarnings = (mapped: readonly MappedCourse[]): readonly string[] =>
  mapped.flatMap((one) =>
    one.kind === 'course' ? one.course.warnings.map((warning) => JSON.stringify(warning)) : [],
  );

const LANES = ['native', 'partner'] as const;

const mappedBy = (bundle: JsonObject, lane: Lane): readonly MappedCourse[] => {
  const submission = splitSubmission(bundle);
  return submission.kind === 'refused'
    ? []
    : submission.courses.map((course) => {
        const mapped = mapCourse(course, lane, []);
        if (lane === 'native' || mapped.kind !== 'course') return mapped;
        return { ...mapped, course: maskForPartner(mapped.course) };
      });
};

test('law: a changed element never removes a value from a record without a warning', () => {
  const bundles = ALL.map((bundle) => {
    const mapped = { native: mappedBy(bundle, 'native'), partner: mappedBy(bundle, 'partner') };
    return { bundle, places: placesIn(bundle as Json, 'Bundle'), mapped };
  });
  const silent = new Set<string>();
  const position = fc.nat();
  fc.assert(
    fc.property(position, position, fc.nat(DISTORTIONS.length - 1), (which, where, how) => {
      const { bundle, places, mapped } = bundles[
        which % bundles.length
      ] as (typeof bundles)[number];
      const place = places[where % places.length];
      const distort = DISTORTIONS[how];
      if (place === undefined || distort === undefined) return;
      const { holder, key, path } = place;
      const sent = holder[key];
      holder[key] = distort(sent);
      const lane = LANES[how % 2 === where % 2 ? 0 : 1] ?? 'native';
      const is = mappedBy(bundle, lane);
      const changed = JSON.stringify(holder[key])?.slice(0, 80);
      holder[key] = sent;
      const was = mapped[lane];
      // Refused, retracted, or warned of: somebody is told.
      if (is.length !== was.length || is.some(({ kind }, at) => kind !== was[at]?.kind)) return;
      const warned = new Set(listWarnings(was));
      if (listWarnings(is).some((warning) => !warned.has(warning))) return;
      const held = heldIn(is);
      const lost = [...heldIn(was)].filter((one) => !held.has(one));
      if (lost.length > 0) silent.add(`${lane} ${path} ${changed}: ${lost}`);
    }),
    runs(8_000),
  );
  assert.equal([...silent], []);
});

test.run();
