import { DIAGNOSTICS } from '../../domain/rejections.ts';

/** An event with its proof. @param more what else stands beside them */
const provedEvent = (more: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  required: ['event', 'leaf', 'proof'],
  additionalProperties: false,
  properties: {
    event: {
      type: 'object',
      required: ['stream', 'revision', 'id', 'type', 'data', 'metadata'],
      additionalProperties: false,
      properties: {
        stream: { type: 'string' },
        revision: { type: 'integer', minimum: 0 },
        id: { type: 'string', format: 'uuid' },
        type: { type: 'string' },
        data: { type: 'string', description: 'The bytes that are stored, in base64.' },
        metadata: { type: 'string', description: 'The bytes that are stored, in base64.' },
      },
    },
    leaf: { type: 'string', description: 'Its hash in the tree of the log, in base64.' },
    proof: { type: 'string', description: 'A c2sp.org/tlog-proof@v1.' },
    ...more,
  },
});

/** Schemas of what is sent and answered. */
export const SCHEMAS = {
  Bundle: {
    type: 'object',
    description:
      'What the registry reads of a Bundle. Everything else is let through and ignored; nothing but resourceType is needed for the Bundle to be queued.',
    required: ['resourceType'],
    properties: {
      resourceType: { const: 'Bundle' },
      type: { type: 'string', description: 'document, batch, collection or message.' },
      identifier: {
        type: 'object',
        properties: {
          value: {
            type: 'string',
            description:
              'Chart number: names the record within the practice, exactly as sent but for white space around it. Up to 255 characters.',
          },
        },
      },
      meta: {
        type: 'object',
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
      timestamp: { type: 'string', description: 'Stamp, where meta.lastUpdated is missing.' },
      entry: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            fullUrl: { type: 'string' },
            resource: { type: 'object' },
            request: {
              type: 'object',
              properties: {
                method: {
                  type: 'string',
                  description: 'DELETE retracts the record, if url names it or nothing.',
                },
                url: { type: 'string' },
              },
            },
          },
        },
      },
    },
  },
  OperationOutcome: {
    type: 'object',
    required: ['resourceType', 'issue'],
    additionalProperties: false,
    properties: {
      resourceType: { const: 'OperationOutcome' },
      issue: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['severity', 'code', 'diagnostics'],
          additionalProperties: false,
          properties: {
            severity: { enum: ['error', 'information'] },
            code: { type: 'string' },
            details: {
              type: 'object',
              description:
                'What a rejected record is known by: an entry of the catalog of diagnostics. The words of `diagnostics` may change, this does not.',
              required: ['coding'],
              additionalProperties: false,
              properties: {
                coding: {
                  type: 'array',
                  minItems: 1,
                  maxItems: 1,
                  items: {
                    type: 'object',
                    required: ['system', 'code'],
                    additionalProperties: false,
                    properties: { system: { const: DIAGNOSTICS }, code: { type: 'string' } },
                  },
                },
              },
            },
            diagnostics: { type: 'string' },
            expression: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    },
  },
  Receipt: {
    oneOf: [
      { $ref: '#/components/schemas/UnfinishedReceipt' },
      { $ref: '#/components/schemas/CompletedReceipt' },
      { $ref: '#/components/schemas/FailedReceipt' },
    ],
  },
  UnfinishedReceipt: {
    type: 'object',
    required: ['id', 'status'],
    additionalProperties: false,
    properties: { id: { type: 'string' }, status: { enum: ['queued', 'processing'] } },
  },
  CompletedReceipt: {
    type: 'object',
    required: ['id', 'status', 'accepted', 'rejected', 'outcome', 'completedAt'],
    additionalProperties: false,
    properties: {
      id: { type: 'string' },
      status: { const: 'completed' },
      accepted: { type: 'integer', minimum: 0 },
      rejected: { type: 'integer', minimum: 0 },
      outcome: {
        type: 'object',
        required: ['accepted', 'rejected'],
        additionalProperties: false,
        properties: {
          accepted: { type: 'array', items: { $ref: '#/components/schemas/AcceptedEntry' } },
          rejected: { type: 'array', items: { $ref: '#/components/schemas/RejectedEntry' } },
        },
      },
      completedAt: { type: 'string', format: 'date-time' },
    },
  },
  AcceptedEntry: {
    type: 'object',
    required: ['reference', 'submission_uuid'],
    additionalProperties: false,
    properties: {
      reference: { type: 'string', description: 'Chart number, otherwise record[N].' },
      submission_uuid: { type: 'string', format: 'uuid' },
      suspected_duplicate: { const: true },
      amended: { const: true },
      retracted: { const: true },
      version: { type: 'integer', minimum: 1 },
    },
    dependentRequired: { amended: ['version'], retracted: ['version'] },
  },
  RejectedEntry: {
    type: 'object',
    required: ['reference', 'outcome'],
    additionalProperties: false,
    properties: {
      reference: { type: 'string', description: 'Chart number, record[N], or Bundle.' },
      outcome: { $ref: '#/components/schemas/OperationOutcome' },
    },
  },
  FailedReceipt: {
    type: 'object',
    required: ['id', 'status', 'outcome', 'completedAt'],
    additionalProperties: false,
    properties: {
      id: { type: 'string' },
      status: { const: 'failed' },
      outcome: {
        type: 'object',
        required: ['error', 'exception', 'correlation_id'],
        additionalProperties: false,
        properties: {
          error: { type: 'string' },
          exception: { type: 'string', description: 'Class name of the exception.' },
          correlation_id: { type: 'string' },
        },
      },
      completedAt: { type: 'string', format: 'date-time' },
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
    type: 'object',
    description: 'An OpenAPI document.',
    required: ['openapi', 'info', 'paths'],
    properties: {
      openapi: { const: '3.1.0' },
      info: {
        type: 'object',
        required: ['title', 'version'],
        properties: { title: { type: 'string' }, version: { type: 'string' } },
      },
      paths: { type: 'object' },
    },
  },
} as const;
