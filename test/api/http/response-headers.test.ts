import type { ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createSetResponseHeaders } from '../../../api/http/response-headers.ts';

const correlation = suite('correlation ids');

const setResponseHeaders = createSetResponseHeaders(() => 'own');

/** @param traceparent null: without one */
const correlationIdFor = (traceparent: string | null): string => {
  const said = new Map<string, string>();
  const correlationId = setResponseHeaders({
    req: { headers: traceparent === null ? {} : { traceparent } },
    setHeader: (name: string, value: string) => void said.set(name, value),
  } as unknown as ServerResponse);
  assert.is(said.get('X-Correlation-Id'), correlationId);
  return correlationId;
};

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const FROM_PARENT = `${TRACE}-${SPAN}-own`;

for (const [claim, traceparent, expected] of [
  ['without a traceparent', null, 'own'],
  ['sampled', `00-${TRACE}-${SPAN}-01`, FROM_PARENT],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, FROM_PARENT],
  ['flags that nobody knows yet', `00-${TRACE}-${SPAN}-ff`, FROM_PARENT],
  ['a later version', `cc-${TRACE}-${SPAN}-01`, FROM_PARENT],
  ['a later version with more', `cc-${TRACE}-${SPAN}-01-what the future will be`, FROM_PARENT],
  ['a later version with more, not set off', `cc-${TRACE}-${SPAN}-01.more`, 'own'],
  ['version 00 with more', `00-${TRACE}-${SPAN}-01-more`, 'own'],
  ['version 00 with a hyphen behind', `00-${TRACE}-${SPAN}-01-`, 'own'],
  ['version ff', `ff-${TRACE}-${SPAN}-01`, 'own'],
  ['no version', `${TRACE}-${SPAN}-01`, 'own'],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`, 'own'],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`, 'own'],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`, 'own'],
  ['a short trace', `00-${TRACE.slice(1)}-${SPAN}-01`, 'own'],
  ['a long span', `00-${TRACE}-${SPAN}0-01`, 'own'],
  ['no flags', `00-${TRACE}-${SPAN}`, 'own'],
  ['other characters', `00-${TRACE.replace('4', 'g')}-${SPAN}-01`, 'own'],
  ['two of them, as Node joins them', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`, 'own'],
  ['nothing', '', 'own'],
] as const)
  correlation(`${claim}: ${expected === 'own' ? 'an id of its own' : 'its parent first'}`, () => {
    assert.is(correlationIdFor(traceparent), expected);
  });

correlation.run();
