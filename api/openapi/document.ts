import { USUAL_REQUESTS_PER_MINUTE } from '../http/limits.ts';
import { SERVICE_VERSION } from '../process/version.ts';
import { buildHeaders, CORRELATION } from './headers.ts';
import { buildMetadataPaths, METADATA_SCHEMAS } from './metadata.ts';
import { PUSH_LANE } from './push-lane.ts';
import { BEFORE_ANY_OPERATION, RESPONSES, referToResponse } from './responses.ts';
import { SCHEMAS } from './schemas.ts';
import { SMART_LANE } from './smart-lane.ts';

/** @see spec "GET {base_url}/openapi.json" */
const CONTRACT_ITSELF = {
  '/openapi.json': {
    get: {
      operationId: 'getContract',
      tags: ['Contract'],
      summary: 'This contract',
      description: 'Returns the OpenAPI 3.1 document of this service.',
      security: [],
      responses: {
        200: {
          description: 'The document.',
          headers: CORRELATION,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Contract' },
              examples: {
                beginning: {
                  summary: 'How it begins',
                  value: {
                    openapi: '3.1.0',
                    info: { title: 'Birth registry', version: SERVICE_VERSION },
                    paths: {},
                  },
                },
              },
            },
          },
        },
        405: referToResponse('OnlyGetUncounted'),
        ...BEFORE_ANY_OPERATION,
        503: referToResponse('Starting'),
      },
    },
  },
};

const ABOUT = `Accepts FHIR R4 BFDR Bundles and answers with receipts. Submit a Bundle, then poll the address in Content-Location until the receipt is completed or failed.

Every error except 429 is a FHIR OperationOutcome. Each API key may send ${USUAL_REQUESTS_PER_MINUTE} requests a minute, submissions and polls together, unless the operator set another limit.

/docs/codes lists every code that is read, and /docs/diagnostics every diagnostics text.

The API has no version. Changes are additive where possible; breaking ones are announced in the changelog.`;

/**
 * OpenAPI 3.1 contract of the push and pull lanes.
 * @param supportContact email or URL; `null` links to `/docs`
 * @see spec "GET {base_url}/openapi.json"
 */
export const openApiDocument = (baseUrl: string, supportContact: string | null = null) => ({
  openapi: '3.1.0',
  info: {
    title: 'Birth registry',
    version: SERVICE_VERSION,
    description: ABOUT,
    contact: {
      name: 'Support for integrators',
      ...(supportContact?.includes('@') === true
        ? { email: supportContact }
        : { url: supportContact ?? `${baseUrl}/docs` }),
    },
    // As in package.json, in the SPDX form that OpenAPI requires.
    license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
  },
  externalDocs: {
    description: 'Every diagnostics text, with its cause and remedy',
    url: `${baseUrl}/docs/diagnostics`,
  },
  servers: [{ url: baseUrl }],
  tags: [
    { name: 'Push', description: 'Server-to-server submission of births with an API key.' },
    { name: 'Launch', description: 'Launch from an EHR, which pre-fills a birth. No API key.' },
    { name: 'Contract', description: 'The contract of the service, for programs.' },
    { name: 'Pages', description: 'Pages for people that the other two lead to.' },
  ],
  security: [{ apiKey: [] }],
  paths: { ...PUSH_LANE, ...SMART_LANE, ...CONTRACT_ITSELF, ...buildMetadataPaths(baseUrl) },
  components: {
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          'An API key, prefixed rgk_. It belongs to a practice and carries scopes: ingest:write, ingest:read.',
      },
    },
    schemas: { ...SCHEMAS, ...METADATA_SCHEMAS },
    headers: buildHeaders(baseUrl),
    responses: RESPONSES,
  },
});
