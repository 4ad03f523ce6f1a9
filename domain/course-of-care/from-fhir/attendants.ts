import { codesOf } from '../../fhir/coded-values.ts';
import type { JsonObject } from '../../fhir/json.ts';

/**
 * Says whether a participant of an Encounter attended the birth: ATND whatever the coding system;
 * no other participant.
 * @see spec "Provider identity"
 */
export const isAttendant = (participant: JsonObject): boolean =>
  codesOf(participant['type']).includes('ATND');
