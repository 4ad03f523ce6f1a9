import { createJsonScanner, type JsonScanner } from '../../adapters/json/scan-json.ts';
import {
  bodyNameTwice,
  bodyNestedTooDeep,
  bodyTooManyValues,
  MAX_NESTING,
  MAX_VALUES,
} from './body-problems.ts';

/** Scans the bytes of a pushed body. @throws RequestProblem from its `next` */
export const createBodyScanner = (): JsonScanner =>
  createJsonScanner({
    nesting: MAX_NESTING,
    values: MAX_VALUES,
    tooDeep: bodyNestedTooDeep,
    tooMany: bodyTooManyValues,
    nameTwice: bodyNameTwice,
  });
