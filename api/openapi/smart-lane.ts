import type { IssueSource } from '../http/operation-outcome.ts';
import { methodNotSupported, REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';
import {
  chartTooLarge,
  ehrDeclined,
  ehrFailed,
  issuerNotAllowed,
  launchNotConfigured,
  launchTokenNeeded,
  patientNeeded,
  unknownState,
  unusableCallback,
} from '../smart/launch-problem.ts';
import { buildOutcomes } from './examples.ts';
import { ALLOW, CORRELATION, EVERYWHERE, IF_COUNTED, LOCATION, RETRY_AFTER } from './headers.ts';
import { BEFORE_ANY_OPERATION, buildOutcomeContent, referToResponse } from './responses.ts';

const LAUNCH = `Begins a launch from an EHR (SMART App Launch 2, public client, PKCE S256). Reads \`{iss}/.well-known/smart-configuration\`, and sends the browser to the EHR's authorization endpoint. It asks for the scopes \`launch openid fhirUser patient/Patient.read patient/Observation.read patient/Condition.read patient/Encounter.read\`.

Open it in a tab or window, not in a frame, which does not send the session's cookie. Several tabs may launch at the same time. An address may send 60 requests a minute. Errors are OperationOutcomes, or pages if Accept lists \`text/html\`.`;

const CALLBACK = `The redirect URI to register with an EHR vendor. Checks the state, exchanges the code and the PKCE verifier for a token with a patient, reads the Patient, Observations, Conditions, and Encounters, and sends the browser to the pre-fill. Then it forgets the token. The pre-fill names what could not be read; without the Patient there is none. Nothing is written into a practice.

An address may send 10 requests a minute. A state works once, for ten minutes, in the browser that began the launch.`;

type Headers = Readonly<Record<string, { readonly $ref: string }>>;

const PAGE = {
  'text/html': {
    schema: { type: 'string' },
    examples: { page: { summary: 'A page', value: '<!doctype html><html lang="en">…</html>' } },
  },
};

const answer = (
  description: string,
  problems: Readonly<Record<string, IssueSource>>,
  headers: Headers = {},
) => ({
  description,
  headers: { ...EVERYWHERE, ...headers },
  content: { ...buildOutcomeContent(buildOutcomes(problems)), ...PAGE },
});

const late = ehrFailed({ why: 'timeout', cause: null });
const unreachable = ehrFailed({ why: 'unreachable', cause: null });
const unfit = ehrFailed({ why: 'invalid-response', cause: null });
const refused = ehrFailed({ why: 'refused', cause: null });

/**
 * OpenAPI expects a response beside redirects and errors. It has no content, because ogen's code
 * does not compile if it resembles an error.
 */
const OTHERWISE = {
  description: 'Any other status comes from a server between you and the registry.',
  headers: IF_COUNTED,
};

const query = (name: string, required: boolean, description: string, example: string) => ({
  name,
  required,
  description,
  example,
  in: 'query',
  schema: { type: 'string' },
});

const buildPage = (description: string, headers: Headers = {}) => ({
  description,
  headers: { ...CORRELATION, ...headers },
  content: PAGE,
});

/** @see spec "Endpoints" */
export const SMART_LANE = {
  '/smart/launch': {
    get: {
      operationId: 'launchFromEhr',
      tags: ['Launch'],
      summary: 'Begin a launch from an EHR',
      description: LAUNCH,
      security: [],
      parameters: [
        query(
          'iss',
          true,
          'FHIR address of the EHR, exactly as in the allow-list.',
          'https://ehr.example/fhir/r4',
        ),
        query('launch', true, 'Opaque launch token of the EHR.', 'xyz123'),
      ],
      responses: {
        303: {
          description: 'To the authorization endpoint of the EHR.',
          headers: { ...EVERYWHERE, ...LOCATION },
        },
        400: answer('The launch token is missing or repeated.', {
          token: launchTokenNeeded(),
        }),
        403: answer('The issuer is missing, repeated, or not allowed.', {
          issuer: issuerNotAllowed(),
        }),
        405: answer(
          'The method is not GET.',
          { onlyGet: new RequestProblem(methodNotSupported('GET')) },
          ALLOW,
        ),
        ...BEFORE_ANY_OPERATION,
        429: referToResponse('TooManyRequests'),
        500: answer('Internal error.', { fault: REQUEST_PROBLEMS['internal-fault'] }),
        502: answer('The EHR’s configuration could not be read or used.', {
          unreachable,
          unfit,
        }),
        503: answer(
          'No client id is configured, or the registry is unavailable.',
          { notConfigured: launchNotConfigured(), unavailable: REQUEST_PROBLEMS.unavailable },
          RETRY_AFTER,
        ),
        504: answer('The EHR did not answer in time.', { late }),
        default: OTHERWISE,
      },
    },
  },
  '/smart/callback': {
    get: {
      operationId: 'finishLaunch',
      tags: ['Launch'],
      summary: 'Finish a launch from an EHR',
      description: CALLBACK,
      security: [],
      parameters: [
        query(
          'state',
          true,
          'The state that the registry sent to the EHR.',
          'ZNiFkgNdyF9f7pesUybENM',
        ),
        query('code', false, 'Authorization code of the EHR.', 'SplxlOBeZQQYbYS6WxSbIA'),
        query('error', false, 'The error, if there is no code.', 'access_denied'),
      ],
      responses: {
        303: {
          description: 'To the pre-fill.',
          headers: { ...EVERYWHERE, ...LOCATION },
        },
        400: answer('The launch cannot be finished.', {
          state: unknownState(),
          unusable: unusableCallback(),
          ehrError: ehrDeclined(false, false),
          noPatient: patientNeeded(),
        }),
        403: answer('The EHR, or the person there, denied access.', {
          denied: ehrDeclined(true, false),
        }),
        405: answer(
          'The method is not GET.',
          { onlyGet: new RequestProblem(methodNotSupported('GET')) },
          ALLOW,
        ),
        ...BEFORE_ANY_OPERATION,
        429: referToResponse('TooManyRequests'),
        500: answer('Internal error.', { fault: REQUEST_PROBLEMS['internal-fault'] }),
        502: answer('The EHR gave no token, no Patient, or a chart that is too large.', {
          unreachable,
          unfit,
          refused,
          temporary: ehrDeclined(false, true),
          tooLarge: chartTooLarge(),
        }),
        503: answer(
          'No client id is configured, or the registry is unavailable.',
          { notConfigured: launchNotConfigured(), unavailable: REQUEST_PROBLEMS.unavailable },
          RETRY_AFTER,
        ),
        504: answer('The EHR did not answer in time.', { late }),
        default: OTHERWISE,
      },
    },
  },
  '/registry/capture/prefill': {
    get: {
      operationId: 'showPrefill',
      tags: ['Pages'],
      summary: 'Review what was read from the EHR',
      description:
        'Shows what the session’s launches have read, for half an hour, without a sign-in. To save it, a person needs a seat as Admin, Provider, or Scribe. The pre-fill survives the sign-in.',
      security: [],
      parameters: [
        query(
          'id',
          false,
          'One of the session’s pre-fills. The latest, if it is missing.',
          '4dcd95e8-db62-4e86-9fe0-6b90d96f023d',
        ),
      ],
      responses: {
        200: buildPage('The pre-fill, or a page that says that there is none.'),
        405: buildPage('The method is not GET, HEAD, or the POST of its form.', ALLOW),
        ...BEFORE_ANY_OPERATION,
        500: buildPage('Internal error.'),
        503: buildPage('The registry is unavailable.'),
      },
    },
  },
  '/registry/integrations': {
    get: {
      operationId: 'showIntegrations',
      tags: ['Pages'],
      summary: 'Keys and recent submissions of the practice',
      description:
        'For a signed-in Admin, who can create and revoke keys, or a Provider, who can see them.',
      security: [],
      responses: {
        200: buildPage('The keys and recent submissions.'),
        303: {
          description: 'To the sign-in.',
          headers: { ...CORRELATION, ...LOCATION },
        },
        403: buildPage('The person is a Viewer or a Scribe.'),
        405: buildPage('The method is not GET or HEAD.', ALLOW),
        ...BEFORE_ANY_OPERATION,
        500: buildPage('Internal error.'),
        503: buildPage('The registry is unavailable.'),
      },
    },
  },
};
