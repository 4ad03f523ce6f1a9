import type { Response, Router } from 'express';
import type { ListedStaff } from '../../../../projections/lists/accounts.ts';
import {
  displayNameWithEmail,
  type NamedPerson,
} from '../../../../projections/lists/people-names.ts';
import type { App } from '../../../ports/app-ports.ts';
import { requireStaff } from '../../../web/guards/seats.ts';
import { PageProblem } from '../../../web/page-problem.ts';
import { createPageCommands } from '../../layout/page-commands.ts';
import { createRouter } from '../../layout/routes.tsx';
import { checkName } from '../../parts/name-form.tsx';
import { type Accounts, createAccountRoutes } from '../people/accounts-router.tsx';
import { PeopleList, PersonForm, StaffPersonPage } from './people-list.tsx';

export const describeRemoval = (person: NamedPerson): string =>
  `${displayNameWithEmail(person)} is no longer on the service staff.`;

export const staffPeopleRouter = (app: App): Router => {
  const getCommands = (res: Response) => createPageCommands(app, res).staff;
  const accounts: Accounts<ListedStaff> = {
    home: '/staff/people',
    param: 'person',
    guard: requireStaff,
    list: () => app.reads.listStaff(),
    getId: ({ staffId }) => staffId,
    hasAccount: ({ status }) => status === 'active',
    // Because of this, the staff is never empty.
    refuseSelf: {
      password: refuseOwnAccount,
      'sign-out': refuseOwnAccount,
      remove: refuseOwnAccount,
    },
    title: 'Service staff',
    showList: (people, self) => <PeopleList people={people} self={self} />,
    tabTitle: 'Person',
    showPerson: (person, flags) => <StaffPersonPage person={person} {...flags} />,
    add: {
      path: 'new',
      title: 'Add a person',
      doneTitle: 'Person added',
      view: (values) => <PersonForm values={values} />,
      check: ({ name }) => checkName(name),
      run: ({ email, name }, res) => getCommands(res).invite(email, name),
    },
    rename: ({ staffId }, name, res) => getCommands(res).rename(staffId, name),
    describeNameUse: ({ email }) =>
      `The staff see this name next to everything ${email} does, including past entries. They can also change it themselves.`,
    resetPassword: ({ email }, res) => getCommands(res).givePassword(email),
    remove: ({ email }, res) => getCommands(res).remove(email),
    removal: {
      submit: 'Remove person',
      describe: () =>
        'will be removed from the service staff and signed out everywhere immediately. What they did stays on record. You can add them again.',
      describeDone: describeRemoval,
    },
  };
  return createRouter(...createAccountRoutes(app, accounts).routes);
};

const refuseOwnAccount = (): PageProblem =>
  new PageProblem(
    409,
    'Ask a colleague to do that',
    'You cannot close or reset your own account here. To change your password, use “Change your password” at the bottom of any page.',
  );
