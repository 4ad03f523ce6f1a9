import { toOutcome } from '../http/operation-outcome.ts';
import { queuedIssue, replayedIssue } from '../push/problems.ts';
import { INGESTION_ID, PROOFS, RECEIPTS, SUBMISSIONS } from './examples.ts';
import {
  CONTENT_LOCATION,
  EVERYWHERE,
  IDEMPOTENT_REPLAYED,
  RETRY_AFTER,
  RETRY_WHILE_UNFINISHED,
} from './headers.ts';
import { buildOutcomeContent, COUNTED, referToResponse } from './responses.ts';

const SUBMIT = `Takes a Bundle and queues it; the receipt states the outcome of each record. Needs the scope \`ingest:write\`.

**One birth.** The entries hold the mother's Patient, the children's Patients and their Observations, and optionally Encounter, Location, Practitioner, Composition and Consent. Roles are read from \`meta.profile\`. A record is accepted with exactly one mother and at least one child; with a native key it also needs a place of birth.

**A batch.** If any entry is itself a Bundle, each inner Bundle is one birth, decided on its own; other entries are ignored. Up to 1,000 births.

**Chart number.** \`Bundle.identifier.value\` names the record within the practice. A new one makes a record, a known one amends it, and brings a voided one back. Without a chart number every submission makes a new record.

**Stamp.** \`meta.lastUpdated\`, else \`timestamp\`. An amendment or retraction older than the held version is rejected as \`conflict\`; the same instant, or none, is not older. One more than 24 hours ahead counts as the time of receipt.

**Retraction.** A first Composition with the status \`entered-in-error\`, or an entry whose \`request.method\` is \`DELETE\` and whose \`request.url\` names a Bundle, a Composition, the chart number or nothing, voids the record of the chart number. Nothing else needs to be sent with it. A \`DELETE\` of anything else, such as an Observation, is ignored with a warning.

**Duplicates.** A new record with the mother's name and newborn date and time of another one is stored and flagged, never merged. An amendment that would become such a one is rejected.

**Bodies** are JSON whatever the Content-Type says, up to 20 MiB; \`Content-Encoding: gzip\` is taken.`;

const POLL = `The receipt of an ingestion of the key's practice. Poll until its status is \`completed\` or \`failed\`, no more often than Retry-After says. Needs the scope \`ingest:read\`.

A submission is \`completed\` also when every record of it was rejected. \`failed\` means that the registry could not process it: submit it again, with a new Idempotency-Key.`;

const PROVE = `Proof that the log of the registry holds what the receipt says, to be kept with it: with both, anyone can show later that the registry has taken the records, and when. It is checked without the registry, with \`npm run verify-proof\` or any other implementation of C2SP tlog-proof. Needs the scope \`ingest:read\`.

There is one within a minute after the ingestion has ended; until then the answer is 404 with Retry-After. \`event\` is the event that ended the ingestion, byte for byte. It holds the outcomes itself, or \`proofs\` has those of the events that do.`;

/**
 * Link from a 202 to its receipt. OpenAPI has no expression for a part of a header; `#regex` is an
 * extension of Schemathesis, which follows links.
 */
const RECEIPT_LINK = {
  receipt: {
    operationId: 'getIngestion',
    description:
      'The receipt is at the address in Content-Location, as it stands; the ingestion id is its last segment.',
    parameters: { ingestion: '$response.header.Content-Location#regex:/ingestions/([^/]+)$' },
  },
};

const RECEIPT_ADDRESS = `https://registry.example/api/registry/fhir/ingestions/${INGESTION_ID}`;

const INGESTION = {
  name: 'ingestion',
  in: 'path',
  required: true,
  schema: { type: 'string' },
  description: 'Ingestion id, from the Content-Location of the submission.',
  example: INGESTION_ID,
};

/** Paths of the push lane. @see spec "Endpoints" */
export const PUSH_LANE = {
  '/api/registry/fhir/Bundle': {
    post: {
      operationId: 'submitBundle',
      tags: ['Push'],
      summary: 'Submit a Bundle',
      description: SUBMIT,
      parameters: [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          schema: { type: 'string' },
          description:
            'Names the whole request within the practice. A later request with the same key gets the first one’s 202 and Content-Location and is not ingested, whatever it holds; its answer has the header Idempotent-Replayed. All keys of the practice share them, those of partners too: use random values, such as UUIDs. A request that is refused uses up no key.',
          example: '2f1b7a0e-94c3-4b7e-8a55-0d6a3c1be7f2',
        },
      ],
      requestBody: {
        required: true,
        description: 'One birth, or a batch of Bundles.',
        content: {
          'application/fhir+json': {
            schema: { $ref: '#/components/schemas/Bundle' },
            examples: SUBMISSIONS,
          },
        },
      },
      responses: {
        202: {
          description:
            'Queued. What is answered with 202 is stored and will get a receipt. The body names the address of the receipt too, at the end of `diagnostics`. With the header Idempotent-Replayed nothing new was queued.',
          headers: {
            ...EVERYWHERE,
            ...CONTENT_LOCATION,
            ...IDEMPOTENT_REPLAYED,
            ...RETRY_AFTER,
          },
          content: buildOutcomeContent({
            queued: { summary: 'Queued', value: toOutcome(queuedIssue(RECEIPT_ADDRESS)) },
            replayed: {
              summary: 'The Idempotency-Key was used before (Idempotent-Replayed: true)',
              value: toOutcome(replayedIssue(RECEIPT_ADDRESS)),
            },
          }),
          links: RECEIPT_LINK,
        },
        400: referToResponse('NotABundle'),
        401: referToResponse('Unauthenticated'),
        403: referToResponse('MayNotWrite'),
        405: referToResponse('OnlyPost'),
        ...COUNTED,
        413: referToResponse('TooLong'),
      },
    },
  },
  '/api/registry/fhir/ingestions/{ingestion}': {
    get: {
      operationId: 'getIngestion',
      tags: ['Push'],
      summary: 'Poll a receipt',
      description: POLL,
      parameters: [INGESTION],
      responses: {
        200: {
          description: 'The receipt.',
          headers: { ...EVERYWHERE, ...RETRY_WHILE_UNFINISHED },
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Receipt' },
              examples: RECEIPTS,
            },
          },
        },
        400: referToResponse('Malformed'),
        401: referToResponse('Unauthenticated'),
        403: referToResponse('MayNotRead'),
        404: referToResponse('NoSuchIngestion'),
        405: referToResponse('OnlyGet'),
        ...COUNTED,
      },
    },
  },
  '/api/registry/fhir/ingestions/{ingestion}/proof': {
    get: {
      operationId: 'getProof',
      tags: ['Push'],
      summary: 'Prove a receipt',
      description: PROVE,
      parameters: [INGESTION],
      responses: {
        200: {
          description: 'The event that ended the ingestion, and the proof that it is in the log.',
          headers: EVERYWHERE,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/ReceiptProof' },
              examples: PROOFS,
            },
          },
        },
        400: referToResponse('Malformed'),
        401: referToResponse('Unauthenticated'),
        403: referToResponse('MayNotRead'),
        404: referToResponse('NoProof'),
        405: referToResponse('OnlyGet'),
        ...COUNTED,
      },
    },
  },
};
