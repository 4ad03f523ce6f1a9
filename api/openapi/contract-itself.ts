import { SERVICE_VERSION } from '../process/version.ts';
import { CORRELATION } from './headers.ts';
import { BEFORE_ANY_OPERATION, referToResponse } from './responses.ts';

/** @see spec "GET {base_url}/openapi.json" */
export const CONTRACT_ITSELF = {
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
