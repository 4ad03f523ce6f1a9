import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CourseOfCare } from '../../../../domain/course/course.ts';
import { FIELDS, type Field, findFieldAt } from '../../../../domain/course/fields.ts';
import { buildDocumentBundle } from '../../../../domain/export/bfdr/document-bundle.ts';
import { EXPORTED_ELEMENTS } from '../../../../domain/export/bfdr/exported-elements.ts';
import { asObject, asObjects, isObject, type JsonObject } from '../../../../domain/fhir/json.ts';
import { anyCourse, anyPartnerContent } from '../../../support/any-course.ts';
import { exportedRecord } from '../../../support/exported-records.ts';

const SAMPLE = { numRuns: 80, seed: 47 };

/** Records of either lane, as they are written. */
const RECORDS = [
  ...fc.sample(anyCourse, SAMPLE).map((course) => exportedRecord(course, 'native')),
  ...fc
    .sample(anyPartnerContent, SAMPLE)
    .map(({ course, providers }) => exportedRecord(course, 'partner', { providers })),
];

const STAY_BEHIND = ['sources', 'warnings', 'custom'];

/** The course without a field, in the first of the children or transfers. */
const without = (course: CourseOfCare, { path, empty }: Field): CourseOfCare => {
  const emptied = (holder: unknown, [name = '', ...rest]: readonly string[]): unknown => {
    if (Array.isArray(holder)) {
      const [first, ...others] = holder;
      return first === undefined ? [] : [emptied(first, [name, ...rest]), ...others];
    }
    if (!isObject(holder)) return holder;
    return { ...holder, [name]: rest.length === 0 ? empty : emptied(holder[name], rest) };
  };
  return emptied(course, path.split('.')) as CourseOfCare;
};

/** Everything that a document says, by the type of the resource and the path in it; an Observation by its code. */
const said = (bundle: JsonObject): ReadonlyMap<string, readonly string[]> => {
  const values = new Map<string, string[]>();
  const say = (path: string, value: unknown): void => {
    if (Array.isArray(value)) for (const one of value) say(path, one);
    else if (isObject(value))
      for (const [name, one] of Object.entries(value))
        say(`${path}.${name.replace(/^_/, '')}`, one);
    else values.set(path, [...(values.get(path) ?? []), JSON.stringify(value)]);
  };
  const { entry, ...document } = bundle;
  say('Bundle', document);
  for (const { resource } of asObjects(entry)) {
    const { resourceType: type, ...elements } = asObject(resource);
    const [coding] = asObjects(asObject(elements['code'])['coding']);
    say(type === 'Observation' ? `${type} ${coding?.['code']}` : String(type), elements);
  }
  return values;
};

const differs = (
  element: string,
  one: ReadonlyMap<string, readonly string[]>,
  other: ReadonlyMap<string, readonly string[]>,
): boolean =>
  [...new Set([...one.keys(), ...other.keys()])]
    .filter((path) => path === element || path.startsWith(`${element}.`))
    .some((path) => one.get(path)?.join() !== other.get(path)?.join());

const elements = suite('the element that a field leaves in');

elements('is told of every field but those that stay behind', () => {
  assert.equal(
    EXPORTED_ELEMENTS.map(({ path }) => path),
    FIELDS.map(({ path }) => path).filter((path) => !STAY_BEHIND.includes(path)),
  );
});

for (const { path, element } of EXPORTED_ELEMENTS)
  elements(`${path}: ${element}`, () => {
    const isThere = RECORDS.some((record) => {
      const course = without(record.course, findFieldAt(path));
      const stamp = path === 'stamp' ? null : record.stamp;
      return differs(
        element,
        said(buildDocumentBundle(record)),
        said(buildDocumentBundle({ ...record, course, stamp })),
      );
    });
    assert.ok(isThere);
  });

elements.run();
