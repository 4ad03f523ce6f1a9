import { createJsonScanner, type JsonScanner } from '../../adapters/json/scan-json.ts';
import { MAX_NESTING, MAX_VALUES } from '../http/limits.ts';
import { REQUEST_PROBLEMS } from '../http/problems.ts';
import { RequestProblem } from '../http/request-problem.ts';

export const createBodyScanner = (): JsonScanner =>
  createJsonScanner({
    nesting: MAX_NESTING,
    values: MAX_VALUES,
    tooDeep: () => new RequestProblem(REQUEST_PROBLEMS['nested-too-deep']),
    tooMany: () => new RequestProblem(REQUEST_PROBLEMS['too-many-values']),
  });
