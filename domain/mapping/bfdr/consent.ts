import { CONSENT_STATUSES } from '../../course/codes.ts';
import { type ConsentDecision, noConsent } from '../../course/course.ts';
import { statesUnknown } from '../../fhir/coded-values.ts';
import { readDateTime } from '../../fhir/dates.ts';
import { isAbsent } from '../../fhir/extensions.ts';
import { asArray, asObject, asObjects, asText, type JsonObject } from '../../fhir/json.ts';
import { isModified } from '../../fhir/modifiers.ts';
import { leaveOut } from '../../fhir/readings.ts';
import type { Document } from '../../fhir/references.ts';
import type { WarningCollector } from './warning-collector.ts';

/**
 * Granted only if active, nothing in it is denied, and its policy is no refusal.
 * @see spec "Consent", docs/decisions/2026-11-29-consent-policy.md
 */
export const readConsent = (document: Document, notes: WarningCollector): ConsentDecision => {
  const [consent] = document.ofType('Consent');
  if (consent === undefined) return noConsent();
  // An omitted Consent could be a denial.
  if (document.leftOut.some(({ resource }) => resource['resourceType'] === 'Consent'))
    return noConsent();
  const status = asText(consent['status']);
  const isKnown = status !== null && CONSENT_STATUSES.has(status);
  if (status !== null && !isKnown && !statesUnknown(status))
    notes.unwrap('consent.status', null, leaveOut(status, 'not-understood'));
  return {
    granted: status === 'active' && !denies(consent) && !refuses(consent['policyRule']),
    status: isKnown && !isUnstated(consent, status) ? status : null,
    date_time: notes.unwrap('consent.date_time', null, readDateTime(consent['dateTime'])),
  };
};

// Exports use this form for a decision without a status, because FHIR requires one.
const isUnstated = (consent: JsonObject, status: string): boolean =>
  status === 'inactive' && isAbsent(consent['_status']);

/** Codes and words for opted out, also with exceptions. @see http://terminology.hl7.org/CodeSystem/v3-ActCode */
const REFUSAL = /^opt(?:ed)?[\s_-]*out(?:e|[\s_-]*with[\s_-]*exceptions)?$/i;

const refuses = (policy: unknown): boolean =>
  asArray(policy)
    .flatMap((one) => {
      const { text, ...coding } = asObject(one);
      const codings = [coding, ...asObjects(coding['coding'])];
      return [one, text, ...codings.flatMap(({ code, display }) => [...asArray(code), display])];
    })
    .some((words) => REFUSAL.test(asText(words) ?? ''));

// A loop instead of recursion, because senders control the nesting depth.
const denies = (consent: JsonObject): boolean => {
  const open = [...asObjects(consent['provision'])];
  for (let provision = open.pop(); provision !== undefined; provision = open.pop()) {
    const types = asArray(provision['type']).map((type) => asText(type)?.toLowerCase());
    if (types.includes('deny') || isModified(provision)) return true;
    for (const nested of asObjects(provision['provision'])) open.push(nested);
  }
  return false;
};
