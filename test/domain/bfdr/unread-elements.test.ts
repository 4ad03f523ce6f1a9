import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mapCourse } from '../../../domain/bfdr/course-mapper.ts';
import { openSubmission } from '../../../domain/bfdr/submission.ts';
import { ELEMENTS, EXTENSIONS, READ_TYPES } from '../../../domain/bfdr/unread-elements.ts';
import { maskForPartner } from '../../../domain/course-of-care/mask.ts';
import { isObject, type JsonObject, objectsOf } from '../../../domain/fhir/json.ts';
import { birthBundle } from '../../support/bundles.ts';
import { runs } from '../../support/runs.ts';

type Json = Record<string, unknown>;

const courseOf = (bundle: JsonObject) => {
  const submission = openSubmission(bundle);
  assert.ok(submission.kind === 'courses');
  const [submitted] = submission.courses;
  assert.ok(submitted);
  const mapped = mapCourse(submitted, 'native', []);
  assert.ok(mapped.kind === 'course', JSON.stringify(mapped));
  return mapped.course;
};

const unreadOf = (bundle: JsonObject): readonly (readonly [string, number | null])[] =>
  courseOf(bundle)
    .warnings.filter(({ id }) => id === 'element-not-read')
    .map(({ field, child }) => [field, child] as const);

/** A birth of which every resource can be changed. */
const changed = (change: (resource: Json, type: string) => void): JsonObject => {
  const bundle = structuredClone(birthBundle({ mother: { family: 'Marin' } }));
  for (const { resource } of objectsOf(bundle['entry']))
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
    resource['extension'] = [...objectsOf(resource['extension']), ...extension];
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
    resource['extension'] = [...objectsOf(resource['extension']), ...extension];
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

test('law: whatever is added to a resource that is read, it is known or a warning names it', () => {
  const name = fc.stringMatching(/^[a-z][A-Za-z]{2,20}$/);
  fc.assert(
    fc.property(fc.constantFrom(...READ_TYPES), name, fc.jsonValue(), (type, element, value) => {
      let isThere = false;
      let isNew = false;
      const bundle = changed((resource, one) => {
        if (one !== type || isThere) return;
        isThere = true;
        isNew = !(element in resource) && !isKnown(type, element);
        if (isNew) resource[element] = value;
      });
      const isNamed = unreadOf(bundle).some(([field]) => field === `${type}.${element}`);
      assert.is(isNamed, isNew);
    }),
    runs(2_000),
  );
});

const isKnown = (type: (typeof READ_TYPES)[number], element: string): boolean =>
  [...ELEMENTS[type].read, ...ELEMENTS[type].ignored, ...OF_ANY].includes(element);

const OF_ANY = ['id', 'meta', 'text', 'language', 'contained', 'extension', 'modifierExtension'];

test.run();
