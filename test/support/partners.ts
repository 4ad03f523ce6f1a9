import { suite, type Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { OperatorCommands } from '../../api/operator/operator-commands.ts';
import type { Stores } from '../../api/stores/stores.ts';
import { SCOPES } from '../../domain/api-key/events.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ListedProvider } from '../../domain/provider/ports.ts';
import {
  newPractice,
  push,
  startTestService,
  type TestPractice,
  type TestService,
} from '../harness/service.ts';
import { type BirthParts, birthBundle } from './bundles.ts';

/** A Practitioner as a partner's Bundle has it. */
export interface PractitionerParts {
  readonly identity: string;
  readonly name?: string;
  readonly npi?: string;
  /** Text of the qualification. */
  readonly qualification?: string;
}

const resourceOf = (parts: PractitionerParts, id: string): JsonObject => ({
  resourceType: 'Practitioner',
  id,
  identifier: [
    ...(parts.npi === undefined
      ? []
      : [{ system: 'http://hl7.org/fhir/sid/us-npi', value: parts.npi }]),
    { value: parts.identity },
  ],
  ...(parts.name === undefined ? {} : { name: [{ text: parts.name }] }),
  ...(parts.qualification === undefined
    ? {}
    : { qualification: [{ code: { text: parts.qualification } }] }),
});

/** Who took part in a birth. */
export interface People {
  readonly attendant?: PractitionerParts;
  readonly certifier?: PractitionerParts;
  /** There, but without the code ATND. */
  readonly present?: readonly PractitionerParts[];
}

/**
 * A synthetic birth with the Practitioners that took part in it. The mother has no name, so that
 * no two births look alike.
 */
export const attendedBirth = (
  { attendant, certifier, present = [] }: People,
  parts: BirthParts = {},
): JsonObject => {
  const others = present.map((one, index) => ({ one, id: `present-${index}` }));
  const participant = (id: string, code: string) => ({
    type: [{ coding: [{ code }] }],
    individual: { reference: `Practitioner/${id}` },
  });
  return birthBundle({
    mother: { family: null, given: [] },
    ...parts,
    encounter: {
      participant: [
        ...others.map(({ id }) => participant(id, 'SPRF')),
        ...(attendant === undefined ? [] : [participant('attendant', 'ATND')]),
      ],
    },
    ...(certifier === undefined
      ? {}
      : { composition: { attester: [{ party: { reference: 'Practitioner/certifier' } }] } }),
    more: [
      ...(attendant === undefined ? [] : [resourceOf(attendant, 'attendant')]),
      ...(certifier === undefined ? [] : [resourceOf(certifier, 'certifier')]),
      ...others.map(({ one, id }) => resourceOf(one, id)),
    ],
  });
};

/** A partner that may push, with its key for a practice. @returns the key's token */
export const newPartnerFeed = async (
  commands: OperatorCommands,
  practiceId: string,
): Promise<string> => {
  const partnerId = await commands.partners.create({
    name: 'Maple EHR',
    beta: true,
    status: 'Active',
  });
  const order = { partnerId, practiceId, name: null, scopes: SCOPES };
  return (await commands.keys.mintPartner(order)).token;
};

/** A midwife of a partner, under the partner's own id. */
export const joan = { identity: 'staff-7', name: 'Joan Reyes', qualification: 'CNM, MD' };
/** A physician. */
export const ada = { identity: 'staff-8', name: 'Ada Brandt', qualification: 'Physician' };
/** A doula. */
export const doula = { identity: 'staff-9', name: 'Mia Cole', qualification: 'Doula' };

/** A running service, and a practice with a partner feed of its own for each test. */
export interface ProvidersContext {
  service: TestService;
  practice: TestPractice;
  /** Token of a partner feed key of the practice. */
  feed: string;
}

/** A suite of tests with a practice and a partner feed each. */
export const providersSuite = (name: string): Test<ProvidersContext> => {
  const providers = suite<ProvidersContext>(name);
  providers.before(async (context) => {
    context.service = await startTestService();
  });
  providers.after(async ({ service }) => {
    await service.stop();
  });
  providers.before.each(async (context) => {
    const { commands } = context.service;
    context.practice = await newPractice(commands);
    context.feed = await newPartnerFeed(commands, context.practice.practiceId);
  });
  return providers;
};

/** The providers of the practice. */
export const listed = async ({
  service,
  practice,
}: ProvidersContext): Promise<readonly ListedProvider[]> =>
  await service.commands.providers.list(practice.practiceId);

/** Id of the provider under a partner's own id; '' if there is none. */
export const idOf = async (context: ProvidersContext, identity: string): Promise<string> =>
  (await listed(context)).find((one) => one.identity === identity)?.providerId ?? '';

/** Pushes through the partner feed; nothing may be rejected. */
export const pushed = async (
  { service, feed }: ProvidersContext,
  bundle: unknown,
): Promise<void> => {
  const receipt = await push(service.url, feed, bundle);
  if (receipt.status !== 'completed') throw new Error(receipt.status);
  assert.equal(receipt.outcome.rejected, []);
};

/** A record's history, or its state as of a moment. */
export const historyOf = (
  { service, practice }: ProvidersContext,
  chart: string,
  asOf: Date | null = null,
) => service.commands.history(practice.practiceId, chart, asOf);

/** Attendant and certifier of a record as it is now. */
export const attributionOf = async (context: ProvidersContext, chart: string) => {
  const { state } = await historyOf(context, chart);
  return [state?.courseOfCare.attendant, state?.courseOfCare.certifier];
};

/** What the log holds of a provider, or of all: types and names, oldest first. */
export const providerEvents = async (
  { log }: Pick<Stores, 'log'>,
  providerId = '',
): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const entry of log.readAll()) {
    if (entry.kind !== 'event') continue;
    const { stream, event } = entry.stored;
    if (!stream.startsWith(`provider-${providerId}`)) continue;
    found.push(`${event.type} ${(event.data as { name: string | null }).name}`);
  }
  return found;
};

/** The log is as it should be, and the read tables are what it gives, with nothing parked. */
export const assertSound = async ({ commands, url }: TestService): Promise<void> => {
  assert.equal((await commands.rebuild('compare')).differences, []);
  assert.equal((await commands.verify()).problems, []);
  const health = await fetch(`${url}/health/ready`);
  assert.match(await health.text(), '"parkedStreams":0');
};
