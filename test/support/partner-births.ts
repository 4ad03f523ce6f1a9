import type { OperatorCommands } from '../../api/composition/commands.ts';
import { SCOPES } from '../../domain/api-key/events.ts';
import type { JsonObject } from '../../domain/fhir/json.ts';
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
