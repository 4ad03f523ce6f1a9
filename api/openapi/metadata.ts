import { buildCapabilityStatement } from '../push/metadata-router.ts';
import { EVERYWHERE } from './headers.ts';
import { COUNTED, referToResponse } from './responses.ts';
import { OPEN_OBJECT } from './schemas.ts';

const METADATA = `States what a FHIR client can do here: create Bundles. An address may send as many requests a minute as a key; they are counted separately.`;

const CACHING = {
  'Cache-Control': {
    required: true,
    schema: { type: 'string' },
    description: 'How long the statement may be cached.',
    example: 'public, max-age=3600',
  },
  ETag: {
    required: true,
    schema: { type: 'string' },
    description: 'Version of the statement, for If-None-Match.',
    example: 'W/"jkZ9oHxXxDRYm1lWq2oRHDlbF4fP4YtYnqd3xDf0l2k"',
  },
};

export const buildMetadataPaths = (baseUrl: string) => ({
  '/api/registry/fhir/metadata': {
    get: {
      operationId: 'getMetadata',
      tags: ['Contract'],
      summary: 'CapabilityStatement',
      description: METADATA,
      security: [],
      responses: {
        200: {
          description: 'The statement.',
          headers: { ...EVERYWHERE, ...CACHING },
          content: {
            'application/fhir+json': {
              schema: { $ref: '#/components/schemas/CapabilityStatement' },
              examples: {
                statement: { summary: 'The statement', value: buildCapabilityStatement(baseUrl) },
              },
            },
          },
        },
        304: {
          description: 'The statement has not changed since the ETag in If-None-Match.',
          headers: { ...EVERYWHERE, ...CACHING },
        },
        405: referToResponse('OnlyGet'),
        ...COUNTED,
      },
    },
  },
});

const text = { type: 'string' } as const;

/** Each schema is open to new properties. */
export const METADATA_SCHEMAS = {
  CapabilityStatement: {
    ...OPEN_OBJECT,
    description: 'A CapabilityStatement of FHIR R4.',
    required: [
      'resourceType',
      'status',
      'date',
      'kind',
      'software',
      'implementation',
      'fhirVersion',
      'format',
      'rest',
    ],
    properties: {
      resourceType: { type: 'string', const: 'CapabilityStatement' },
      status: { type: 'string', const: 'active' },
      date: { type: 'string', format: 'date' },
      kind: { type: 'string', const: 'instance' },
      software: { $ref: '#/components/schemas/CapabilityStatementSoftware' },
      implementation: { $ref: '#/components/schemas/CapabilityStatementImplementation' },
      fhirVersion: { type: 'string', const: '4.0.1' },
      format: { type: 'array', minItems: 1, items: text },
      rest: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/CapabilityStatementRest' },
      },
    },
  },
  CapabilityStatementSoftware: {
    ...OPEN_OBJECT,
    required: ['name', 'version'],
    properties: { name: text, version: text },
  },
  CapabilityStatementImplementation: {
    ...OPEN_OBJECT,
    required: ['description', 'url'],
    properties: { description: text, url: { type: 'string', format: 'uri' } },
  },
  CapabilityStatementRest: {
    ...OPEN_OBJECT,
    required: ['mode', 'security', 'resource'],
    properties: {
      mode: { type: 'string', const: 'server' },
      security: { $ref: '#/components/schemas/CapabilityStatementSecurity' },
      resource: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/CapabilityStatementResource' },
      },
    },
  },
  CapabilityStatementSecurity: {
    ...OPEN_OBJECT,
    required: ['cors', 'description'],
    properties: { cors: { type: 'boolean' }, description: text },
  },
  CapabilityStatementResource: {
    ...OPEN_OBJECT,
    required: ['type', 'interaction', 'conditionalCreate'],
    properties: {
      type: text,
      interaction: {
        type: 'array',
        minItems: 1,
        items: { $ref: '#/components/schemas/CapabilityStatementInteraction' },
      },
      conditionalCreate: { type: 'boolean' },
    },
  },
  CapabilityStatementInteraction: {
    ...OPEN_OBJECT,
    required: ['code'],
    properties: { code: text, documentation: text },
  },
} as const;
