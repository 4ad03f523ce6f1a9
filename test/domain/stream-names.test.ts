import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  isAboutAccess,
  isOwnStream,
  kindOfStream,
  partnerPlaceStream,
  partnerStream,
  recordStream,
  STREAM_PREFIXES,
} from '../../domain/stream-names.ts';

const names = suite('names of streams');

for (const [stream, kind] of [
  ['registry', 'registry'],
  ['registry-2', null],
  [recordStream('h-1'), 'record'],
  [partnerStream('p'), 'partner'],
  [partnerPlaceStream('h'), 'partnerkeys'],
  ['record', null],
  ['records-1', null],
  ['-record', null],
  ['$$record-1', null],
  ['', null],
] as const)
  names(`"${stream}" is ${kind === null ? 'none of ours' : `of the kind ${kind}`}`, () => {
    assert.is(kindOfStream(stream), kind);
    assert.is(isOwnStream(stream), kind !== null);
    // What a subscription asks the log for has to bring every stream of ours.
    if (kind !== null) assert.ok(STREAM_PREFIXES.some((prefix) => stream.startsWith(prefix)));
  });

names('rights change with keys, partners, practices and people, not with births', () => {
  assert.ok(isAboutAccess('key-1'));
  assert.not.ok(isAboutAccess('partnerkeys-1'));
  assert.not.ok(isAboutAccess('record-1'));
});

names.run();
