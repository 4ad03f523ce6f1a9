import type { Router } from 'express';
import { listKeysOfPracticeIn } from '../../../adapters/postgres/queries/api-keys.ts';
import { practiceAuditIn } from '../../../adapters/postgres/queries/audit-trail.ts';
import { findPushesIn } from '../../../adapters/postgres/queries/pushes.ts';
import { usedFormsIn } from '../../../adapters/postgres/short-lived/used-forms.ts';
import { integrationsRouter } from '../../pages/integrations/integrations-router.tsx';
import { commandsOfPeople } from '../commands/person-commands.ts';
import type { SharedParts } from '../parts.ts';

/** Wires the integrations pages to the stores. */
export const integrationsPagesOf = (parts: SharedParts): Router => {
  const { db } = parts.stores;
  return integrationsRouter({
    listKeys: listKeysOfPracticeIn(db),
    findPushes: findPushesIn(db),
    findAudit: practiceAuditIn(db),
    commandsOf: commandsOfPeople(parts),
    forms: usedFormsIn(db),
    pushBase: `${parts.settings.baseUrl}/api/registry/fhir`,
    now: parts.now,
  });
};
