import { createHash } from 'node:crypto';
import type { RequestHandler } from 'express';
import { Router } from 'express';
import { refuseUnknownExpectation } from '../http/answer-unreadable.ts';
import { allowOnly } from '../http/error-middleware.ts';
import { sendCompressible } from '../http/send-compressible.ts';
import { SERVICE_VERSION } from '../process/version.ts';

/** Last change of the statement. */
const STATED_ON = '2026-11-27';
const AN_HOUR_SECONDS = 3_600;

/** @see https://hl7.org/fhir/R4/capabilitystatement.html */
export const buildCapabilityStatement = (baseUrl: string) => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: STATED_ON,
  kind: 'instance',
  software: { name: 'Birth registry', version: SERVICE_VERSION },
  implementation: {
    description: `Takes births as BFDR Bundles and answers with receipts. The contract is ${baseUrl}/openapi.json.`,
    url: `${baseUrl}/api/registry/fhir`,
  },
  fhirVersion: '4.0.1',
  format: ['json'],
  rest: [
    {
      mode: 'server',
      security: {
        cors: false,
        description: 'An API key with the scope ingest:write, as Authorization: Bearer <API_KEY>.',
      },
      resource: [
        {
          type: 'Bundle',
          interaction: [
            {
              code: 'create',
              documentation:
                'Answered with 202, once the Bundle is queued; poll the address in Content-Location for the receipt.',
            },
          ],
          conditionalCreate: false,
        },
      ],
    },
  ],
});

/** Needs no key, since most FHIR clients request the statement before they authenticate. */
export const metadataRouter = (baseUrl: string, limit: RequestHandler): Router => {
  const content = Buffer.from(JSON.stringify(buildCapabilityStatement(baseUrl)));
  // Weak, because the response may or may not be compressed.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url')}"`;
  return Router()
    .all('/metadata', limit, (req, _res, next) => {
      refuseUnknownExpectation(req);
      next();
    })
    .get('/metadata', async (req, res) => {
      res.set('Cache-Control', `public, max-age=${AN_HOUR_SECONDS}`).set('ETag', etag);
      if (req.fresh) res.vary('Accept-Encoding').status(304).end();
      else await sendCompressible(req, res, 'application/fhir+json; charset=utf-8', content);
    })
    .all('/metadata', allowOnly('GET, HEAD'));
};
