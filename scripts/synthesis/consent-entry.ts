import type { JsonObject } from '../../domain/fhir/json.ts';
import type { ConsentFacts } from './birth-story.ts';
import { zonedText } from './calendar.ts';
import { concept, LOINC, type Report, TERMINOLOGY } from './report.ts';

const DECISIONS: Readonly<Record<Exclude<ConsentFacts, 'none'>, JsonObject>> = {
  granted: { status: 'active', provision: { type: 'permit' } },
  'denied in part': {
    status: 'active',
    provision: {
      type: 'permit',
      provision: [
        {
          type: 'deny',
          purpose: [{ system: `${TERMINOLOGY}/v3-ActReason`, code: 'HRESCH' }],
        },
      ],
    },
  },
  proposed: { status: 'proposed' },
  rejected: { status: 'rejected' },
};

/** The mother's decision about her data; no entry where nobody asked. */
export const consentEntry = (report: Report): readonly JsonObject[] => {
  const { consent, consentAt } = report.story;
  if (consent === 'none') return [];
  return [
    report.entry('Consent', 'consent', {
      scope: concept(`${TERMINOLOGY}/consentscope`, 'patient-privacy', 'Privacy Consent'),
      category: [concept(LOINC, '59284-0', 'Consent Document')],
      patient: report.to('Patient', 'mother'),
      dateTime: zonedText(consentAt, report.practice.region.zone),
      ...DECISIONS[consent],
    }),
  ];
};
