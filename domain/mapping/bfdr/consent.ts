import { CONSENT_STATUSES } from '../../course/codes.ts';
import { type ConsentDecision, noConsent } from '../../course/course.ts';
import { readCodes, statesUnknown } from '../../fhir/coded-values.ts';
import { readDateTime } from '../../fhir/dates.ts';
import { isAbsent } from '../../fhir/extensions.ts';
import { asObjects, asText, type JsonObject } from '../../fhir/json.ts';
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
    granted: status === 'active' && !denies(consent) && !isRefusal(consent['policyRule']),
    status: isKnown && !isUnstated(consent, status) ? status : null,
    date_time: notes.unwrap('consent.date_time', null, readDateTime(consent['dateTime'])),
  };
};

// Exports use this form for a decision without a status, because FHIR requires one.
const isUnstated = (consent: JsonObject, status: string): boolean =>
  status === 'inactive' && isAbsent(consent['_status']);

/** Opted out, also with exceptions. @see http://terminology.hl7.org/CodeSystem/v3-ActCode */
const REFUSALS: ReadonlySet<string> = new Set(['optout', 'optoute']);

const isRefusal = (policy: unknown): boolean =>
  [...readCodes(policy), ...asObjects(policy).map(({ text }) => asText(text))].some(
    (word) => word !== null && REFUSALS.has(word.replace(/[\s-]/g, '').toLowerCase()),
  );

// A loop instead of recursion, because senders control the nesting depth.
const denies = (consent: JsonObject): boolean => {
  const open = [...asObjects(consent['provision'])];
  for (let provision = open.pop(); provision !== undefined; provision = open.pop()) {
    if (asText(provision['type'])?.toLowerCase() === 'deny' || isModified(provision)) return true;
    for (const nested of asObjects(provision['provision'])) open.push(nested);
  }
  return false;
};
