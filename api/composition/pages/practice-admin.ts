import { Router } from 'express';
import { listMembersIn } from '../../../adapters/postgres/queries/members.ts';
import { usedFormsIn } from '../../../adapters/postgres/short-lived/used-forms.ts';
import { customFieldsRouter } from '../../pages/custom-fields/custom-fields-router.tsx';
import { membersRouter } from '../../pages/members/members-router.tsx';
import { practiceSettingsRouter } from '../../pages/practice-settings/practice-settings-router.tsx';
import { commandsOfPeople } from '../commands/person-commands.ts';
import type { SharedParts } from '../parts.ts';

/** Wires what only the Admins of a practice open: members, fields of its own, settings. */
export const practiceAdminPagesOf = (parts: SharedParts): Router => {
  const { db } = parts.stores;
  const commandsOf = commandsOfPeople(parts);
  return Router()
    .use(
      membersRouter({
        listMembers: listMembersIn(db),
        commandsOf,
        forms: usedFormsIn(db),
        signInAt: `${parts.settings.baseUrl}/sign-in`,
      }),
    )
    .use(customFieldsRouter({ commandsOf }))
    .use(practiceSettingsRouter({ commandsOf }));
};
