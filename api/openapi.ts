/** The OpenAPI 3.1 contract of the push lane. @see spec "GET {base_url}/openapi.json" */
export const openApiDocument = (baseUrl: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'Birth registry',
    version: '0.1.0',
    description:
      'Takes FHIR R4 BFDR Bundles and answers with receipts. A push is ingested asynchronously: submit a Bundle, then poll the address in Content-Location until the receipt is completed or failed. The API is unversioned; changes are additive where possible.',
  },
  servers: [{ url: baseUrl }],
  security: [{ apiKey: [] }],
  paths: {
    '/api/registry/fhir/Bundle': {
      post: {
        operationId: 'submitBundle',
        summary: 'Submit a Bundle',
        description:
          'One course of care, or a batch whose entries are Bundles, each one course of care. Needs the scope ingest:write.',
        parameters: [
          {
            name: 'Idempotency-Key',
            in: 'header',
            required: false,
            schema: { type: 'string' },
            description:
              'Names the request within the practice: a later request with the same key gets the first one’s answer and is not ingested, whatever it holds.',
          },
        ],
        requestBody: {
          required: true,
          content: {
            'application/fhir+json': { schema: { $ref: '#/components/schemas/Bundle' } },
          },
        },
        responses: {
          202: {
            description: 'Queued.',
            headers: {
              'Content-Location': {
                required: true,
                schema: { type: 'string', format: 'uri' },
                description: 'Address of the receipt.',
              },
              'Retry-After': RETRY_AFTER,
            },
            content: OUTCOME,
          },
          400: { description: 'The body is not a JSON FHIR Bundle.', content: OUTCOME },
          401: UNAUTHENTICATED,
          403: { description: 'The key lacks the scope ingest:write.', content: OUTCOME },
          413: { description: 'The body has more than 20 MiB.', content: OUTCOME },
          503: AWAY,
        },
      },
    },
    '/api/registry/fhir/ingestions/{ingestion}': {
      get: {
        operationId: 'getIngestion',
        summary: 'Poll a receipt',
        description:
          'The receipt of an ingestion of the key’s practice. Needs the scope ingest:read.',
        parameters: [
          {
            name: 'ingestion',
            in: 'path',
            required: true,
            schema: { type: 'string' },
            description: 'Ingestion id, from the Content-Location of the submission.',
          },
        ],
        responses: {
          200: {
            description: 'The receipt.',
            headers: { 'Retry-After': { ...RETRY_AFTER, required: false } },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/Receipt' } },
            },
          },
          401: UNAUTHENTICATED,
          403: { description: 'The key lacks the scope ingest:read.', content: OUTCOME },
          404: { description: 'The practice has no ingestion with this id.', content: OUTCOME },
          503: AWAY,
        },
      },
    },
  },
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, prefixed rgk_. It belongs to a practice and carries scopes.',
      },
    },
    schemas: SCHEMAS,
  },
});

const OUTCOME = {
  'application/fhir+json': { schema: { $ref: '#/components/schemas/OperationOutcome' } },
};

const RETRY_AFTER = {
  required: true,
  schema: { type: 'integer', minimum: 1 },
  description: 'Whole seconds after which to ask again.',
};

const UNAUTHENTICATED = {
  description: 'The key is missing, invalid or revoked.',
  headers: { 'WWW-Authenticate': { required: true, schema: { const: 'Bearer' } } },
  content: OUTCOME,
};

const AWAY = {
  description: 'The registry cannot take or show records right now; send the request again.',
  headers: { 'Retry-After': RETRY_AFTER },
  content: OUTCOME,
};

const SCHEMAS = {
  Bundle: {
    type: 'object',
    required: ['resourceType'],
    properties: {
      resourceType: { const: 'Bundle' },
      type: { type: 'string' },
      identifier: { type: 'object', properties: { value: { type: 'string' } } },
      entry: { type: 'array', items: { type: 'object' } },
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
};
