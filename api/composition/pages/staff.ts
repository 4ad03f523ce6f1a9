import { Router } from 'express';
import {
  listKeysOfPartnerIn,
  listKeysOfPracticeIn,
} from '../../../adapters/postgres/queries/api-keys.ts';
import { partnerAuditIn, practiceAuditIn } from '../../../adapters/postgres/queries/audit-trail.ts';
import {
  findPartnerIn,
  findPracticeIn,
  listBetaPracticesIn,
  listPartnersIn,
  searchPracticesIn,
} from '../../../adapters/postgres/queries/organisations.ts';
import { usedFormsIn } from '../../../adapters/postgres/short-lived/used-forms.ts';
import { staffPartnersRouter } from '../../pages/staff/partners-router.tsx';
import { staffPracticesRouter } from '../../pages/staff/practices-router.tsx';
import type { StaffParts } from '../../pages/staff/staff-parts.ts';
import { staffStatusRouter } from '../../pages/staff/status-router.tsx';
import { SERVICE_VERSION } from '../../version.ts';
import { commandsOfPeople } from '../commands/person-commands.ts';
import type { SharedParts } from '../parts.ts';

/** Wires the pages of the service staff to the stores. */
export const staffPagesOf = (parts: SharedParts): Router => {
  const { db } = parts.stores;
  const { baseUrl, role } = parts.settings;
  const { look, startedAt } = parts.standing;
  const staffParts: StaffParts = {
    searchPractices: searchPracticesIn(db),
    findPractice: findPracticeIn(db),
    listBetaPractices: listBetaPracticesIn(db),
    listPartners: listPartnersIn(db),
    findPartner: findPartnerIn(db),
    listKeysOfPractice: listKeysOfPracticeIn(db),
    listKeysOfPartner: listKeysOfPartnerIn(db),
    findPracticeAudit: practiceAuditIn(db),
    findPartnerAudit: partnerAuditIn(db),
    commandsOf: commandsOfPeople(parts),
    forms: usedFormsIn(db),
    pushBase: `${baseUrl}/api/registry/fhir`,
    signInAt: `${baseUrl}/sign-in`,
  };
  return Router()
    .use(staffPracticesRouter(staffParts))
    .use(staffPartnersRouter(staffParts))
    .use(staffStatusRouter({ about: { role, version: SERVICE_VERSION, startedAt }, look }));
};
