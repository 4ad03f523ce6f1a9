import { type JsonObject, textOf } from './json.ts';

/** Says whether a resource may never count: entered in error, or cancelled. */
export const isVoid = (resource: JsonObject): boolean => {
  const status = textOf(resource['status']);
  return status === 'entered-in-error' || status === 'cancelled';
};

/** Says whether an Observation is complete and verified, be it after a correction. */
export const isFinal = (observation: JsonObject): boolean => {
  const status = textOf(observation['status']);
  return status === 'final' || status === 'amended' || status === 'corrected';
};
