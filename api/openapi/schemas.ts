import { DIAGNOSTICS } from '../../domain/course/rejections.ts';

/** 21 or 22 characters of base64url, from nanoid or derived from the Idempotency-Key. */
const INGESTION_ID_PATTERN = '^[A-Za-z0-9_-]{21,22}$';

/** An object that may get more properties later. */
export const OPEN_OBJECT = { type: 'object', additionalProperties: true } as const;

const provedEvent = (more: Readonly<Record<string, object>> = {}) => ({
  ...OPEN_OBJECT,
  required: ['event', 'leaf', 'proof'],
  properties: {
    event: { $ref: '#/components/schemas/StoredEvent' },
    leaf: { type: 'string', description: 'Its hash in the tree of the log, in base64.' },
    proof: { type: 'string', description: 'A c2sp.org/tlog-proof@v1.' },
    ...more,
  },
});

/**
 * Every nested object has a name, since code generators otherwise invent one, and states if it is
 * open, since they may drop or refuse unlisted properties. Flags are plain booleans, because
 * generated Java does not compile with constant ones.
 */
export const SCHEMAS = {
  Bundle: {
    ...OPEN_OBJECT,
    description:
      'What the registry reads of a Bundle. Everything else is let through and ignored; nothing but resourceType is needed for the Bundle to be queued.',
    required: ['resourceType'],
    properties: {
      resourceType: { type: 'string', const: 'Bundle' },
      type: { type: 'string', description: 'document, batch, collection or message.' },
      identifier: { $ref: '#/components/schemas/BundleIdentifier' },
      meta: { $ref: '#/components/schemas/BundleMeta' },
      timestamp: { type: 'string', description: 'Stamp, where meta.lastUpdated is missing.' },
      entry: { type: 'array', items: { $ref: '#/components/schemas/BundleEntry' } },
    },
  },
  BundleIdentifier: {
    ...OPEN_OBJECT,
    properties: {
      system: { type: 'string', description: 'Not read.' },
      value: {
        type: 'string',
        description:
          'Chart number: names the record within the practice, exactly as sent but for white space around it. Up to 255 characters.',
      },
    },
  },
  BundleMeta: {
    ...OPEN_OBJECT,
    properties: {
      lastUpdated: {
        type: 'string',
        description: 'Stamp: when this version of the record was last changed.',
      },
      profile: {
        type: 'array',
        items: { type: 'string' },
        description: 'The version after | is stored as the declared version of the guide.',
      },
    },
  },
  BundleEntry: {
    ...OPEN_OBJECT,
    properties: {
      fullUrl: { type: 'string' },
      resource: { $ref: '#/components/schemas/BundleEntryResource' },
      request: { $ref: '#/components/schemas/BundleEntryRequest' },
    },
  },
  BundleEntryResource: {
    ...OPEN_OBJECT,
    description: 'A FHIR resource. One that is a Bundle is a birth of a batch.',
  },
  BundleEntryRequest: {
    ...OPEN_OBJECT,
    properties: {
      method: {
        type: 'string',
        description: 'DELETE retracts the record, if url names it or nothing.',
      },
      url: { type: 'string' },
    },
  },
  OperationOutcome: {
    ...OPEN_OBJECT,
    required: ['resourceType', 'issue'],
    properties: {
      resourceType: { type: 'string', const: 'OperationOutcome' },
      issue: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/OperationOutcomeIssue' },
      },
    },
  },
  OperationOutcomeIssue: {
    ...OPEN_OBJECT,
    required: ['severity', 'code', 'diagnostics'],
    properties: {
      severity: { type: 'string', enum: ['error', 'information'] },
      code: { type: 'string' },
      details: { $ref: '#/components/schemas/OperationOutcomeDetails' },
      diagnostics: { type: 'string' },
      expression: { type: 'array', items: { type: 'string' } },
    },
  },
  OperationOutcomeDetails: {
    ...OPEN_OBJECT,
    description:
      'What a rejected record is known by: an entry of the catalog of diagnostics. The words of `diagnostics` may change, this does not.',
    required: ['coding'],
    properties: {
      coding: {
        type: 'array',
        minItems: 1,
        maxItems: 1,
        items: { $ref: '#/components/schemas/OperationOutcomeCoding' },
      },
    },
  },
  OperationOutcomeCoding: {
    ...OPEN_OBJECT,
    required: ['system', 'code'],
    properties: { system: { type: 'string', const: DIAGNOSTICS }, code: { type: 'string' } },
  },
  Receipt: {
    oneOf: [
      { $ref: '#/components/schemas/UnfinishedReceipt' },
      { $ref: '#/components/schemas/CompletedReceipt' },
      { $ref: '#/components/schemas/FailedReceipt' },
    ],
    discriminator: {
      propertyName: 'status',
      mapping: {
        queued: '#/components/schemas/UnfinishedReceipt',
        processing: '#/components/schemas/UnfinishedReceipt',
        completed: '#/components/schemas/CompletedReceipt',
        failed: '#/components/schemas/FailedReceipt',
      },
    },
  },
  UnfinishedReceipt: {
    ...OPEN_OBJECT,
    required: ['id', 'status'],
    properties: {
      id: { type: 'string', pattern: INGESTION_ID_PATTERN },
      status: { type: 'string', enum: ['queued', 'processing'] },
    },
  },
  CompletedReceipt: {
    ...OPEN_OBJECT,
    required: ['id', 'status', 'accepted', 'rejected', 'outcome', 'completedAt'],
    properties: {
      id: { type: 'string', pattern: INGESTION_ID_PATTERN },
      status: { type: 'string', const: 'completed' },
      accepted: { type: 'integer', minimum: 0 },
      rejected: { type: 'integer', minimum: 0 },
      outcome: { $ref: '#/components/schemas/CompletedOutcome' },
      completedAt: { type: 'string', format: 'date-time' },
    },
  },
  CompletedOutcome: {
    ...OPEN_OBJECT,
    required: ['accepted', 'rejected'],
    properties: {
      accepted: { type: 'array', items: { $ref: '#/components/schemas/AcceptedEntry' } },
      rejected: { type: 'array', items: { $ref: '#/components/schemas/RejectedEntry' } },
    },
  },
  AcceptedEntry: {
    ...OPEN_OBJECT,
    required: ['reference', 'submission_uuid'],
    properties: {
      reference: { type: 'string', description: 'Chart number, otherwise record[N].' },
      submission_uuid: { type: 'string', format: 'uuid' },
      suspected_duplicate: { type: 'boolean', description: 'Missing unless true.' },
      amended: { type: 'boolean', description: 'Missing unless true.' },
      retracted: { type: 'boolean', description: 'Missing unless true.' },
      version: { type: 'integer', minimum: 1 },
    },
    dependentRequired: { amended: ['version'], retracted: ['version'] },
  },
  RejectedEntry: {
    ...OPEN_OBJECT,
    required: ['reference', 'outcome'],
    properties: {
      reference: { type: 'string', description: 'Chart number, record[N], or Bundle.' },
      outcome: { $ref: '#/components/schemas/OperationOutcome' },
    },
  },
  FailedReceipt: {
    ...OPEN_OBJECT,
    required: ['id', 'status', 'outcome', 'completedAt'],
    properties: {
      id: { type: 'string', pattern: INGESTION_ID_PATTERN },
      status: { type: 'string', const: 'failed' },
      outcome: { $ref: '#/components/schemas/FailedOutcome' },
      completedAt: { type: 'string', format: 'date-time' },
    },
  },
  FailedOutcome: {
    ...OPEN_OBJECT,
    required: ['error', 'exception', 'correlation_id'],
    properties: {
      error: { type: 'string' },
      exception: { type: 'string', description: 'Class name of the exception.' },
      correlation_id: { type: 'string' },
    },
  },
  StoredEvent: {
    ...OPEN_OBJECT,
    required: ['stream', 'revision', 'id', 'type', 'data', 'metadata'],
    properties: {
      stream: { type: 'string' },
      revision: { type: 'integer', minimum: 0 },
      id: { type: 'string', format: 'uuid' },
      type: { type: 'string' },
      data: { type: 'string', description: 'The bytes that are stored, in base64.' },
      metadata: { type: 'string', description: 'The bytes that are stored, in base64.' },
    },
  },
  ProvedEvent: provedEvent(),
  ReceiptProof: provedEvent({
    proofs: {
      type: 'array',
      description: 'The events that hold the outcomes, unless the first one does.',
      items: { $ref: '#/components/schemas/ProvedEvent' },
    },
  }),
  TooManyRequests: {
    type: 'object',
    required: ['message'],
    additionalProperties: false,
    properties: { message: { type: 'string' } },
  },
  Contract: {
    ...OPEN_OBJECT,
    description: 'An OpenAPI document.',
    required: ['openapi', 'info', 'paths'],
    properties: {
      openapi: { type: 'string', const: '3.1.0' },
      info: { $ref: '#/components/schemas/ContractInfo' },
      paths: { $ref: '#/components/schemas/ContractPaths' },
    },
  },
  ContractInfo: {
    ...OPEN_OBJECT,
    required: ['title', 'version'],
    properties: { title: { type: 'string' }, version: { type: 'string' } },
  },
  ContractPaths: OPEN_OBJECT,
} as const;
