import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { buildFingerprintTexts } from '../../domain/birth-record/duplicates/fingerprint.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import { mapCourse } from '../../domain/mapping/bfdr/course-mapper.ts';
import { completeBodies, smallBatchOf, smallBodies } from './push-bodies.ts';

/** What a benchmark pushes is what it says: births of different families. */

const textsOf = (bundle: JsonObject): readonly string[] => {
  const mapped = mapCourse({ position: 0, bundle, retractedByEntry: false }, 'native', []);
  return mapped.kind === 'course'
    ? buildFingerprintTexts(mapped.course, null).flatMap(({ rule, text }) =>
        rule === 2 ? text : [],
      )
    : [];
};

test('no birth looks like another, whatever round or figure it is pushed for', () => {
  const singles = ['S1-', 'S2-', 'F0-'].map(smallBodies);
  const complete = ['S1-', 'S2-'].map(completeBodies);
  const pushes = [0, 1, 27].flatMap((n) =>
    [...singles, ...complete].map((bodyOf) => JSON.parse(bodyOf(n))),
  );
  const batch: { readonly entry: readonly { readonly resource: JsonObject }[] } = JSON.parse(
    smallBatchOf('B1-', 0, 28),
  );
  const batched = batch.entry.map(({ resource }) => resource);
  const texts = [...pushes, ...batched].map(textsOf);
  assert.ok(texts.every(({ length }) => length === 1));
  assert.is(new Set(texts.flat()).size, texts.length);
});

test.run();
