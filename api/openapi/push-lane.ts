import { MAX_BODY_MIB } from '../http/limits.ts';
import { toOutcome } from '../http/operation-outcome.ts';
import { queuedIssue, replayedIssue } from '../push/queued-issues.ts';
import { INGESTION_ID, PROOFS, RECEIPTS, SUBMISSIONS } from './examples.ts';
import {
  CONTENT_LOCATION,
  EVERYWHERE,
  IDEMPOTENT_REPLAYED,
  RETRY_AFTER,
  RETRY_WHILE_UNFINISHED,
} from './headers.ts';
import { buildOutcomeContent, COUNTED, referToResponse } from './responses.ts';

const SUBMIT = `Queues a Bundle; its receipt has the result of each record. Needs the scope \`ingest:write\`.

**One birth.** The entries are the mother's Patient, the children's Patients, their Observations, and optionally Encounter, Location, Practitioner, Composition, and Consent. \`meta.profile\` decides who is who. A record needs exactly one mother and at least one child, and with a native key also a place of birth.

**A batch.** If any entry is itself a Bundle, each inner Bundle is one birth with its own result, and other entries are ignored. At most 1,000 births.

**Chart number.** \`Bundle.identifier.value\` names the record within the practice. A new one makes a record. A known one amends it, and makes a voided one live again. Without a chart number, every submission makes a new record.

**Stamp.** \`meta.lastUpdated\`, or else \`timestamp\`. An amendment or retraction that is older than the current version is rejected with \`conflict\`; the same time, or none, is not older. A stamp more than 24 hours in the future counts as the time of receipt.

**Retraction.** Either of these voids the record of the chart number, and needs nothing else: a first Composition with the status \`entered-in-error\`, or an entry with \`request.method\` \`DELETE\` whose \`request.url\` names a Bundle, a Composition, the chart number, or nothing. A \`DELETE\` of anything else is ignored with a warning.

**Duplicates.** A new record with the mother's name and newborn date and time of another one is stored and flagged. An amendment that would make a duplicate is rejected.

**Body.** JSON, whatever the Content-Type says, up to ${MAX_BODY_MIB} MiB, optionally with \`Content-Encoding: gzip\`.`;

const POLL = `Returns a receipt of the key's practice. Poll until its status is \`completed\` or \`failed\`, at most as often as Retry-After says. Needs the scope \`ingest:read\`.

\`completed\` means that every record has a result, even if all were rejected. \`failed\` means that the registry could not process the submission: submit it again with a new Idempotency-Key.`;

const PROVE = `Proves that the log of the registry contains what the receipt says. Keep it with the receipt. Check it with \`npm run verify-proof\`, or with any other implementation of C2SP tlog-proof. Needs the scope \`ingest:read\`.

The proof is ready within a minute after the ingestion has ended; until then the answer is 404 with Retry-After. \`event\` is the event that ended the ingestion, byte for byte; it may also have ended others of the same sender, who alone then gets the proof. It has the outcomes, or \`proofs\` has the events with the outcomes.`;

/** OpenAPI has no expression for a part of a header; `#regex` is an extension of Schemathesis. */
const RECEIPT_LINK = {
  receipt: {
    operationId: 'getIngestion',
    description:
      'The receipt is at the address in Content-Location. The ingestion id is its last segment.',
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

/** @see spec "Endpoints" */
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
            'Names the request within the practice. A later request with the same value gets the 202 and Content-Location of the first one, and is not ingested, whatever its body; the answer has the header Idempotent-Replayed. All API keys of the practice share these values, including those of partners: use random ones, such as UUIDs. A refused request does not use up its value.',
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
            'The Bundle is stored and will get a receipt. `diagnostics` ends with the address of the receipt. With the header Idempotent-Replayed, nothing new was queued.',
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
        403: referToResponse('MayNotProve'),
        404: referToResponse('NoProof'),
        405: referToResponse('OnlyGet'),
        ...COUNTED,
      },
    },
  },
};
